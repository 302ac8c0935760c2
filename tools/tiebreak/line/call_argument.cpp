// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/call_argument.hpp"

#include <algorithm>
#include <filesystem>

#include "interpreter/hint.hpp"
#include "interpreter/lite/lite.hpp"
#include "interpreter/relay/relay.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/sources/program_text.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/tensor_argument.hpp"

namespace tiebreak::command {
namespace {

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

/// Codes without parameters get those of the input's type.
Tensor with_parameters(Tensor tensor, const std::optional<TensorType>& type) {
  if (type && type->quantized && !tensor.type().quantized && tensor.element() == type->element)
    tensor.set_type({tensor.element(), tensor.shape(), type->quantized});
  return tensor;
}

/// A program from a file, its inputs from the command line.
Result<Case> program_case(const std::string& path, const CallText& call) {
  Case test;
  test.source = path;
  test.id = path;
  TIEBREAK_TRY(program, read_program(path));
  test.program = std::move(program);
  std::vector<NamedTensor> given;
  for (const std::string& input : call.inputs) {
    TIEBREAK_TRY(tensor, parse_tensor_argument(input));
    given.push_back(std::move(tensor));
  }
  std::vector<std::string> known;
  for (ValueId id : test.program.inputs) {
    std::string name = test.program.values[static_cast<std::size_t>(id)].name;
    if (name.starts_with("%")) name = name.substr(1);
    known.push_back(name);
    const NamedTensor* found = nullptr;
    for (const NamedTensor& tensor : given) found = tensor.name == name ? &tensor : found;
    if (found == nullptr) return fail(Errc::usage, "input '" + name + "' has no value", path, "--input " + name + "=VALUE:TYPE");
    test.inputs.push_back(with_parameters(found->tensor, test.program.values[static_cast<std::size_t>(id)].type));
  }
  for (const NamedTensor& tensor : given) {
    if (std::find(known.begin(), known.end(), tensor.name) != known.end()) continue;
    std::string near = nearest(tensor.name, known);
    return fail(Errc::unknown_name, "the program has no input '" + tensor.name + "'", path, near.empty() ? "" : "did you mean '" + near + "'?");
  }
  return test;
}

Result<Case> op_case(const Library& library, const std::string& op, const CallText& call) {
  OpInputs made{op, {}, {}, {}, 0, op};
  for (const std::string& input : call.inputs) {
    TIEBREAK_TRY(tensor, parse_tensor_argument(input));
    made.inputs.push_back(std::move(tensor));
  }
  for (const std::string& attribute : call.attributes) {
    TIEBREAK_TRY(parsed, parse_attribute_argument(attribute));
    made.attributes[parsed.first] = parsed.second;
  }
  for (const std::string& result : call.results) {
    TIEBREAK_TRY(type, parse_tensor_type(result, "--result"));
    made.result_types.push_back(type);
  }
  if (!call.version.empty()) {
    TIEBREAK_TRY(version, parse_count(call.version, "--op-version"));
    made.version = static_cast<int>(std::min<std::uint64_t>(version, 1000000));
  }
  Case test;
  test.id = op;
  TIEBREAK_CHECK(build_op_case(library, std::move(made), test));
  return test;
}

}  // namespace

void add_call(Verb& app, CallText& call) {
  app.add_option("--input", call.inputs, "NAME=VALUE:TYPE, for each operand of the op or input of the program")->type_name("NAME=VALUE:TYPE");
  app.add_option("--attribute", call.attributes, "NAME=VALUE of the op; may be repeated")->type_name("NAME=VALUE");
  app.add_option("--result", call.results, "type of a result that the op leaves open: tensor<2xi8>; may be repeated")->type_name("TYPE");
  app.add_option("--op-version", call.version, "opset or dialect version of the op (default: the newest)")->type_name("N");
}

Result<Program> read_program(const std::string& word) {
  const std::size_t at = is_file(word) ? std::string::npos : word.rfind('@');
  const std::string path = word.substr(0, at), wanted = at == std::string::npos ? "" : word.substr(at + 1);
  if (path.ends_with(".onnx") || is_tflite_path(path)) return read_model_file(path);
  TIEBREAK_TRY(read, read_program_text(path, stop_on_interrupt()));
  TIEBREAK_TRY(parsed, parse_program(read.text, read.place));
  std::vector<std::string> names;
  for (Program& function : parsed.functions) {
    names.push_back(function.name);
    if (function.name == wanted || (wanted.empty() && parsed.functions.size() == 1)) return std::move(function);
  }
  if (!wanted.empty()) return fail(Errc::unknown_name, "the file has no function '" + wanted + "'", path, did_you_mean(wanted, names));
  return fail(Errc::usage, "the file has " + std::to_string(parsed.functions.size()) + " functions, not one", path, path + "@FUNCTION names one");
}

Result<Case> call_case(const Library& library, const std::string& source, const CallText& call) {
  const bool program = is_file(source) || is_file(source.substr(0, source.rfind('@')));
  return program ? program_case(source, call) : op_case(library, source, call);
}

}  // namespace tiebreak::command
