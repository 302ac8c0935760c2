// SPDX-License-Identifier: Apache-2.0
#include "testsuite/prove/proof_cases.hpp"

#include <algorithm>
#include <set>

#include "testsuite/prove/zero_cases.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_splits = 6, most_limits = 8;

ValueRange numbers(const Real& low, const Real& high) { return {low, high, false, false, true, false}; }
ValueRange only_nan() { return {Real::infinity(), Real::infinity(true), true, false, false, false}; }

/// Every value of a format.
std::vector<ValueRange> classes(const FloatFormat& format) {
  const Real most = format.largest(), least = format.smallest(), infinity = Real::infinity(), minus = Real::infinity(true);
  return {only_nan(), numbers(minus, minus), numbers(-most, -least), numbers(Real(0), Real(0)), numbers(least, most), numbers(infinity, infinity)};
}

/// Every whole number: these, and what lies between them.
std::vector<ValueRange> around(const std::set<Real>& points) {
  std::vector<ValueRange> ranges;
  const auto add = [&](const Real& low, const Real& high) {
    if (low <= high) ranges.push_back({low, high, false, false, false, true});
  };
  Real next = Real::infinity(true);
  for (const Real& point : points) {
    add(next, point - Real(1));
    add(point, point);
    next = point + Real(1);
  }
  add(next, Real::infinity());
  return ranges;
}

bool compares(const Node& node) { return node.op == NodeOp::equal || node.op == NodeOp::not_equal || node.op == NodeOp::less || node.op == NodeOp::less_equal; }

/// The constants that a formula compares the node with, itself or its magnitude.
void add_limits(const Formula& formula, NodeId node, std::set<Real>& limits) {
  for (const Node& one : formula.nodes) {
    if (!compares(one)) continue;
    for (const std::size_t i : {0u, 1u}) {
      const Node &side = formula[one.args[i]], &other = formula[one.args[1 - i]];
      if (other.op != NodeOp::constant || !other.constant.is_number() || !other.constant.number().is_whole()) continue;
      const Real& limit = other.constant.number();
      if (one.args[i] == node) limits.insert(limit);
      if (side.op == NodeOp::absolute && side.args[0] == node) limits.insert({limit, -limit});
    }
  }
}

class Splits {
 public:
  Splits(NeutralOperations& first, NeutralOperations& second, const std::function<NodeId(NodeId)>& counterpart)
      : first_(first), second_(second), counterpart_(counterpart) {}

  void add_infinite() {
    for (const Node& node : first_.formula.nodes)
      if (const NodeId id = compared_with_infinity(first_.formula, node); id >= 0)
        if (const FloatFormat* format = first_.format_of(id)) add(id, classes(*format));
  }

  void add_nan() {
    for (const Node& node : first_.formula.nodes)
      if (node.op == NodeOp::is_nan) add(node.args[0], {only_nan(), numbers(Real::infinity(true), Real::infinity())});
  }

  void add_quotients() {
    for (const std::size_t side : {1u, 0u})
      for (const Node& node : first_.formula.nodes) {
        if (node.op != NodeOp::divide) continue;
        const NodeId id = first_.without(node.args[side], false);
        if (const FloatFormat* format = first_.format_of(id)) add(id, classes(*format));
      }
  }

  void add_whole() {
    for (NodeId id = 0; id < static_cast<NodeId>(first_.formula.nodes.size()); ++id) {
      const Node& node = first_.formula[id];
      if (node.op != NodeOp::element || !node.integer || node.truth) continue;
      const NodeId same = counterpart_(id);
      std::set<Real> limits;
      add_limits(first_.formula, id, limits);
      if (same >= 0) add_limits(second_.formula, same, limits);
      if (!limits.empty() && limits.size() <= most_limits) add(id, around(limits));
    }
  }

  /// Whole numbers that a formula makes and compares with constants: a number without its fraction, a sum with a constant.
  void add_made_whole() {
    for (NodeId id = 0; id < static_cast<NodeId>(first_.formula.nodes.size()); ++id) {
      const Node& node = first_.formula[id];
      const ValueRange range = first_.ranges.of(id);
      std::set<Real> limits;
      if (node.op == NodeOp::element || node.truth || !range.whole || (add_limits(first_.formula, id, limits), limits.empty())) continue;
      if (const NodeId same = counterpart_(id); same >= 0) add_limits(second_.formula, same, limits);
      if (limits.size() > most_limits) continue;
      std::vector<ValueRange> ranges = around(limits);
      if (const FloatFormat* format = first_.format_of(id))
        std::erase_if(ranges, [&](const ValueRange& one) { return one.is_point() && round_to(one.low, *format) != one.low; });
      if (range.nan) ranges.push_back(only_nan());
      add(id, ranges);
    }
  }

  /// Two numbers that are compared: none, equal, less, greater. All that compares these two is known then.
  void add_orders() {
    for (const Node& node : first_.formula.nodes) {
      if (!compares(node) || known(node.args[0]) || known(node.args[1])) continue;
      const std::pair<NodeId, NodeId> pair = std::minmax(node.args[0], node.args[1]);
      if (!pairs_.insert(pair).second) continue;
      const NodeId a = counterpart_(pair.first), b = counterpart_(pair.second);
      if (a >= 0 && b >= 0) splits.push_back({order(pair, {a, b}, -1), order(pair, {a, b}, 0), order(pair, {a, b}, 1)});
    }
  }

  std::vector<ProofSplit> splits{};

 private:
  /// No number that may be compared as one: a constant, a truth value, or what may be nan or undefined.
  bool known(NodeId id) {
    const ValueRange range = first_.ranges.of(id);
    return first_.formula.is_constant(id) || first_.formula[id].truth || range.nan || range.undefined;
  }

  void add(NodeId id, const std::vector<ValueRange>& ranges) {
    const ValueRange range = first_.ranges.of(id);
    const NodeId same = range.undefined || range.is_point() || !taken_.insert(id).second ? -1 : counterpart_(id);
    if (same < 0) return;
    ProofSplit split;
    for (const ValueRange& one : ranges) split.push_back({{{id, same, std::nullopt, one}}});
    splits.push_back(std::move(split));
  }

  /// sign: of the first minus the second.
  ProofCase order(const std::pair<NodeId, NodeId>& one, const std::pair<NodeId, NodeId>& other, int sign) {
    ProofCase out;
    const auto add_side = [&](const Formula& formula, const std::pair<NodeId, NodeId>& pair, bool second) {
      for (NodeId id = 0; id < static_cast<NodeId>(formula.nodes.size()); ++id) {
        const Node& node = formula[id];
        const bool straight = compares(node) && node.args[0] == pair.first && node.args[1] == pair.second;
        const bool swapped = compares(node) && node.args[0] == pair.second && node.args[1] == pair.first;
        if (straight || swapped) out.sides.push_back({second ? -1 : id, second ? id : -1, holds(node.op, swapped ? -sign : sign), {}});
      }
    };
    add_side(first_.formula, one, false);
    add_side(second_.formula, other, true);
    return out;
  }

  static bool holds(NodeOp op, int sign) {
    switch (op) {
      case NodeOp::equal: return sign == 0;
      case NodeOp::not_equal: return sign != 0;
      case NodeOp::less: return sign < 0;
      default: return sign <= 0;
    }
  }

  NeutralOperations &first_, &second_;
  const std::function<NodeId(NodeId)>& counterpart_;
  std::set<NodeId> taken_{};
  std::set<std::pair<NodeId, NodeId>> pairs_{};
};

}  // namespace

void ProofCase::assume_in(ValueRanges& first, ValueRanges& second) const {
  for (const Side& side : sides)
    for (const bool of_second : {false, true}) {
      const NodeId id = of_second ? side.second : side.first;
      ValueRanges& ranges = of_second ? second : first;
      if (id < 0) continue;
      if (side.truth) ranges.assume(id, *side.truth);
      else ranges.assume(id, side.range);
    }
}

std::vector<ProofSplit> proof_splits(NeutralOperations& first, NeutralOperations& second, const std::function<NodeId(NodeId)>& counterpart) {
  Splits found(first, second, counterpart);
  found.add_infinite();
  found.add_quotients();  // more is told apart here than below
  found.add_nan();
  if (found.splits.size() > most_splits) found.splits.clear();
  found.add_whole();
  found.add_orders();
  if (found.splits.size() > most_splits) found.splits.clear();
  const std::size_t usual = found.splits.size();
  found.add_made_whole();
  if (found.splits.size() > most_splits) found.splits.resize(usual);
  return std::move(found.splits);
}

}  // namespace tiebreak
