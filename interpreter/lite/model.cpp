// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/model.hpp"

#include <fmt/core.h>

#include "interpreter/lite/operators.hpp"

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
  const std::string_view word = builtin_word(static_cast<int>(builtin));
  return word.empty() ? "OPERATOR " + std::to_string(static_cast<int>(builtin)) : std::string(word);
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
