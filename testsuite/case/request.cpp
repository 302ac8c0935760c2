// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/request.hpp"

#include <algorithm>

#include "interpreter/program/printed_names.hpp"
#include "interpreter/semantics/changed_profile.hpp"

namespace tiebreak {
namespace {

/// What the page calls the operand that this value is; "" in programs of several ops, and where it is none or several.
std::string operand_name(const Library& library, const Program& program, ValueId value) {
  if (program.operations.size() != 1) return "";
  const Operation& operation = program.operations.front();
  if (std::ranges::count(operation.operands, value) != 1) return "";
  const Result<Library::OpPlace> place = library.find_op(operation.op);
  if (!place) return "";
  const std::vector<notation::Operand>& declared = place->op->operands;
  const auto position = static_cast<std::size_t>(std::ranges::find(operation.operands, value) - operation.operands.begin());
  const auto fixed = static_cast<std::size_t>(std::ranges::find_if(declared, &notation::Operand::variadic) - declared.begin());
  if (position < fixed) return declared[position].name;
  const std::size_t group = declared.size() - fixed;
  if (group == 0 || (group > 1 && !place->op->regions.empty())) return "";  // ops that run regions do not take their groups in turn
  return declared[fixed + (position - fixed) % group].name;
}

}  // namespace

ExchangeCase to_request(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected) {
  ExchangeCase request;
  Program program = test.program;
  for (std::size_t i = 0; i < expected.size() && i < program.outputs.size(); ++i) {
    ProgramValue& value = program.values[static_cast<std::size_t>(program.outputs[i])];
    if (!value.type) value.type = expected[i].tensor.type();
  }
  request.id = test.id;
  if (program.operations.size() == 1) {
    request.op = program.operations[0].op;
    request.attributes = program.operations[0].attributes;
    request.version = program.operations[0].version;
  }
  request.program = print_mlir(program);
  const std::vector<std::string> names = printed_names(program);  // a model's own may have characters that MLIR's cannot
  request.profile = changed_profile_text({library, profile});
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    ExchangeTensor input;
    input.name = names[static_cast<std::size_t>(program.inputs[i])];
    input.tensor = test.inputs[i];
    input.operand = operand_name(library, program, program.inputs[i]);
    request.inputs.push_back(std::move(input));
  }
  // Outputs are declared: name, type and shape, so that an adapter need not infer them and its answer can be checked.
  for (std::size_t i = 0; i < expected.size() && i < program.outputs.size(); ++i) {
    ExchangeTensor output;
    output.name = names[static_cast<std::size_t>(program.outputs[i])];
    if (auto zeros = Tensor::zeros(expected[i].tensor.type())) output.tensor = std::move(*zeros);
    request.outputs.push_back(std::move(output));
  }
  return request;
}

ExchangeCase to_golden(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected) {
  ExchangeCase golden = to_request(library, test, profile, expected);
  for (ExchangeTensor& input : golden.inputs) input.operand.clear();  // a page that renames one must not move files
  golden.clauses = clauses_of({library, profile}, test.program);
  for (std::size_t i = 0; i < golden.outputs.size(); ++i) {
    ExchangeTensor& output = golden.outputs[i];
    output.tensor = expected[i].tensor;
    output.undefined = expected[i].undefined;
    output.before = expected[i].before;
    output.distance = expected[i].distance;
  }
  return golden;
}

}  // namespace tiebreak
