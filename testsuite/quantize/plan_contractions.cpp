// SPDX-License-Identifier: Apache-2.0
// Contractions: operands, weights, biases and accumulators of products.
#include "testsuite/quantize/planner.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

CodeFormat weight_codes(const NodeRecipe& recipe) {
  return {.storage = recipe.weights, .narrow = recipe.weights_narrow, .symmetric = recipe.weights_symmetric};
}

}  // namespace

Status Planner::place_contraction(const Operation& operation, OperationPlan& made) {
  const ValueId weight = operation.operands.size() > 1 ? operation.operands[1] : -1;
  if (weight < 0 || value(operation.operands[0]).constant) return leave(made, "its first operand is a constant");
  if (operation.op == "onnx.Gemm" && !is_plain_gemm(operation)) return leave(made, "alpha, beta or transA is not the default");
  if (!made.recipe.dynamic) {
    TIEBREAK_TRY(reason, data_operand(operation.operands[0], made.recipe));
    if (!reason.empty()) return leave(made, reason);
  }
  if (value(weight).constant) {
    if (!is_f32(value(weight)) || value(weight).constant->shape().size() < 2) return leave(made, "its weights are no f32 matrix");
    TIEBREAK_CHECK(take_weights(operation, made));
  } else {
    if (operation.op != "onnx.MatMul" || made.recipe.dynamic) return leave(made, "its weights are no constant");
    TIEBREAK_TRY(reason, data_operand(weight, made.recipe));
    if (!reason.empty()) return leave(made, reason);
  }
  const ValueId bias = operation.operands.size() > 2 ? operation.operands[2] : -1;
  if (bias >= 0 && (!is_f32(value(bias)) || value(bias).constant->shape().size() != 1)) return leave(made, "its bias is no f32 constant of one dimension");
  made.placement = made.recipe.dynamic ? Placement::dynamic : Placement::quantized;
  if (made.recipe.dynamic) type(operation.results[0]).reset();
  if (type(operation.results[0]) && !type(operation.results[0])->is_per_tensor()) return leave(made, "its result has parameters along an axis");
  code(operation.results[0]);
  return {};
}

bool Planner::is_plain_gemm(const Operation& operation) {
  const auto is = [&](const char* key, std::int64_t wanted) {
    const auto found = operation.attributes.find(key);
    return found == operation.attributes.end() || found->second.as_integer() == wanted;
  };
  return is("alpha", 1) && is("beta", 1) && is("transA", 0);
}

Status Planner::take_weights(const Operation& operation, OperationPlan& made) {
  const Tensor& constant = *value(operation.operands[1]).constant;
  const auto rank = static_cast<int>(constant.shape().size());
  const auto turned = operation.attributes.find("transB");
  const bool out_first = operation.op == "onnx.Conv" || (turned != operation.attributes.end() && turned->second.as_integer() == 1);
  const int channel = out_first ? 0 : rank - 1;
  const int summed = out_first ? 1 : rank - 2;
  std::vector<QuantizedDimension> dimensions;
  if (made.recipe.granularity == WeightGranularity::axis) dimensions = {{channel, 1}};
  if (made.recipe.granularity == WeightGranularity::block) {
    for (int axis = 0; axis < rank; ++axis) dimensions.push_back({axis, axis == summed ? made.recipe.block : 1});
  }
  TIEBREAK_TRY(derived, parameters_of_constant(semantics_, constant, weight_codes(made.recipe), std::move(dimensions), operation.where));
  made.weights = std::move(derived);
  return {};
}

Status Planner::place_product(const Operation& operation, OperationPlan& made) {
  const ValueId x = operation.operands[0], w = operation.operands[1], y = operation.results[0];
  if (value(x).constant || !is_f32(value(w))) return leave(made, "its weights are no f32 constant");
  if (!value(x).type || !value(y).type) return leave(made, "its shape is not known");
  if (made.recipe.dynamic || made.recipe.granularity == WeightGranularity::block) return leave(made, "StableHLO has no dynamic parameters and no blocks here");
  TIEBREAK_TRY(reason, data_operand(x, made.recipe));
  if (!reason.empty()) return leave(made, reason);
  std::vector<QuantizedDimension> dimensions;
  if (made.recipe.granularity == WeightGranularity::axis) {
    const int channel = output_channel(operation, made);
    if (channel < 0) return leave(made, "its weights have no one axis of output channels");
    dimensions = {{channel, 1}};
  }
  TIEBREAK_TRY(derived, parameters_of_constant(semantics_, *value(w).constant, weight_codes(made.recipe), std::move(dimensions), operation.where));
  if (has_zero_point(derived)) return leave(made, "StableHLO wants weights with zero point 0");
  if (!(derived.storage == type(x)->storage)) return leave(made, "StableHLO wants codes and weight codes of one type");
  made.weights = std::move(derived);
  if (type(y) && !type(y)->is_per_tensor()) return leave(made, "its result has parameters along an axis");
  if (!type(y)) TIEBREAK_CHECK(take_accumulator(operation, made));
  made.placement = Placement::quantized;
  code(y);
  return {};
}

Status Planner::take_accumulator(const Operation& operation, const OperationPlan& made) {
  const ValueId x = operation.operands[0], y = operation.results[0];
  TIEBREAK_TRY(scales, product_scales(semantics_, *type(x), *made.weights, operation.where));
  const ElementType i32 = IntegerFormat{true, 32};
  QuantizedType sum{i32, i32.min(), i32.max(), f32_type(), {}, {}, {}, {}};
  if (!made.weights->is_per_tensor()) {
    sum.dimensions = {{made.result_axis, 1}};
    sum.parameter_shape = {static_cast<std::int64_t>(scales.size())};
  }
  for (const Real& scale : scales) {
    sum.scales.push_back({scale});
    sum.zero_points.push_back({Real(0)});
  }
  type(y) = std::move(sum);
  plan_.from[static_cast<std::size_t>(y)] = "accumulator: " + name(x) + " * " + name(operation.operands[1]);
  return {};
}

int Planner::output_channel(const Operation& operation, OperationPlan& made) const {
  const auto number_at = [&](const char* key) {
    const auto found = operation.attributes.find(key);
    return found == operation.attributes.end() ? -1 : static_cast<int>(found->second.as_integer().value_or(-1));
  };
  if (operation.op == "stablehlo.convolution") {
    made.result_axis = number_at("output_feature_dimension");
    return made.result_axis < 0 ? -1 : number_at("kernel_output_feature_dimension");
  }
  std::vector<std::int64_t> taken;
  for (const char* key : {"rhs_batching_dimensions", "rhs_contracting_dimensions"}) {
    const auto found = operation.attributes.find(key);
    const auto numbers = found == operation.attributes.end() ? std::nullopt : found->second.as_integers();
    if (numbers) taken.insert(taken.end(), numbers->begin(), numbers->end());
  }
  const auto rank = static_cast<int>(value(operation.operands[1]).constant->shape().size());
  if (static_cast<int>(taken.size()) + 1 != rank) return -1;
  int channel = 0;
  while (std::ranges::find(taken, channel) != taken.end()) ++channel;
  made.result_axis = static_cast<int>(value(operation.results[0]).type->shape.size()) - 1;
  return channel;
}

void Planner::take_bias(const Operation& operation) {
  if (operation.op != "stablehlo.add") return;
  for (std::size_t i = 0; i < 2; ++i) {
    const ValueId sum = operation.operands[i], bias = operation.operands[1 - i];
    if (!type(sum) || type(sum)->storage.bits() != 32 || !type(sum)->is_per_tensor() || !is_f32(value(bias)) || type(bias)) continue;
    type(bias) = type(sum);
    plan_.from[static_cast<std::size_t>(bias)] = "bias" + plan_.from[static_cast<std::size_t>(sum)].substr(11);
  }
}

}  // namespace tiebreak
