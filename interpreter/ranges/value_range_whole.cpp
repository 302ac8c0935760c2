// SPDX-License-Identifier: Apache-2.0
// Ranges of remainders; and what a comparison says of the values on its two sides.
#include <algorithm>

#include "interpreter/ranges/innocuous_rounding.hpp"
#include "interpreter/ranges/value_range.hpp"

namespace tiebreak {
using namespace number_ranges;

std::optional<ValueRange> ValueRanges::of_remainder(NodeId id) {
  const auto operands = remainder_of(formula_, id);
  if (!operands) return std::nullopt;
  const ValueRange a = of(operands->first), b = of(operands->second);
  if (a.empty() || b.empty()) return std::nullopt;
  ValueRange range{std::min(a.low, Real(0)), std::max(a.high, Real(0)), true, a.undefined || b.undefined, true, a.whole && b.whole};
  range.nan = a.nan || b.nan || a.infinite() || b.infinite() || b.contains_zero();
  return range;
}

void ValueRanges::assume_comparison(const Node& node, bool truth) {
  if (node.op != NodeOp::equal && node.op != NodeOp::less && node.op != NodeOp::less_equal) return;
  const auto limited = [&](NodeId id, std::optional<Real> low, std::optional<Real> high, bool number) {
    if (formula_[id].op == NodeOp::constant || formula_[id].truth) return;
    ValueRange range{};
    if (low) range.low = *low;
    if (high) range.high = *high;
    if (number) range.nan = range.undefined = false;
    assume(id, range);
  };
  const ValueRange a = of(node.args[0]), b = of(node.args[1]);
  if (formula_[node.args[0]].truth || formula_[node.args[1]].truth || a.empty() || b.empty()) return;
  if (node.op == NodeOp::equal && truth) {
    limited(node.args[0], b.low, b.high, true);
    limited(node.args[1], a.low, a.high, true);
  }
  if (node.op == NodeOp::equal && truth && b.low.is_finite() && b.high.is_finite()) assume_finite_parts(node.args[0]);
  if (node.op == NodeOp::equal && truth && a.low.is_finite() && a.high.is_finite()) assume_finite_parts(node.args[1]);
  if (node.op == NodeOp::equal) {  // what is not an end of a range of whole numbers begins beside it
    const auto beside = [&](NodeId id, const ValueRange& range, const ValueRange& other) {
      if (!range.whole || !other.is_point() || !other.low.is_finite() || range.is_point()) return;
      if (range.low == other.low) limited(id, range.low + Real(1), std::nullopt, false);
      if (range.high == other.low) limited(id, std::nullopt, range.high - Real(1), false);
    };
    if (!truth) beside(node.args[0], a, b), beside(node.args[1], b, a);
    return;
  }
  // Between whole numbers a < b is a <= b - 1. What is no number compares false, so that the opposite says something of numbers alone.
  const bool strict = (node.op == NodeOp::less) == truth && a.whole && b.whole;
  const auto below = [&](const Real& v) { return strict && v.is_finite() ? v - Real(1) : v; };
  const auto above = [&](const Real& v) { return strict && v.is_finite() ? v + Real(1) : v; };
  if (!truth && (a.nan || b.nan)) return;
  const NodeId least = node.args[truth ? 0 : 1], greatest = node.args[truth ? 1 : 0];
  limited(least, std::nullopt, below(truth ? b.high : a.high), truth);
  limited(greatest, above(truth ? a.low : b.low), std::nullopt, truth);
}

}  // namespace tiebreak
