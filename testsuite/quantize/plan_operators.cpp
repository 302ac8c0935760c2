// SPDX-License-Identifier: Apache-2.0
// Functions of real numbers, and operators that run on the codes of their operand.
#include "testsuite/quantize/planner.hpp"

#include <algorithm>

namespace tiebreak {

Status Planner::place_function(const Operation& operation, OperationPlan& made) {
  if (made.recipe.bias_in_accumulator) take_bias(operation);
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    if (!made.rule->all_data && std::ranges::find(made.rule->data, i) == made.rule->data.end()) continue;
    TIEBREAK_TRY(reason, data_operand(operation.operands[i], made.recipe));
    if (!reason.empty()) return leave(made, reason);
  }
  if (!type(operation.results[0])) return leave(made, "no parameters for '" + name(operation.results[0]) + "'");
  if (!type(operation.results[0])->is_per_tensor()) return leave(made, "its result has parameters along an axis");
  made.placement = Placement::quantized;
  code(operation.results[0]);
  return {};
}

Status Planner::place_region(const Operation& operation, OperationPlan& made) {
  const ValueId x = operation.operands[made.rule->data[0]];
  if (!plan_.coded[static_cast<std::size_t>(x)]) return leave(made, "'" + name(x) + "' is in real space");
  if (const std::string reason = region_condition(operation, made.rule->data[0]); !reason.empty()) return leave(made, reason);
  const std::size_t alike = made.rule->results_alike ? operation.results.size() : 1;
  for (std::size_t r = 0; r < alike; ++r) {
    const ValueId y = operation.results[r];
    type(y) = type(x);
    plan_.from[static_cast<std::size_t>(y)] = "same as: " + name(x);
    code(y);
  }
  made.placement = Placement::region;
  return {};
}

std::string Planner::region_condition(const Operation& operation, std::size_t data) const {
  if (!operation.op.starts_with("onnx.")) return stablehlo_condition(operation, data);
  const auto constant_or_absent = [&](std::size_t i) {
    return operation.operands.size() <= i || operation.operands[i] < 0 || value(operation.operands[i]).constant;
  };
  if (operation.op == "onnx.Clip" && !(constant_or_absent(1) && constant_or_absent(2))) return "its bounds are no constants";
  if (operation.op == "onnx.Clip" && (operation.attributes.count("min") > 0 || operation.attributes.count("max") > 0)) return "its bounds are attributes";
  if (operation.op == "onnx.Pad" && !constant_or_absent(2)) return "the padding is no constant";
  if (operation.op == "onnx.Resize") {
    const auto mode = operation.attributes.find("mode");
    if (mode != operation.attributes.end() && mode->second.as_string() != "nearest") return "a resize that interpolates";
    const auto place = operation.attributes.find("coordinate_transformation_mode");
    if (place != operation.attributes.end() && place->second.as_string() == "tf_crop_and_resize") return "a resize that reaches outside";
  }
  return {};
}

std::string Planner::stablehlo_condition(const Operation& operation, std::size_t data) const {
  for (std::size_t i = 0; i < operation.operands.size(); ++i)
    if (i != data && !is_f32(value(operation.operands[i]))) return "its other operand is no f32 constant";
  if (!value(operation.results[0]).type) return "its shape is not known";
  for (const Region& body : operation.regions)
    if (body.program.operations.size() != 1 || body.program.operations[0].op != "stablehlo.maximum") return "its body is no maximum";
  return {};
}

}  // namespace tiebreak
