// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/lower.hpp"

#include "testsuite/tflite/graph.hpp"
#include "testsuite/tflite/operator_forms.hpp"

namespace tiebreak::tflite {
namespace {

constexpr const char* family = "tflite.";

using Lowering = Result<Lowered> (*)(const OpCall&, const LowerOptions&);

const std::vector<std::pair<std::string, Lowering>>& lowerings() {
  static const std::vector<std::pair<std::string, Lowering>> all{{"hybrid.convolution", lower_hybrid_convolution},
                                                                 {"hybrid.dot_general", lower_hybrid_product},
                                                                 {"onnx.DequantizeLinear", lower_dequantize},
                                                                 {"onnx.MaxPool", lower_max_pool},
                                                                 {"onnx.QLinearConv", lower_convolution},
                                                                 {"onnx.QLinearMatMul", lower_matmul},
                                                                 {"onnx.QuantizeLinear", lower_quantize},
                                                                 {"qnn.avg_pool2d", lower_average_pool},
                                                                 {"quant.add", lower_binary},
                                                                 {"quant.mul", lower_binary},
                                                                 {"quant.requantize", lower_requantize}};
  return all;
}

}  // namespace

const std::vector<std::string>& lowered_ops() {
  static const std::vector<std::string> ops = [] {
    std::vector<std::string> names;
    for (const auto& [op, lowering] : lowerings()) names.push_back(op);
    for (const OperatorForm& form : operator_forms()) names.push_back(family + std::string(form.word));
    return names;
  }();
  return ops;
}

Result<Lowered> lower(const OpCall& call, const LowerOptions& options) {
  for (const auto& [op, lowering] : lowerings()) {
    if (op == call.op) return lowering(call, options);
  }
  if (call.op.starts_with(family)) return lower_operator(call, options);
  return fail(Errc::unsupported, "TensorFlow Lite has no operator for " + call.op);
}

}  // namespace tiebreak::tflite
