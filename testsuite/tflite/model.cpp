// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/model.hpp"

#include <fmt/core.h>

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
  for (int index : indices) text += (text.empty() ? "" : ", ") + tensor_text(model.tensors[static_cast<std::size_t>(index)]);
  return text;
}

}  // namespace

std::string to_word(Builtin builtin) {
  switch (builtin) {
    case Builtin::add: return "ADD";
    case Builtin::average_pool_2d: return "AVERAGE_POOL_2D";
    case Builtin::conv_2d: return "CONV_2D";
    case Builtin::depthwise_conv_2d: return "DEPTHWISE_CONV_2D";
    case Builtin::dequantize: return "DEQUANTIZE";
    case Builtin::fully_connected: return "FULLY_CONNECTED";
    case Builtin::max_pool_2d: return "MAX_POOL_2D";
    case Builtin::mul: return "MUL";
    case Builtin::quantize: break;
  }
  return "QUANTIZE";
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
