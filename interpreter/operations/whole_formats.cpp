// SPDX-License-Identifier: Apache-2.0
// sat.I, wrap.I and trap.I: a whole number in an integer format.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

Result<Value> integer_value(const Node& node, Values args) {
  TIEBREAK_TRY(v, exact(node, args[0]));
  if (v.is_nan()) return Value();
  if (v.is_infinite()) return node.op == NodeOp::saturate ? Value(saturate(v, node.low, node.high)) : Value();
  if (!v.is_whole())
    return fail(Errc::type, fmt::format("N05 {} enters an integer format without having been rounded to a whole number in '{}'", v.to_decimal(9), node.text),
                place_of(node), "round it first: rne(...), rtz(...)");
  if (node.op == NodeOp::saturate) return as_kind(node, saturate(v, node.low, node.high));
  if (node.op == NodeOp::wrap) return as_kind(node, wrap(v, node.integer_format));
  if ((v <=> node.low) < 0 || (v <=> node.high) > 0) return Value();
  return as_kind(node, v);
}

/// The ends of the format, or of the storage range within it.
std::pair<Real, Real> ends_of(const Node& node) {
  if (node.op == NodeOp::wrap) return {node.integer_format.min(), node.integer_format.max()};
  return {node.low, node.high};
}

ValueRange integer_range(const Node& node, Ranges args) {
  const ValueRange& a = args[0];
  const auto [low, high] = ends_of(node);
  ValueRange range = from_arguments(a, a);
  if (node.op == NodeOp::wrap) range = between(low, high);
  else if (!a.empty()) range.low = std::clamp(a.low, low, high), range.high = std::clamp(a.high, low, high);
  range.undefined = a.undefined || a.nan || node.op == NodeOp::trap || !a.whole || (node.op != NodeOp::saturate && may_be_infinite(a));
  range.nan = false;
  range.whole = true;
  range.negative_zero = false;
  if (a.nan) range.low = std::min(range.low, low), range.high = std::max(range.high, high);
  return range;
}

Bounds integer_bounds(const Node& node, BoundsOf) {
  const auto [least, greatest] = ends_of(node);
  const auto low = least.to_int64(), high = greatest.to_int64();
  return low && high ? between_integers(*low, *high) : Bounds{};
}

constexpr OperationTraits into_integers(NodeOp op, Course (*course)(const Node&, std::size_t)) {
  return {.op = op, .arguments = 1, .gives = Gives::integer, .value = integer_value, .course = course, .range = integer_range, .bounds = integer_bounds};
}

const OperationTraits whole_format_records[] = {
    into_integers(NodeOp::saturate, always<Course::rises>),
    into_integers(NodeOp::wrap, nullptr),
    into_integers(NodeOp::trap, always<Course::rises_where_number>),
};

}  // namespace

std::span<const OperationTraits> whole_format_operations() { return whole_format_records; }

}  // namespace tiebreak::operations_inside
