// SPDX-License-Identifier: Apache-2.0
// Programs: operations in order, each an op of a page.
#include <fmt/format.h>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/evaluate/regions.hpp"

namespace tiebreak {

namespace {

using Values = std::vector<std::optional<ResultTensor>>;

Result<const ResultTensor*> value_of(const Program& program, const Operation& operation, const Values& values, ValueId id) {
  const auto& value = values[static_cast<std::size_t>(id)];
  if (!value)
    return fail(Errc::type, fmt::format("value {} is used before it is computed", program.values[static_cast<std::size_t>(id)].name), operation.where);
  return &*value;
}

Result<OpCall> call_of(const Program& program, const Operation& operation, const Values& values) {
  OpCall call{.op = operation.op, .operands = {}, .attributes = operation.attributes, .version = operation.version, .where = operation.where};
  for (ValueId id : operation.operands) {
    call.operands.emplace_back();
    if (id < 0) continue;
    TIEBREAK_TRY(value, value_of(program, operation, values, id));
    call.operands.back() = value->tensor;
    if (value->undefined.empty()) continue;
    call.undefined.resize(call.operands.size());
    call.undefined.back() = value->undefined;
  }
  for (ValueId id : operation.results) call.result_types.push_back(id < 0 ? std::nullopt : program.values[static_cast<std::size_t>(id)].type);
  for (const Region& region : operation.regions) {
    BoundRegion bound{.program = &region.program};
    for (ValueId id : region.captured) {
      TIEBREAK_TRY(value, value_of(program, operation, values, id));
      bound.captured.push_back(*value);
    }
    call.regions.push_back(std::move(bound));
  }
  return call;
}

/// Constants and inputs.
Result<Values> starting_values(const Program& program, const std::vector<ResultTensor>& inputs) {
  if (inputs.size() != program.inputs.size())
    return fail(Errc::type, fmt::format("the program has {} inputs, {} were given", program.inputs.size(), inputs.size()), program.file);
  Values values(program.values.size());
  for (std::size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].constant) values[i] = ResultTensor{.name = program.values[i].name, .tensor = *program.values[i].constant};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t id = static_cast<std::size_t>(program.inputs[i]);
    values[id] = ResultTensor{.name = program.values[id].name, .tensor = inputs[i].tensor, .undefined = inputs[i].undefined};
  }
  return values;
}

/// An op that no page has, with one region: a composite, which stands for its decomposition.
bool is_decomposed(const Library& library, const OpCall& call) { return call.regions.size() == 1 && !library.find_op(call.op); }

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

void keep(const Operation& operation, std::vector<ResultTensor> results, Values& values) {
  for (std::size_t r = 0; r < operation.results.size() && r < results.size(); ++r)
    if (operation.results[r] >= 0) values[static_cast<std::size_t>(operation.results[r])] = std::move(results[r]);
}

Status run_operation(const Semantics& semantics, const Program& program, const Operation& operation, Values& values, const EvaluateOptions& options) {
  TIEBREAK_TRY(call, call_of(program, operation, values));
  TIEBREAK_TRY(results, run_call(semantics, call, options));
  keep(operation, std::move(results), values);
  return {};
}

std::vector<ResultTensor> defined(const std::vector<Tensor>& inputs) {
  std::vector<ResultTensor> values;
  for (const Tensor& input : inputs) values.push_back({.name = "", .tensor = input});
  return values;
}

}  // namespace

Result<std::vector<ResultTensor>> evaluate(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs,
                                           const EvaluateOptions& options) {
  return evaluate_values(semantics, program, defined(inputs), options);
}

Result<std::vector<ResultTensor>> evaluate_region(const Semantics& semantics, const OpCall& call, std::size_t region, const EvaluateOptions& options) {
  std::vector<ResultTensor> inputs;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (!call.operands[i]) return fail(Errc::type, fmt::format("{}: operand {} is absent", call.op, i), call.where);
    inputs.push_back({.name = "", .tensor = *call.operands[i]});
    if (i < call.undefined.size()) inputs.back().undefined = call.undefined[i];
  }
  const BoundRegion& run = call.regions[region];
  inputs.insert(inputs.end(), run.captured.begin(), run.captured.end());
  return evaluate_values(semantics, *run.program, inputs, options);
}

Result<OpCall> reach_call(const Semantics& semantics, const Program& program, std::size_t operation, const std::vector<Tensor>& inputs) {
  TIEBREAK_TRY(values, starting_values(program, defined(inputs)));
  for (std::size_t before = 0; before < operation; ++before) TIEBREAK_CHECK(run_operation(semantics, program, program.operations[before], values, {}));
  return call_of(program, program.operations[operation], values);
}

Result<std::vector<ReachedCall>> reach_calls(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs) {
  TIEBREAK_TRY(values, starting_values(program, defined(inputs)));
  std::vector<ReachedCall> reached;
  for (const Operation& operation : program.operations) {
    TIEBREAK_TRY(call, call_of(program, operation, values));
    TIEBREAK_TRY(results, run_call(semantics, call, {}));
    keep(operation, results, values);
    reached.push_back({std::move(call), std::move(results)});
  }
  return reached;
}

Result<std::vector<ResultTensor>> evaluate_values(const Semantics& semantics, const Program& program, const std::vector<ResultTensor>& inputs,
                                                  const EvaluateOptions& options) {
  TIEBREAK_TRY(values, starting_values(program, inputs));
  for (const Operation& operation : program.operations) TIEBREAK_CHECK(run_operation(semantics, program, operation, values, options));
  std::vector<ResultTensor> outputs;
  for (ValueId id : program.outputs) {
    const auto& value = values[static_cast<std::size_t>(id)];
    if (!value) return fail(Errc::type, fmt::format("output {} is never computed", program.values[static_cast<std::size_t>(id)].name), program.file);
    outputs.push_back(*value);
    outputs.back().name = program.values[static_cast<std::size_t>(id)].name;
  }
  return outputs;
}

}  // namespace tiebreak
