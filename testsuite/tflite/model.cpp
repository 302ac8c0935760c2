// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/model.hpp"

#include <fmt/core.h>

#include "testsuite/tflite/operator_forms.hpp"

namespace tiebreak::tflite {
namespace {

std::string tensor_text(const ModelTensor& tensor) {
  std::string text = tensor.name + " " + tensor.type.element.name() + to_text(tensor.type.shape);
  if (!tensor.quantization) return text;
  const Quantization& parameters = *tensor.quantization;
  if (parameters.scales.size() > 1) return text + " scale per axis " + std::to_string(parameters.axis);
  return text + fmt::format(" scale {} zero point {}", parameters.scales[0], parameters.zero_points[0]);
}

std::string list_text(const Model& model, const std::vector<int>& indices) {
  std::string text;
  for (int index : indices) text += (text.empty() ? "" : ", ") + (index < 0 ? "none" : tensor_text(model.tensors[static_cast<std::size_t>(index)]));
  return text;
}

}  // namespace

std::string to_word(Builtin builtin) {
  if (builtin == Builtin::cast) return "CAST";
  if (builtin == Builtin::bitcast) return "BITCAST";
  for (const OperatorForm& form : operator_forms()) {
    if (form.builtin == builtin) return std::string(form.word);
  }
  return "OPERATOR " + std::to_string(static_cast<int>(builtin));
}

int Model::add(ModelTensor tensor) {
  tensors.push_back(std::move(tensor));
  return static_cast<int>(tensors.size()) - 1;
}

std::string model_text(const Model& model) {
  std::string text;
  for (const ModelOperator& entry : model.operators) {
    text += fmt::format("{} v{} ({}) -> {}\n", to_word(entry.builtin), entry.version, list_text(model, entry.inputs), list_text(model, entry.outputs));
  }
  return text;
}

}  // namespace tiebreak::tflite
