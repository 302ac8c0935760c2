// SPDX-License-Identifier: Apache-2.0
// The allow-list: what is not here stays in real space.
#include "testsuite/quantize/operators.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

OperatorRule contraction(const char* op, std::optional<std::size_t> bias) { return {op, OperatorKind::contraction, {0}, false, 1, bias, {}, false}; }
OperatorRule function(const char* op, std::vector<std::size_t> data, const char* on_codes = "") {
  return {op, OperatorKind::function, std::move(data), false, {}, {}, on_codes, false};
}
OperatorRule region(const char* op) { return {op, OperatorKind::region, {0}, false, {}, {}, {}, false}; }

std::vector<OperatorRule> all_rules() {
  std::vector<OperatorRule> rules{
      contraction("onnx.Conv", 2),
      contraction("onnx.Gemm", 2),
      contraction("onnx.MatMul", std::nullopt),
      function("onnx.Add", {0, 1}, "microsoft.QLinearAdd"),
      function("onnx.Mul", {0, 1}, "microsoft.QLinearMul"),
      function("onnx.Sub", {0, 1}),
      function("onnx.Div", {0}),
      function("onnx.LeakyRelu", {0}, "microsoft.QLinearLeakyRelu"),
      function("onnx.Sigmoid", {0}, "microsoft.QLinearSigmoid"),
      function("onnx.HardSigmoid", {0}),
      function("onnx.HardSwish", {0}),
      function("onnx.Tanh", {0}),
      function("onnx.AveragePool", {0}, "microsoft.QLinearAveragePool"),
      function("onnx.GlobalAveragePool", {0}, "microsoft.QLinearGlobalAveragePool"),
      function("onnx.ReduceMean", {0}),
  };
  OperatorRule concat = function("onnx.Concat", {}, "microsoft.QLinearConcat");
  concat.all_data = true;
  rules.push_back(concat);
  OperatorRule split = region("onnx.Split");
  split.results_alike = true;
  rules.push_back(split);
  for (const char* op : {"stablehlo.dot_general", "stablehlo.convolution"}) rules.push_back(contraction(op, std::nullopt));
  for (const char* op : {"stablehlo.add", "stablehlo.subtract", "stablehlo.multiply"}) rules.push_back(function(op, {0, 1}));
  OperatorRule concatenate = function("stablehlo.concatenate", {});
  concatenate.all_data = true;
  rules.push_back(concatenate);
  for (const char* op : {"stablehlo.maximum", "stablehlo.minimum", "stablehlo.reshape", "stablehlo.transpose", "stablehlo.pad", "stablehlo.reduce_window",
                         "stablehlo.slice", "stablehlo.broadcast_in_dim"})
    rules.push_back(region(op));
  OperatorRule clamp = region("stablehlo.clamp");
  clamp.data = {1};
  rules.push_back(clamp);
  for (const char* op : {"onnx.Relu",    "onnx.Clip",    "onnx.MaxPool",   "onnx.GlobalMaxPool", "onnx.ReduceMax",    "onnx.ReduceMin",   "onnx.Identity",
                         "onnx.Reshape", "onnx.Flatten", "onnx.Transpose", "onnx.Squeeze",       "onnx.Unsqueeze",    "onnx.Pad",         "onnx.Resize",
                         "onnx.Slice",   "onnx.Gather",  "onnx.Expand",    "onnx.Tile",          "onnx.DepthToSpace", "onnx.SpaceToDepth"})
    rules.push_back(region(op));
  return rules;
}

}  // namespace

const OperatorRule* find_operator_rule(const std::string& op) {
  static const std::vector<OperatorRule> rules = all_rules();
  const auto found = std::ranges::find(rules, op, &OperatorRule::op);
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace tiebreak
