// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/float_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/program/is_read.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t never = static_cast<std::size_t>(-1);

std::size_t place_of(ValueId id) { return static_cast<std::size_t>(id); }

/// The operation as a program of its own, whose inputs are the values that it reads.
Program alone(const Program& program, const Operation& operation, const std::vector<ValueId>& read) {
  Program one;
  one.name = program.name;
  one.file = program.file;
  std::vector<ValueId> renamed(program.values.size(), -1);
  auto add = [&](ValueId id) {
    const ProgramValue& value = program.values[place_of(id)];
    renamed[place_of(id)] = static_cast<ValueId>(one.values.size());
    one.values.push_back({value.name, value.type});
    return renamed[place_of(id)];
  };
  for (const ValueId id : read) one.inputs.push_back(add(id));
  Operation own = operation;
  for (ValueId& id : own.operands) id = id < 0 ? id : renamed[place_of(id)];
  for (Region& region : own.regions)
    for (ValueId& id : region.captured) id = renamed[place_of(id)];
  for (ValueId& id : own.results)
    if (id >= 0) one.outputs.push_back(id = add(id));
  one.operations.push_back(std::move(own));
  return one;
}

class BatchRun {
 public:
  BatchRun(const Semantics& semantics, const Program& program, const ValueVisitor& visit)
      : semantics_(semantics), program_(program), visit_(visit), values_(program.values.size()), last_use_(program.values.size(), never) {
    for (std::size_t o = 0; o < program.operations.size(); ++o)
      for (const ValueId id : read_values(program.operations[o])) last_use_[place_of(id)] = o;
  }

  Status run(const std::vector<Batch>& batches) {
    count_ = batches.size();
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      std::vector<Tensor>& own = values_[place_of(program_.inputs[i])];
      for (const Batch& batch : batches) own.push_back(batch.inputs[i]);
      TIEBREAK_CHECK(visit_input(program_.inputs[i]));
    }
    for (std::size_t o = 0; o < program_.operations.size(); ++o) {
      TIEBREAK_CHECK(visit_constants(program_.operations[o]));
      TIEBREAK_CHECK(run_operation(program_.operations[o]));
      release(o);
    }
    return {};
  }

 private:
  Status visit_input(ValueId id) {
    ReachedValue value{.id = id, .batches = values_[place_of(id)]};
    return visit_(value);
  }

  Status visit_results(const Operation& operation) {
    for (const ValueId id : operation.results) {
      if (id < 0) continue;
      ReachedValue value{.id = id, .operation = &operation, .call = [&] { return first_call(operation); }, .batches = values_[place_of(id)]};
      TIEBREAK_CHECK(visit_(value));
    }
    return {};
  }

  Result<OpCall> first_call(const Operation& operation) const {
    OpCall call{.op = operation.op, .attributes = operation.attributes, .version = operation.version, .where = operation.where};
    for (const ValueId id : operation.operands) {
      call.operands.emplace_back();
      if (id < 0) continue;
      TIEBREAK_TRY(tensor, read(id, 0, operation));
      call.operands.back() = std::move(tensor);
    }
    for (const ValueId id : operation.results) call.result_types.push_back(id < 0 ? std::nullopt : program_.values[place_of(id)].type);
    return call;
  }

  Status visit_constants(const Operation& operation) {
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      const ValueId id = operation.operands[i];
      if (id < 0 || !program_.values[place_of(id)].constant || !values_[place_of(id)].empty()) continue;
      values_[place_of(id)] = {*program_.values[place_of(id)].constant};
      ReachedValue value{.id = id,
                         .is_constant = true,
                         .operation = &operation,
                         .operand = i,
                         .call = [&] { return first_call(operation); },
                         .batches = values_[place_of(id)]};
      TIEBREAK_CHECK(visit_(value));
    }
    return {};
  }

  Result<Tensor> read(ValueId id, std::size_t batch, const Operation& operation) const {
    const std::vector<Tensor>& own = values_[place_of(id)];
    const ProgramValue& value = program_.values[place_of(id)];
    if (own.empty() && value.constant) return *value.constant;  // captured by a region
    if (own.empty()) return fail(Errc::type, "value " + value.name + " is used before it is computed", operation.where);
    return own[value.constant ? 0 : batch];
  }

  Status run_operation(const Operation& operation) {
    const std::vector<ValueId> inputs = read_values(operation);
    const Program one = alone(program_, operation, inputs);
    for (std::size_t batch = 0; batch < count_; ++batch) {
      std::vector<Tensor> given;
      for (const ValueId id : inputs) {
        TIEBREAK_TRY(tensor, read(id, batch, operation));
        given.push_back(std::move(tensor));
      }
      TIEBREAK_TRY(results, evaluate(semantics_, one, given));
      TIEBREAK_CHECK(keep(operation, batch, results));
    }
    return visit_results(operation);
  }

  Status keep(const Operation& operation, std::size_t batch, std::vector<ResultTensor>& results) {
    std::size_t next = 0;
    for (const ValueId id : operation.results) {
      if (id < 0) continue;
      ResultTensor& result = results[next++];
      for (std::int64_t i = 0; i < result.tensor.size(); ++i)
        if (result.is_undefined(i))
          return fail(Errc::type, fmt::format("element {} of {} is undefined in batch {}", i, program_.values[place_of(id)].name, batch), operation.where);
      values_[place_of(id)].push_back(std::move(result.tensor));
    }
    return {};
  }

  /// Values that no later operation reads.
  void release(std::size_t operation) {
    for (const ValueId id : read_values(program_.operations[operation]))
      if (last_use_[place_of(id)] == operation && !program_.values[place_of(id)].constant) values_[place_of(id)].clear();
  }

  const Semantics& semantics_;
  const Program& program_;
  const ValueVisitor& visit_;
  std::vector<std::vector<Tensor>> values_;
  std::vector<std::size_t> last_use_;
  std::size_t count_ = 0;
};

}  // namespace

Status run_batches(const Semantics& semantics, const Program& program, const std::vector<Batch>& batches, const ValueVisitor& visit) {
  return BatchRun(semantics, program, visit).run(batches);
}

}  // namespace tiebreak
