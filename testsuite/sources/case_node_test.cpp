// SPDX-License-Identifier: Apache-2.0
// ONNX node tests: a folder with model.onnx and test_data_set_N/{input,output}_K.pb. One case a data set. The outputs that lie
// there are an expectation of the model's author, not of a profile.
#include <algorithm>

#include "interpreter/lite/lite.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

std::vector<fs::path> data_sets(const fs::path& folder) {
  std::vector<fs::path> sets;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && entry.path().filename().string().starts_with("test_data_set_")) sets.push_back(entry.path());
  }
  std::sort(sets.begin(), sets.end(), [](const fs::path& a, const fs::path& b) {
    std::string left = a.filename().string(), right = b.filename().string();
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  });
  return sets;
}

Result<std::vector<Tensor>> read_tensors(const fs::path& set, const std::string& prefix) {
  std::vector<Tensor> tensors;
  for (std::size_t i = 0;; ++i) {
    fs::path path = set / (prefix + std::to_string(i) + ".pb");
    std::error_code error;
    if (!fs::exists(path, error)) return tensors;
    TIEBREAK_TRY(tensor, read_onnx_tensor_file(path.string()));
    tensors.push_back(std::move(tensor));
  }
}

/// Files made before TensorProto had a way to say bf16 and the like hold the bits as unsigned integers of the same width.
Tensor with_model_type(Tensor tensor, const std::optional<TensorType>& type) {
  bool bits = type && type->element.is_float() && tensor.element().is_integer() && !tensor.element().integer().is_signed;
  if (!bits || tensor.element().bits() != type->element.bits() || tensor.shape() != type->shape) return tensor;
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  Result<Tensor> read = Tensor::from_bytes(*type, std::move(bytes), "");
  return read ? *std::move(read) : tensor;
}

Status read_data_set(const fs::path& set, Case& test) {
  TIEBREAK_TRY(inputs, read_tensors(set, "input_"));
  if (inputs.size() != test.program.inputs.size()) {
    return fail(Errc::type, "the model has " + std::to_string(test.program.inputs.size()) + " inputs, the data set " + std::to_string(inputs.size()),
                set.string());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ProgramValue& value = test.program.values[static_cast<std::size_t>(test.program.inputs[i])];
    inputs[i] = with_model_type(std::move(inputs[i]), value.type);
    if (value.type && !same_type(*value.type, inputs[i].type())) {
      return fail(Errc::type, "input '" + value.name + "' is " + to_text(*value.type) + " in the model and " + to_text(inputs[i].type()) + " in the data set",
                  (set / ("input_" + std::to_string(i) + ".pb")).string());
    }
  }
  TIEBREAK_TRY(outputs, read_tensors(set, "output_"));
  if (!outputs.empty() && outputs.size() != test.program.outputs.size()) {
    return fail(Errc::type, "the model has " + std::to_string(test.program.outputs.size()) + " outputs, the data set " + std::to_string(outputs.size()),
                set.string());
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = with_model_type(std::move(outputs[i]), test.program.values[static_cast<std::size_t>(test.program.outputs[i])].type);
  }
  test.inputs = std::move(inputs);
  if (!outputs.empty()) test.literals[""] = std::move(outputs);
  return {};
}

}  // namespace

bool is_node_test(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "model.onnx", error);
}

std::string model_path(const std::string& word) {
  std::error_code error;
  return fs::is_directory(word, error) ? (fs::path(word) / "model.onnx").string() : word;
}

bool is_model(const std::string& source) {
  std::error_code error;
  const std::filesystem::path path(source);
  return ((path.extension() == ".onnx" || is_tflite_path(source)) && std::filesystem::is_regular_file(path, error)) ||
         (std::filesystem::is_directory(path, error) && is_node_test(path));
}

Result<CaseList> read_node_test(const fs::path& folder, const CaseFilter& wanted, bool one_of_many) {
  std::vector<fs::path> sets = data_sets(folder);
  if (sets.empty()) return fail(Errc::io, "a model without inputs: no test_data_set_* beside model.onnx", folder.string());
  std::string name = id_part(fs::weakly_canonical(folder).filename().string());
  Result<Program> program = read_onnx_file((folder / "model.onnx").string());
  CaseList cases;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Case test;
    test.source = folder.string();
    test.id = (program ? op_names(*program) : "onnx") + "/" + name + (i == 0 ? "" : "/" + std::to_string(i));
    if (!is_wanted(wanted, test.id)) continue;
    Status status{};
    if (program) {
      test.program = *program;
      status = read_data_set(sets[i], test);
    } else {
      status = tl::unexpected<Error>(program.error());
    }
    // A test that cannot be read is one of many in a folder of node tests: it is counted with its reason, and the others run.
    bool beyond = !status && (status.error().code == Errc::unsupported || status.error().code == Errc::unknown_name);
    if (!status && !beyond && !one_of_many) return tl::unexpected<Error>(status.error());
    if (!status) test.unusable = status.error();
    cases.push_back(std::move(test));
  }
  return cases;
}

}  // namespace tiebreak
