// SPDX-License-Identifier: Apache-2.0
// Results that no operand's elements move into: move.fill_onnx(shape) has the shape that the operand's elements are, move.range_onnx(start,
// limit, delta) is the line of the numbers from start on, by delta, that lie before limit.
#include <fmt/format.h>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/movement/listed_elements.hpp"

namespace tiebreak::structure {
namespace {

Result<Real> one_number(const StructureRequest& request, std::size_t position) {
  TIEBREAK_TRY(operand, argument_operand(request, position));
  if (operand->tensor == nullptr || operand->tensor->size() != 1)
    return malformed(request, "", fmt::format("{} must be one number, got {}", operand->name, to_text(operand->type)));
  return operand->tensor->value(0);
}

}  // namespace

Result<Geometry> move_fill_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(wanted, steering(request, operand->name));
  for (std::int64_t extent : wanted)
    if (extent < 0) return malformed(request, "", fmt::format("{} is no shape", to_text(wanted)));
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  return cells_of_result(request, wanted);
}

Result<Geometry> move_range_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(start, one_number(request, 0));
  TIEBREAK_TRY(limit, one_number(request, 1));
  TIEBREAK_TRY(delta, one_number(request, 2));
  if (delta.is_zero() || !start.is_finite() || !limit.is_finite() || !delta.is_finite())
    return malformed(request, "", "start, limit and delta must be numbers, and delta not zero");
  const Real steps = (limit - start) / delta;
  const std::int64_t count = steps.sign() <= 0 ? 0 : round_whole(steps, Rounding::up).to_int64().value_or(far_index);
  const Shape wanted{count};
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  return cells_of_result(request, wanted);
}

}  // namespace tiebreak::structure
