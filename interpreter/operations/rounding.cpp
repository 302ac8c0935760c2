// SPDX-License-Identifier: Apache-2.0
// Roundings to whole numbers (rne, floor ...) and to float formats (f32, rtz.bf16, sat.f8e4m3fn ...).
#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

Result<Value> whole_value(const Node& node, Values args) {
  if (args[0].is_number()) return Value(round_whole(args[0].number(), node.rounding));
  TIEBREAK_TRY(rounded, args[0].computable().round_whole(node.rounding));
  return Value(rounded);
}

ValueRange whole_range(const Node& node, Ranges args) {
  const ValueRange& a = args[0];
  ValueRange range = from_arguments(a, a);
  if (a.empty()) return range;
  range.low = a.low.is_infinite() ? a.low : round_whole(a.low, node.rounding);
  range.high = a.high.is_infinite() ? a.high : round_whole(a.high, node.rounding);
  range.whole = true;
  range.negative_zero = true;
  return range;
}

Bounds whole_bounds(const Node&, BoundsOf args) {
  Bounds bounds = args[0];
  if (bounds.carrier == Carrier::integer) return bounds;
  if (bounds.carrier != Carrier::real) return {};
  bounds.whole = true;
  bounds.power_of_two.reset();
  bounds.top = std::max(0, bounds.top + 1);
  bounds.bottom = std::max(0, bounds.bottom);
  return within_double(bounds);
}

Result<Value> format_value(const Node& node, Values args) {
  if (args[0].is_number()) {
    const auto rounded = round_to(args[0].number(), *node.format, node.rounding, node.overflow);
    return rounded ? Value(*rounded) : Value();
  }
  TIEBREAK_TRY(rounded, args[0].computable().round_to(*node.format, node.rounding, node.overflow));
  return rounded ? Value(*rounded) : Value();
}

/// Also of what is small: whether it may vanish, and become a zero with a sign, is not looked at here.
ValueRange format_range(const Node& node, Ranges args) {
  const ValueRange& a = args[0];
  ValueRange range = from_arguments(a, a);
  if (a.empty()) return range;
  // Other formats have values, nan or nothing beyond their ends, and one zero or none: only of a number that has no sign of zero is the result known.
  if (node.format->kind != FloatClass::ieee && (!a.is_point() || a.low.is_zero())) return {};
  const auto low = round_to(a.low, *node.format, node.rounding, node.overflow), high = round_to(a.high, *node.format, node.rounding, node.overflow);
  if (!low || !high || low->is_nan() || high->is_nan()) return {};
  range.low = *low;
  range.high = *high;
  range.negative_zero = a.negative_zero || (a.low < Real(0) && !a.whole);  // a whole number does not become zero
  range.whole = a.whole;
  return range;
}

const OperationTraits rounding_records[] = {
    {.op = NodeOp::round_whole, .arguments = 1, .value = whole_value, .course = always<Course::rises>, .range = whole_range, .bounds = whole_bounds},
    // On the format's grid, whatever the argument.
    {.op = NodeOp::round_float,
     .arguments = 1,
     .value = format_value,
     .course = always<Course::rises_where_number>,
     .range = format_range,
     .bounds = [](const Node& node, BoundsOf) { return bounds_of_format(*node.format); }},
};

}  // namespace

std::span<const OperationTraits> rounding_operations() { return rounding_records; }

}  // namespace tiebreak::operations_inside
