// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/value_range.hpp"

#include <algorithm>

#include "interpreter/operations/number_range.hpp"

namespace tiebreak {
using namespace number_ranges;
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
    default: break;
  }
  const OperationTraits* operation = find_traits(node.op);
  if (operation == nullptr || operation->truth == nullptr || formula_[node.args[0]].truth) return std::nullopt;
  return operation->truth(node, ranges_of(node));
}

std::vector<ValueRange> ValueRanges::ranges_of(const Node& node) {
  std::vector<ValueRange> ranges;
  for (const NodeId arg : node.args) ranges.push_back(of(arg));
  return ranges;
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
    case index:
    case count: return {Real(0), Real::power_of_two(31), false, false, false, true};  // no tensor has more elements
    case conditional: return of_branches(node);
    case aggregate: return of_aggregate(node);
    default: break;
  }
  if (const std::optional<ValueRange> remainder = of_remainder(id)) return *remainder;
  const OperationTraits* operation = find_traits(node.op);
  if (operation == nullptr || operation->range == nullptr) return {};
  ValueRange range = operation->range(node, ranges_of(node));
  if (node.op == NodeOp::round_float && never_vanishes(node)) range.negative_zero = of(node.args[0]).negative_zero;
  return range;
}

}  // namespace tiebreak
