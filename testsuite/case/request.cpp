// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/request.hpp"

#include <algorithm>
#include <map>

#include "interpreter/program/printed_names.hpp"
#include "interpreter/semantics/changed_profile.hpp"
#include "testsuite/recover/recover.hpp"

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

/// The program with the types of outputs that it leaves open.
Program typed_program(const Program& source, const std::vector<ResultTensor>& expected) {
  Program program = source;
  for (std::size_t i = 0; i < expected.size() && i < program.outputs.size(); ++i) {
    ProgramValue& value = program.values[static_cast<std::size_t>(program.outputs[i])];
    if (!value.type) value.type = expected[i].tensor.type();
  }
  return program;
}

/// The names that values have in the printed text: a model's own may have characters that MLIR's cannot.
void take_printed_names(Program& program) {
  const std::vector<std::string> names = printed_names(program);
  for (std::size_t i = 0; i < names.size(); ++i) program.values[i].name = names[i];
}

/// Of each value that is codes; nothing where the program contradicts itself, which whoever reads it says.
std::map<ValueId, TensorParameters> known_parameters(const Library& library, const Program& program, const std::vector<Tensor>* inputs) {
  auto found = recover_parameters(library, program, {.inputs = inputs});
  return found ? std::move(found->values) : std::map<ValueId, TensorParameters>();
}

/// What is known beside the type: a quantized type states its parameters itself, unless an annotation says more.
std::optional<ExchangeParameters> beside_type(const std::map<ValueId, TensorParameters>& known, const Program& program, ValueId id, const Tensor& tensor) {
  const auto found = known.find(id);
  if (found == known.end()) return std::nullopt;
  const TensorParameters& parameters = found->second;
  const std::optional<QuantizedType>& stated = tensor.type().quantized;
  if (stated && program.values[static_cast<std::size_t>(id)].quantize_info.empty()) return std::nullopt;
  if (!check_quantized_type(parameters.type, tensor.shape(), "")) return std::nullopt;
  return ExchangeParameters{parameters.tensor, parameters.type, parameters.from};
}

constexpr std::int64_t most_written = 4096;  // elements of a constant that stands in the text; others go into the file as they are

ExchangeCase request_of(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected,
                        const std::vector<Tensor>* known_inputs) {
  ExchangeCase request;
  Program program = typed_program(test.program, expected);
  request.id = test.id;
  if (program.operations.size() == 1) {
    request.op = program.operations[0].op;
    request.attributes = program.operations[0].attributes;
    request.version = program.operations[0].version;
  }
  request.program = print_mlir(program, most_written, request.constants);
  take_printed_names(program);
  const std::map<ValueId, TensorParameters> known = known_parameters(library, program, known_inputs);
  request.profile = changed_profile_text({library, profile});
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    ExchangeTensor input;
    input.name = program.values[static_cast<std::size_t>(program.inputs[i])].name;
    input.tensor = test.inputs[i];
    input.operand = operand_name(library, program, program.inputs[i]);
    input.parameters = beside_type(known, program, program.inputs[i], input.tensor);
    request.inputs.push_back(std::move(input));
  }
  // Outputs are declared: name, type and shape, so that an adapter need not infer them and its answer can be checked.
  for (std::size_t i = 0; i < expected.size() && i < program.outputs.size(); ++i) {
    ExchangeTensor output;
    output.name = program.values[static_cast<std::size_t>(program.outputs[i])].name;
    if (auto zeros = Tensor::zeros(expected[i].tensor.type())) output.tensor = std::move(*zeros);
    output.parameters = beside_type(known, program, program.outputs[i], output.tensor);
    request.outputs.push_back(std::move(output));
  }
  return request;
}

}  // namespace

ExchangeCase to_request(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected) {
  return request_of(library, test, profile, expected, &test.inputs);
}

ExchangeCase to_golden(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected) {
  // Parameters that are inputs of the case lie in the file as such. Their operand's name is a page's: one that is renamed must not move files.
  ExchangeCase golden = request_of(library, test, profile, expected, nullptr);
  for (ExchangeTensor& input : golden.inputs) input.operand.clear();
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
