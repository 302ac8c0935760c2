// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/op_program.hpp"

#include <algorithm>

#include "interpreter/hint.hpp"
#include "interpreter/notation/attribute_names.hpp"

namespace tiebreak {
namespace {

std::vector<std::string> operand_names(const std::vector<notation::Operand>& operands) {
  std::vector<std::string> names;
  for (const notation::Operand& operand : operands) names.push_back(operand.name);
  return names;
}

Status check_names(const notation::Op& op, const OpInputs& inputs) {
  std::vector<std::string> operands = operand_names(op.operands);
  for (const NamedTensor& input : inputs.inputs) {
    if (std::find(operands.begin(), operands.end(), input.name) == operands.end()) {
      return fail(Errc::unknown_name, op.path + " has no operand '" + input.name + "'", inputs.where, did_you_mean(input.name, operands));
    }
  }
  std::vector<std::string> attributes = operand_names(op.attributes);
  std::ranges::transform(attributes, attributes.begin(), notation::program_name);
  for (const auto& [name, value] : inputs.attributes) {
    if (std::find(attributes.begin(), attributes.end(), name) == attributes.end()) {
      return fail(Errc::unknown_name, op.path + " has no attribute '" + name + "'", inputs.where, did_you_mean(name, attributes));
    }
  }
  return {};
}

void add_value(const std::string& name, Tensor tensor, Case& out, Operation& operation) {
  const auto id = static_cast<ValueId>(out.program.values.size());
  out.program.values.push_back(ProgramValue{name, tensor.type(), std::nullopt});
  out.program.inputs.push_back(id);
  operation.operands.push_back(id);
  out.inputs.push_back(std::move(tensor));
}

/// Adds the tensors of one operand as inputs of the program; returns how many there were.
std::size_t add_operand(const notation::Operand& operand, std::vector<NamedTensor>& inputs, Case& out, Operation& operation) {
  std::size_t count = 0;
  for (NamedTensor& input : inputs) {
    if (input.name != operand.name) continue;
    if (count++ == 0) add_value(operand.name, std::move(input.tensor), out, operation);
  }
  return count;
}

/// Variadic operands repeat together: first the first of each, then the second of each.
Status add_variadic(const notation::Op& op, const std::string& where, std::vector<NamedTensor>& inputs, Case& out, Operation& operation) {
  std::vector<std::vector<NamedTensor*>> members;
  std::vector<std::string> names;
  for (const notation::Operand& operand : op.operands) {
    if (!operand.variadic) continue;
    names.push_back(operand.name);
    members.emplace_back();
    for (NamedTensor& input : inputs)
      if (input.name == operand.name) members.back().push_back(&input);
    if (members.back().size() != members.front().size())
      return fail(Errc::type,
                  "'" + operand.name + "' and '" + names.front() + "' of " + op.path + " repeat together, but there are " +
                      std::to_string(members.back().size()) + " and " + std::to_string(members.front().size()),
                  where);
  }
  for (std::size_t k = 0; !members.empty() && k < members.front().size(); ++k)
    for (std::size_t i = 0; i < members.size(); ++i) add_value(names[i] + std::to_string(k), std::move(members[i][k]->tensor), out, operation);
  return {};
}

}  // namespace

Status build_op_case(const Library& library, OpInputs inputs, Case& out) {
  TIEBREAK_TRY(place, library.find_op(inputs.op));
  const notation::Op& op = *place.op;
  TIEBREAK_CHECK(check_names(op, inputs));
  out.program.name = op.path;
  out.program.file = out.source;
  Operation operation{op.path, {}, {}, std::move(inputs.attributes), inputs.version, inputs.where};
  for (const notation::Operand& operand : op.operands) {
    if (operand.variadic) break;  // they stand at the end
    const std::size_t count = add_operand(operand, inputs.inputs, out, operation);
    if (count > 1) return fail(Errc::type, "operand '" + operand.name + "' is given twice", inputs.where);
    if (count > 0) continue;
    if (!operand.optional && !operand.default_value) {
      return fail(Errc::type, "operand '" + operand.name + "' of " + op.path + " is missing", inputs.where);
    }
    operation.operands.push_back(-1);
  }
  TIEBREAK_CHECK(add_variadic(op, inputs.where, inputs.inputs, out, operation));
  while (!operation.operands.empty() && operation.operands.back() == -1) operation.operands.pop_back();
  if (inputs.result_types.size() > op.results.size() && !(op.results.size() == 1 && op.results[0].variadic)) {
    return fail(Errc::type, op.path + " has " + std::to_string(op.results.size()) + " results, not " + std::to_string(inputs.result_types.size()),
                inputs.where);
  }
  const auto always = static_cast<std::size_t>(std::ranges::count(op.results, false, &notation::Operand::optional));
  std::size_t results = std::max(always, inputs.result_types.size());
  for (std::size_t i = 0; i < results; ++i) {
    std::string name = i < op.results.size() ? op.results[i].name : op.results.back().name + std::to_string(i);
    auto id = static_cast<ValueId>(out.program.values.size());
    ProgramValue value{name, std::nullopt, std::nullopt};
    if (i < inputs.result_types.size()) value.type = inputs.result_types[i];
    out.program.values.push_back(std::move(value));
    operation.results.push_back(id);
    out.program.outputs.push_back(id);
  }
  out.program.operations.push_back(std::move(operation));
  return {};
}

Result<CallOfOutput> call_of_output(const Semantics& semantics, const Case& test, std::size_t output) {
  const Program& program = test.program;
  if (output >= program.outputs.size()) return fail(Errc::usage, "the case has no output " + std::to_string(output), test.id);
  const ValueId wanted = program.outputs[output];
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const std::vector<ValueId>& results = program.operations[i].results;
    const auto found = std::find(results.begin(), results.end(), wanted);
    if (found == results.end()) continue;
    TIEBREAK_TRY(call, reach_call(semantics, program, i, test.inputs));
    return CallOfOutput{std::move(call), static_cast<std::size_t>(found - results.begin())};
  }
  return fail(Errc::usage, "the output is an input or a constant: nothing is computed", test.id);
}

}  // namespace tiebreak
