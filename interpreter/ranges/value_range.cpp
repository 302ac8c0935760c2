// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/value_range.hpp"

#include <algorithm>

#include "interpreter/ranges/range_operations.hpp"

namespace tiebreak {
using namespace ranges_inside;
namespace {

ValueRange of_value(const Value& value) {
  ValueRange range = nothing();
  if (value.is_undefined()) range.undefined = true;
  else if (!value.is_number()) return {};
  else if (value.number().is_nan()) range.nan = true;
  else range = between(value.number(), value.number());
  range.negative_zero = value.is_number() && value.number().is_zero() && value.number().is_negative();
  range.whole = value.is_number() && value.number().is_whole();
  return range;
}

/// The sum of two ends; opposite infinities make a nan, which `nan` has apart.
Real add_ends(const Real& a, const Real& b, bool low) {
  if (a.is_infinite() && b.is_infinite() && a.is_negative() != b.is_negative()) return low ? minus_infinity : infinity;
  return a + b;
}

/// The same apart from its numbers; `none`: there are no numbers.
ValueRange with_range(ValueRange range, const Real& low, const Real& high, bool none) {
  range.low = none ? infinity : low;
  range.high = none ? minus_infinity : high;
  return range;
}

}  // namespace

void ValueRanges::assume(NodeId node, const ValueRange& range) {
  const auto found = assumed_.find(node);
  assumed_.insert_or_assign(node, found == assumed_.end() ? range : both(found->second, range));
  known_.clear();
}

void ValueRanges::assume(NodeId condition, bool value) {
  truths_.insert_or_assign(condition, value);
  known_.clear();
  const Node& node = formula_[condition];
  if (node.op == NodeOp::is_nan) {
    ValueRange range = value ? nothing() : ValueRange{};
    range.nan = value;
    range.undefined = false;
    assume(node.args[0], range);
  }
  assume_comparison(node, value);
  if (node.op == NodeOp::negation) assume(node.args[0], !value);
  if ((node.op == NodeOp::conjunction && value) || (node.op == NodeOp::disjunction && !value))
    for (NodeId arg : node.args) assume(arg, value);
}

ValueRange ValueRanges::of(NodeId id) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  ValueRange range = compute(id);
  if (const auto found = assumed_.find(id); found != assumed_.end()) range = both(range, found->second);
  const Node& node = formula_[id];
  if (node.integer) range.negative_zero = false, range.whole = true;
  if (!may_be(range, Real(0))) range.negative_zero = false;
  known_.insert_or_assign(id, range);
  return range;
}

std::optional<bool> ValueRanges::truth(NodeId id) {
  if (const auto found = truths_.find(id); found != truths_.end()) return found->second;
  const Node& node = formula_[id];
  if (node.op == NodeOp::constant) return node.constant.is_truth() ? std::optional(node.constant.truth()) : std::nullopt;
  const auto not_of = [](std::optional<bool> value) { return value ? std::optional(!*value) : std::nullopt; };
  switch (node.op) {
    using enum NodeOp;
    case negation: return not_of(truth(node.args[0]));
    case conjunction:
    case disjunction: {
      const bool decides = node.op == disjunction;
      const std::optional<bool> a = truth(node.args[0]), b = truth(node.args[1]);
      if (a == decides) return decides;
      if (a && b) return b;
      // The second is asked only where the first does not decide.
      return !b && !a && !truth_may_be_undefined(node.args[0])       ? where_asked(node, decides)
             : b == decides && !truth_may_be_undefined(node.args[0]) ? b
                                                                     : std::nullopt;
    }
    case is_nan: {
      const ValueRange a = of(node.args[0]);
      if (a.undefined || (a.nan && !a.empty())) return std::nullopt;
      return a.nan;
    }
    case equal:
    case not_equal: {
      if (formula_[node.args[0]].truth) return std::nullopt;
      const ValueRange a = of(node.args[0]), b = of(node.args[1]);
      if (a.undefined || b.undefined) return std::nullopt;
      if (a.low > b.high || b.low > a.high) return node.op == not_equal;  // a nan equals nothing
      return a.is_point() && b.is_point() ? std::optional(node.op == equal) : std::nullopt;
    }
    case less:
    case less_equal: {
      const ValueRange a = of(node.args[0]), b = of(node.args[1]);
      if (a.undefined || b.undefined) return std::nullopt;
      if ((a.empty() && a.nan) || (b.empty() && b.nan)) return false;
      const bool never = node.op == less ? a.low >= b.high : a.low > b.high;
      if (never) return false;  // a nan compares false as well
      if (a.nan || b.nan) return std::nullopt;
      return (node.op == less ? a.high < b.low : a.high <= b.low) ? std::optional(true) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

bool ValueRanges::truth_may_be_undefined(NodeId id) {
  const Node& node = formula_[id];
  switch (node.op) {
    using enum NodeOp;
    case constant: return !node.constant.is_truth();
    case negation:
    case conjunction:
    case disjunction: return std::ranges::any_of(node.args, [&](NodeId arg) { return truth_may_be_undefined(arg); });
    case is_nan:
    case equal:
    case not_equal:
    case less:
    case less_equal: return std::ranges::any_of(node.args, [&](NodeId arg) { return formula_[arg].truth ? truth_may_be_undefined(arg) : of(arg).undefined; });
    default: return true;
  }
}

ValueRange ValueRanges::of_sum(const Node& node) {
  const ValueRange a = of(node.args[0]);
  ValueRange b = of(node.args[1]);
  const bool minus = node.op == NodeOp::subtract;
  if (minus && !b.empty()) b = {-b.high, -b.low, b.nan, b.undefined, false, b.whole};
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  range.low = add_ends(a.low, b.low, true);
  range.high = add_ends(a.high, b.high, false);
  range.nan |= (may_be(a, infinity) && may_be(b, minus_infinity)) || (may_be(a, minus_infinity) && may_be(b, infinity));
  const ValueRange second = of(node.args[1]);
  range.negative_zero = a.negative_zero && (minus ? may_be(second, Real(0)) : second.negative_zero);
  range.whole = a.whole && b.whole;
  return range;
}

ValueRange ValueRanges::of_quotient(const Node& node) {
  const ValueRange a = of(node.args[0]), b = of(node.args[1]);
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  range.nan |= (may_be(a, Real(0)) && may_be(b, Real(0))) || (may_be_infinite(a) && may_be_infinite(b));
  range.negative_zero = true;
  range.low = minus_infinity;
  range.high = infinity;
  const auto only_zeros = [](const ValueRange& one) { return one.low.is_zero() && one.high.is_zero(); };
  if (only_zeros(a) && only_zeros(b)) return with_range(range, infinity, minus_infinity, true);
  // A divisor that never has the sign bit; +0 makes infinities of the dividend's sign.
  if (b.low < Real(0) || b.negative_zero) return range;
  if (b.low.is_infinite()) return with_range(range, Real(0), Real(0), a.low.is_infinite() || a.high.is_infinite() ? a.low == a.high : false);
  if (b.high.is_zero() && a.low > Real(0)) return with_range(range, infinity, infinity, false);
  if (b.high.is_zero() && a.high < Real(0)) return with_range(range, minus_infinity, minus_infinity, false);
  if (b.low == b.high && b.low > Real(0)) {
    range.low = a.low / b.low;
    range.high = a.high / b.low;
  } else {
    if (b.low >= Real(1) && b.high.is_finite()) range.low = std::min(a.low, Real(0)), range.high = std::max(a.high, Real(0));
    if (a.low >= Real(0)) range.low = Real(0);
    if (a.high <= Real(0)) range.high = Real(0);
  }
  if (a.low >= Real(0) && !a.negative_zero) range.negative_zero = false;
  return range;
}

ValueRange ValueRanges::of_extreme(const Node& node) {
  const ValueRange a = of(node.args[0]), b = of(node.args[1]);
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  const bool least = node.op == NodeOp::minimum;
  range.low = least ? std::min(a.low, b.low) : std::max(a.low, b.low);
  range.high = least ? std::min(a.high, b.high) : std::max(a.high, b.high);
  const auto above = [](const ValueRange& one) { return one.low >= Real(0) && !one.negative_zero; };
  range.negative_zero = (a.negative_zero || b.negative_zero) && (least || !(above(a) || above(b)));
  range.whole = a.whole && b.whole;
  return range;
}

ValueRange ValueRanges::of_conversion(const Node& node) {
  const ValueRange a = of(node.args[0]);
  ValueRange range = from_arguments(a, a);
  if (a.empty() && node.op != NodeOp::saturate && node.op != NodeOp::wrap && node.op != NodeOp::trap) return range;
  switch (node.op) {
    using enum NodeOp;
    case round_whole:
      range.low = a.low.is_infinite() ? a.low : tiebreak::round_whole(a.low, node.rounding);
      range.high = a.high.is_infinite() ? a.high : tiebreak::round_whole(a.high, node.rounding);
      range.whole = true;
      range.negative_zero = true;
      return range;
    case round_float: {
      if (node.format->kind != FloatClass::ieee && !a.is_point()) return {};
      const auto low = round_to(a.low, *node.format, node.rounding, node.overflow), high = round_to(a.high, *node.format, node.rounding, node.overflow);
      if (!low || !high || low->is_nan() || high->is_nan()) return {};
      range.low = *low;
      range.high = *high;
      range.negative_zero = a.negative_zero || (a.low < Real(0) && !a.whole && !never_vanishes(node));  // a whole number does not become zero
      range.whole = a.whole;
      return range;
    }
    default: break;
  }
  const Real low = node.op == NodeOp::wrap ? node.integer_format.min() : node.low, high = node.op == NodeOp::wrap ? node.integer_format.max() : node.high;
  if (node.op == NodeOp::wrap) range = between(low, high);
  else if (!a.empty()) range.low = std::clamp(a.low, low, high), range.high = std::clamp(a.high, low, high);
  range.undefined = a.undefined || a.nan || node.op == NodeOp::trap || !a.whole || (node.op != NodeOp::saturate && may_be_infinite(a));
  range.nan = false;
  range.whole = true;
  range.negative_zero = false;
  if (a.nan) range.low = std::min(range.low, low), range.high = std::max(range.high, high);
  return range;
}

ValueRange ValueRanges::of_branches(const Node& node) {
  if (const std::optional<bool> known = truth(node.args[0])) return of(node.args[*known ? 1 : 2]);
  ValueRanges first = *this, second = *this;
  first.assume(node.args[0], true);
  second.assume(node.args[0], false);
  ValueRange range = hull(first.of(node.args[1]), second.of(node.args[2]));
  range.undefined = range.undefined || truth_may_be_undefined(node.args[0]);
  return range;
}

/// Bags of any size, the empty one included unless the count is known to be more.
ValueRange ValueRanges::of_aggregate(const Node& node) {
  const Aggregate& aggregate = node.aggregate;
  const bool least = aggregate.kind == AggregateKind::minimum;
  if (aggregate.step >= 0 || aggregate.blocks > 0 || aggregate.over_blocks > 0) return {};
  ValueRange range = of(node.args[0]);
  if (aggregate.kind == AggregateKind::maximum || least) {
    for (NodeId id = 0; id < static_cast<NodeId>(formula_.nodes.size()); ++id)
      if (formula_[id].op == NodeOp::count && of(id).low >= Real(1)) return range;
    (least ? range.high : range.low) = least ? infinity : minus_infinity;
    range.whole = false;
    return range;
  }
  if (aggregate.kind != AggregateKind::sum || !range.whole || range.nan) return {};
  const bool below = range.low<Real(0), above = range.high> Real(0);
  const ValueRange sum{below ? minus_infinity : Real(0), above ? infinity : Real(0), range.infinite(), range.undefined, true, true};
  return sum;
}

ValueRange ValueRanges::compute(NodeId id) {
  const Node& node = formula_[id];
  switch (node.op) {
    using enum NodeOp;
    case constant: return of_value(node.constant);
    case element: return of_element(node);
    case add:
    case subtract: {
      const std::optional<ValueRange> remainder = of_remainder(id);
      return remainder ? *remainder : of_sum(node);
    }
    case index:
    case count: return {Real(0), Real::power_of_two(31), false, false, false, true};  // no tensor has more elements
    case power: return of_power(id);
    case bit_and:
    case bit_or:
    case bit_xor: return of_bits(node);
    case multiply: return of_product(node);
    case divide: return of_quotient(node);
    case negate: {
      const ValueRange a = of(node.args[0]);
      if (a.empty()) return a;
      return {-a.high, -a.low, a.nan, a.undefined, true, a.whole};
    }
    case absolute: {
      const ValueRange a = of(node.args[0]);
      if (a.empty()) return a;
      return {a.contains_zero() ? Real(0) : std::min(abs(a.low), abs(a.high)), std::max(abs(a.low), abs(a.high)), a.nan, a.undefined, false, a.whole};
    }
    case minimum:
    case maximum: return of_extreme(node);
    case round_whole:
    case round_float:
    case saturate:
    case wrap:
    case trap: return of_conversion(node);
    case conditional: return of_branches(node);
    case aggregate: return of_aggregate(node);
    case real_function: return of_real_function(node);
    default: return {};
  }
}

}  // namespace tiebreak
