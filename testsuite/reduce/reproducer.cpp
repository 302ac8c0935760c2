// SPDX-License-Identifier: Apache-2.0
#include "testsuite/reduce/reproducer.hpp"

#include <algorithm>

#include "interpreter/program/onnx_tensor_file.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/text/value_text.hpp"
#include "testsuite/tflite/script.hpp"

namespace tiebreak {
namespace {

std::string text_of_bytes(const std::vector<std::byte>& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string hex(std::span<const std::byte> bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4];
    text += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

/// Lines of a Python string that stay readable.
std::string python_bytes(const std::string& hex_text) {
  constexpr std::size_t width = 100;
  std::string lines;
  for (std::size_t at = 0; at < hex_text.size(); at += width) lines += "\n    \"" + hex_text.substr(at, width) + "\"";
  return "bytes.fromhex(" + (lines.empty() ? "\"\"" : lines) + ")";
}

/// NumPy's own types only: the rest would need further packages.
std::string numpy_type(const ElementType& type) {
  const std::string name = type.name();
  const std::map<std::string, std::string> known{{"f16", "<f2"}, {"f32", "<f4"}, {"f64", "<f8"}, {"i8", "<i1"},  {"u8", "<u1"},  {"i16", "<i2"},
                                                 {"u16", "<u2"}, {"i32", "<i4"}, {"u32", "<u4"}, {"i64", "<i8"}, {"u64", "<u8"}, {"bool", "?"}};
  auto found = known.find(name);
  return found == known.end() ? "" : found->second;
}

std::string tensor_or_type_text(const Tensor& tensor) {
  constexpr std::int64_t most = 64;
  return tensor.size() <= most ? tensor_text(tensor) + " : " + to_text(tensor.type()) : to_text(tensor.type());
}

/// `# y = 1 by profile onnx; the backend gives 2`, with the comment sign of the language.
std::string verdict_lines(const Reduced& reduced, const std::string& profile, const std::string& sign) {
  const Program& program = reduced.test.program;
  std::string text;
  for (std::size_t i = 0; i < reduced.test.inputs.size(); ++i)
    text += sign + bare_name(program, program.inputs[i]) + " = " + tensor_or_type_text(reduced.test.inputs[i]) + "\n";
  for (std::size_t i = 0; i < reduced.expected.size() && i < program.outputs.size(); ++i) {
    text += sign + bare_name(program, program.outputs[i]) + " must be " + tensor_or_type_text(reduced.expected[i].tensor) + " by profile " + profile + "\n";
    if (i < reduced.actual.size()) text += sign + "    and was " + tensor_or_type_text(reduced.actual[i].tensor) + "\n";
  }
  if (reduced.actual.empty()) text += sign + reduced.report.reason + "\n";
  return text;
}

/// Types of results are stated, as in what the backend was asked.
Program typed_program(const Reduced& reduced) {
  Program program = reduced.test.program;
  for (std::size_t i = 0; i < reduced.expected.size() && i < program.outputs.size(); ++i) {
    ProgramValue& value = program.values[static_cast<std::size_t>(program.outputs[i])];
    if (!value.type) value.type = reduced.expected[i].tensor.type();
  }
  return program;
}

/// "" where NumPy has not the types.
std::string python_script(const Reduced& reduced, const Program& program, const std::string& model, const std::string& profile) {
  std::string text = "# Needs: onnxruntime, numpy.\n" + verdict_lines(reduced, profile, "# ") +
                     "import numpy\nimport onnxruntime\n\nmodel = " + python_bytes(hex(std::as_bytes(std::span(model)))) + "\ninputs = {\n";
  for (std::size_t i = 0; i < reduced.test.inputs.size(); ++i) {
    const Tensor& input = reduced.test.inputs[i];
    std::string type = numpy_type(input.element()), shape;
    if (type.empty()) return "";
    for (std::int64_t extent : input.shape()) shape += std::to_string(extent) + ", ";
    text += "    \"" + program.values[static_cast<std::size_t>(program.inputs[i])].name + "\": numpy.frombuffer(bytes.fromhex(\"" + hex(input.bytes()) +
            "\"), dtype=\"" + type + "\").reshape((" + (shape.empty() ? "" : shape.substr(0, shape.size() - 1)) + ")),\n";
  }
  text +=
      "}\nsession = onnxruntime.InferenceSession(model, providers=[\"CPUExecutionProvider\"])\n"
      "print(\"onnxruntime\", onnxruntime.__version__)\n"
      "for output, value in zip(session.get_outputs(), session.run(None, inputs)):\n    print(output.name, value.tolist())\n";
  for (std::size_t i = 0; i < reduced.expected.size() && i < program.outputs.size(); ++i)
    text += "print(\"expected " + program.values[static_cast<std::size_t>(program.outputs[i])].name + " " +
            tensor_text(reduced.expected[i].tensor, reduced.expected[i].undefined) + "\")\n";
  return text;
}

Result<Reproducer> onnx_reproducer(const Reduced& reduced, const std::string& profile) {
  const Program program = typed_program(reduced);
  TIEBREAK_TRY(model_bytes, write_onnx_model(program));
  Reproducer found{"onnx", "", {}};
  const std::string model = text_of_bytes(model_bytes);
  found.files["model.onnx"] = model;
  for (std::size_t i = 0; i < reduced.test.inputs.size(); ++i) {
    TIEBREAK_TRY(bytes, write_onnx_tensor(reduced.test.inputs[i], program.values[static_cast<std::size_t>(program.inputs[i])].name));
    found.files["test_data_set_0/input_" + std::to_string(i) + ".pb"] = text_of_bytes(bytes);
  }
  for (std::size_t i = 0; i < reduced.expected.size() && i < program.outputs.size(); ++i) {
    TIEBREAK_TRY(bytes, write_onnx_tensor(reduced.expected[i].tensor, program.values[static_cast<std::size_t>(program.outputs[i])].name));
    found.files["test_data_set_0/output_" + std::to_string(i) + ".pb"] = text_of_bytes(bytes);
  }
  if (std::string script = python_script(reduced, program, model, profile); !script.empty()) {
    found.main_file = "reproduce.py";
    found.files[found.main_file] = std::move(script);
  }
  return found;
}

/// Inputs as constants; those of quantized types come in as codes, since a constant has no such type.
Program with_constants(const Reduced& reduced) {
  Program program = typed_program(reduced);
  program.name = "main";
  std::vector<Operation> casts;
  for (std::size_t i = 0; i < reduced.test.inputs.size(); ++i) {
    auto id = static_cast<std::size_t>(program.inputs[i]);
    Tensor codes = reduced.test.inputs[i];
    bool is_quantized = codes.type().quantized.has_value();
    codes.set_type({codes.element(), codes.shape(), std::nullopt});
    if (!is_quantized) {
      program.values[id].constant = std::move(codes);
      continue;
    }
    Operation cast;
    cast.op = "stablehlo.bitcast_convert";
    cast.operands = {static_cast<ValueId>(program.values.size())};
    cast.results = {program.inputs[i]};
    program.values.push_back({bare_name(program.values[id].name) + "_codes", codes.type(), codes});
    casts.push_back(std::move(cast));
  }
  program.inputs.clear();
  program.operations.insert(program.operations.begin(), casts.begin(), casts.end());
  return program;
}

/// The one op of the program with its operands, constants among them.
Result<tflite::OpCall> call_of(const Reduced& reduced, const Program& program) {
  if (program.operations.size() != 1 || program.outputs.size() != 1) return fail(Errc::unsupported, "only one operation becomes a TensorFlow Lite model");
  const Operation& operation = program.operations[0];
  tflite::OpCall call{operation.op, operation.attributes, {}, *program.values[static_cast<std::size_t>(program.outputs[0])].type};
  for (ValueId id : operation.operands) {
    const auto input = std::ranges::find(program.inputs, id);
    if (id < 0) call.operands.emplace_back();
    else if (input != program.inputs.end()) call.operands.emplace_back(reduced.test.inputs[static_cast<std::size_t>(input - program.inputs.begin())]);
    else call.operands.push_back(program.values[static_cast<std::size_t>(id)].constant);
  }
  return call;
}

Result<Reproducer> tflite_reproducer(const Reduced& reduced, const std::string& profile, const tflite::Details& details) {
  const Program program = typed_program(reduced);
  TIEBREAK_TRY(call, call_of(reduced, program));
  TIEBREAK_TRY(lowered, tflite::lower(call, tflite::options_of(details)));
  TIEBREAK_TRY(model, tflite::write_model(lowered.model));
  TIEBREAK_TRY(script, tflite::node_script(lowered, details, verdict_lines(reduced, profile, "// ")));
  Reproducer found{"tflite", "reproduce.mjs", {{"model.tflite", text_of_bytes(model)}, {"reproduce.mjs", script}}};
  for (std::size_t i = 0; i < lowered.inputs.size(); ++i) {
    const auto bytes = lowered.inputs[i].bytes();
    found.files["input_" + std::to_string(i) + ".bin"] = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  return found;
}

}  // namespace

Result<Reproducer> reproducer_of(const Reduced& reduced, const std::string& profile, const std::map<std::string, std::string>& backend_details) {
  if (tflite::is_tflite(backend_details)) return tflite_reproducer(reduced, profile, backend_details);
  bool is_onnx = std::ranges::all_of(reduced.test.program.operations,
                                     [](const Operation& operation) { return operation.op.starts_with("onnx.") || operation.op.starts_with("microsoft."); });
  if (is_onnx) return onnx_reproducer(reduced, profile);
  std::string text = verdict_lines(reduced, profile, "// ");
  if (std::ranges::all_of(reduced.test.program.operations, [](const Operation& operation) { return operation.op.starts_with("stablehlo."); }))
    text += "// Run: stablehlo-translate --interpret program.mlir\n";
  return Reproducer{"mlir", "program.mlir", {{"program.mlir", text + print_mlir(with_constants(reduced))}}};
}

}  // namespace tiebreak
