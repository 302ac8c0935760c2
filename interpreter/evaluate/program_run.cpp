// SPDX-License-Identifier: Apache-2.0
// A run counts for each value how often it is still to be read. The last read takes the tensor instead of copying it, so that it ends with the operation.
#include "interpreter/evaluate/program_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak {
namespace {

std::size_t place_of(ValueId id) { return static_cast<std::size_t>(id); }

/// An op that no page has, with one region: a composite, which stands for its decomposition.
bool is_decomposed(const Library& library, const OpCall& call) { return call.regions.size() == 1 && !library.op_place(call.op); }

Result<std::vector<ResultTensor>> run_decomposition(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  const BoundRegion& region = call.regions.front();
  const std::size_t taken = region.program->inputs.size();
  if (call.operands.size() + region.captured.size() != taken)
    return fail(Errc::type, fmt::format("{}: {} operands, its decomposition takes {}", call.op, call.operands.size(), taken), call.where);
  return evaluate_region(semantics, call, 0, options);
}

Result<std::vector<ResultTensor>> run_call(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  TIEBREAK_CHECK(semantics.library.stop().check());
  return is_decomposed(semantics.library, call) ? run_decomposition(semantics, call, options) : evaluate(semantics, call, options);
}

/// The call that an operation makes, of values that `read` gives away.
Result<OpCall> call_of(const Program& program, const Operation& operation, const std::function<Result<ResultTensor>(ValueId)>& read) {
  OpCall call{.op = operation.op, .operands = {}, .attributes = operation.attributes, .version = operation.version, .where = operation.where};
  for (ValueId id : operation.operands) {
    call.operands.emplace_back();
    if (id < 0) continue;
    TIEBREAK_TRY(value, read(id));
    call.operands.back() = std::move(value.tensor);
    if (value.undefined.empty()) continue;
    call.undefined.resize(call.operands.size());
    call.undefined.back() = std::move(value.undefined);
  }
  for (ValueId id : operation.results) call.result_types.push_back(id < 0 ? std::nullopt : program.values[place_of(id)].type);
  for (const Region& region : operation.regions) {
    BoundRegion bound{.program = &region.program};
    for (ValueId id : region.captured) {
      TIEBREAK_TRY(value, read(id));
      bound.captured.push_back(std::move(value));
    }
    call.regions.push_back(std::move(bound));
  }
  return call;
}

ResultTensor copy_of(const LentTensor& from, const std::string& name) {
  ResultTensor copy{.name = name, .tensor = *from.tensor};
  if (from.undefined != nullptr) copy.undefined = *from.undefined;
  return copy;
}

tl::unexpected<Error> not_computed(const Program& program, const Operation& operation, ValueId id) {
  return fail(Errc::type, fmt::format("value {} is used before it is computed", program.values[place_of(id)].name), operation.where);
}

class ProgramRun {
 public:
  ProgramRun(const Semantics& semantics, const Program& program, std::span<const LentTensor> inputs, const EvaluateOptions& options, ProgramWatch& watch)
      : semantics_(semantics),
        program_(program),
        options_(options),
        watch_(watch),
        lent_(program.values.size()),
        own_(program.values.size()),
        reads_(program.values.size()) {
    for (std::size_t i = 0; i < program.values.size(); ++i)
      if (program.values[i].constant) lent_[i] = lent(*program.values[i].constant);
    for (std::size_t i = 0; i < inputs.size(); ++i) lent_[place_of(program.inputs[i])] = inputs[i];
    auto count = [this](ValueId id) {
      if (id >= 0) ++reads_[place_of(id)];
    };
    for (const Operation& operation : program.operations) {
      std::ranges::for_each(operation.operands, count);
      for (const Region& region : operation.regions) std::ranges::for_each(region.captured, count);
    }
    std::ranges::for_each(program.outputs, count);
  }

  /// The call of an operation, of those before it nothing is missing. Its operands are the caller's.
  Result<OpCall> call(const Operation& operation) {
    return call_of(program_, operation, [&](ValueId id) -> Result<ResultTensor> {
      if (!is_known(id)) return not_computed(program_, operation, id);
      return read(id);
    });
  }

  Result<std::vector<ResultTensor>> run_call_of(const OpCall& call) { return run_call(semantics_, call, options_); }

  /// Takes the results of an operation; those that nothing reads are not kept.
  void keep(const Operation& operation, std::vector<ResultTensor> results) {
    for (const ResultTensor& result : results) watch_.live.add(result.tensor);
    for (std::size_t r = 0; r < results.size(); ++r) {
      const ValueId id = r < operation.results.size() ? operation.results[r] : -1;
      if (id >= 0 && reads_[place_of(id)] > 0) own_[place_of(id)] = std::move(results[r]);
      else watch_.live.remove(1, results[r].tensor.bytes().size());
    }
  }

  Status run(std::size_t number) {
    const Operation& operation = program_.operations[number];
    if (watch_.before) watch_.before(number);
    read_count_ = read_size_ = 0;
    TIEBREAK_TRY(made, call(operation));
    TIEBREAK_TRY(results, run_call_of(made));
    keep(operation, std::move(results));
    watch_.live.remove(read_count_, read_size_);  // with the call
    return {};
  }

  Result<std::vector<ResultTensor>> outputs() {
    std::vector<ResultTensor> outputs;
    for (ValueId id : program_.outputs) {
      if (!is_known(id)) return fail(Errc::type, fmt::format("output {} is never computed", program_.values[place_of(id)].name), program_.file);
      outputs.push_back(read(id));
      outputs.back().name = program_.values[place_of(id)].name;
    }
    return outputs;
  }

 private:
  bool is_known(ValueId id) const { return own_[place_of(id)].has_value() || lent_[place_of(id)].tensor != nullptr; }

  /// The value itself where nothing reads it later, else a copy.
  ResultTensor read(ValueId id) {
    const std::size_t place = place_of(id);
    const bool is_last = --reads_[place] == 0;
    std::optional<ResultTensor>& own = own_[place];
    const bool moved = own && is_last;
    ResultTensor value = moved ? std::move(*own) : own ? *own : copy_of(lent_[place], program_.values[place].name);
    if (moved) own.reset();
    else watch_.live.add(value.tensor);
    ++read_count_;
    read_size_ += value.tensor.bytes().size();
    return value;
  }

  const Semantics& semantics_;
  const Program& program_;
  const EvaluateOptions& options_;
  ProgramWatch& watch_;
  std::vector<LentTensor> lent_;
  std::vector<std::optional<ResultTensor>> own_;
  std::vector<std::size_t> reads_;              ///< still to come
  std::size_t read_count_ = 0, read_size_ = 0;  ///< tensors of the call at hand, and their bytes
};

std::vector<LentTensor> lent_all(const std::vector<Tensor>& tensors) {
  std::vector<LentTensor> all;
  for (const Tensor& tensor : tensors) all.push_back(lent(tensor));
  return all;
}

Status check_inputs(const Program& program, std::size_t given) {
  if (given == program.inputs.size()) return {};
  return fail(Errc::type, fmt::format("the program has {} inputs, {} were given", program.inputs.size(), given), program.file);
}

}  // namespace

void LiveTensors::add(const Tensor& tensor) {
  ++tensors;
  bytes += tensor.bytes().size();
  most_tensors = std::max(most_tensors, tensors);
  most_bytes = std::max(most_bytes, bytes);
}

void LiveTensors::remove(std::size_t count, std::size_t size) {
  tensors -= count;
  bytes -= size;
}

Result<std::vector<ResultTensor>> evaluate_program(const Semantics& semantics, const Program& program, std::span<const LentTensor> inputs,
                                                   const EvaluateOptions& options, ProgramWatch* watch) {
  TIEBREAK_CHECK(check_inputs(program, inputs.size()));
  ProgramWatch unseen;
  ProgramRun run(semantics, program, inputs, options, watch != nullptr ? *watch : unseen);
  for (std::size_t number = 0; number < program.operations.size(); ++number) TIEBREAK_CHECK(run.run(number));
  return run.outputs();
}

Result<std::vector<ResultTensor>> evaluate_operation(const Semantics& semantics, const Program& program, const Operation& operation,
                                                     const std::function<LentTensor(ValueId)>& value, const EvaluateOptions& options) {
  TIEBREAK_TRY(call, call_of(program, operation, [&](ValueId id) -> Result<ResultTensor> {
                 const LentTensor from = value(id);
                 if (from.tensor == nullptr) return not_computed(program, operation, id);
                 return copy_of(from, program.values[place_of(id)].name);
               }));
  return run_call(semantics, call, options);
}

Result<std::vector<ResultTensor>> evaluate(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs,
                                           const EvaluateOptions& options) {
  return evaluate_program(semantics, program, lent_all(inputs), options);
}

Result<std::vector<ResultTensor>> evaluate_values(const Semantics& semantics, const Program& program, const std::vector<ResultTensor>& inputs,
                                                  const EvaluateOptions& options) {
  std::vector<LentTensor> all;
  for (const ResultTensor& input : inputs) all.push_back(lent(input));
  return evaluate_program(semantics, program, all, options);
}

Result<std::vector<ResultTensor>> evaluate_region(const Semantics& semantics, const OpCall& call, std::size_t region, const EvaluateOptions& options) {
  std::vector<LentTensor> inputs;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (!call.operands[i]) return fail(Errc::type, fmt::format("{}: operand {} is absent", call.op, i), call.where);
    inputs.push_back(lent(*call.operands[i]));
    if (i < call.undefined.size() && !call.undefined[i].empty()) inputs.back().undefined = &call.undefined[i];
  }
  for (const ResultTensor& captured : call.regions[region].captured) inputs.push_back(lent(captured));
  return evaluate_program(semantics, *call.regions[region].program, inputs, options);
}

Result<OpCall> reach_call(const Semantics& semantics, const Program& program, std::size_t operation, const std::vector<Tensor>& inputs) {
  TIEBREAK_CHECK(check_inputs(program, inputs.size()));
  ProgramWatch unseen;
  const EvaluateOptions options;
  ProgramRun run(semantics, program, lent_all(inputs), options, unseen);
  for (std::size_t before = 0; before < operation; ++before) TIEBREAK_CHECK(run.run(before));
  return run.call(program.operations[operation]);
}

Result<std::vector<ReachedCall>> reach_calls(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs) {
  TIEBREAK_CHECK(check_inputs(program, inputs.size()));
  ProgramWatch unseen;
  const EvaluateOptions options;
  ProgramRun run(semantics, program, lent_all(inputs), options, unseen);
  std::vector<ReachedCall> reached;
  for (const Operation& operation : program.operations) {
    TIEBREAK_TRY(call, run.call(operation));
    TIEBREAK_TRY(results, run.run_call_of(call));
    run.keep(operation, results);
    reached.push_back({std::move(call), std::move(results)});
  }
  return reached;
}

}  // namespace tiebreak
