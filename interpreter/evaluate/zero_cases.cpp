// SPDX-License-Identifier: Apache-2.0
#include "interpreter/evaluate/zero_cases.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

bool never_finite(const Formula& formula, ValueRanges& ranges, NodeId id) {
  const Node& node = formula[id];
  switch (node.op) {
    using enum NodeOp;
    case divide: {
      const ValueRange divisor = ranges.of(node.args[1]);
      return divisor.is_point() && divisor.low.is_zero();
    }
    case round_whole:
    case negate: return never_finite(formula, ranges, node.args[0]);
    case add:
    case subtract:
    case multiply: return std::ranges::any_of(node.args, [&](NodeId arg) { return never_finite(formula, ranges, arg); });
    default: return false;
  }
}

}  // namespace

std::optional<Value> value_where(const Formula& formula, NodeId id, NodeId variable, const Real& value) {
  if (id == variable) return Value(value);
  const Node& node = formula[id];
  if (node.op == NodeOp::constant) return node.constant;
  if (node.args.empty() || node.op == NodeOp::element || node.op == NodeOp::aggregate || node.op == NodeOp::carried) return std::nullopt;
  if (node.op == NodeOp::conditional || node.op == NodeOp::conjunction || node.op == NodeOp::disjunction) {
    const std::optional<Value> condition = value_where(formula, node.args[0], variable, value);
    if (!condition || !condition->is_truth()) return std::nullopt;
    if (node.op == NodeOp::conditional) return value_where(formula, node.args[condition->truth() ? 1 : 2], variable, value);
    if (condition->truth() == (node.op == NodeOp::disjunction)) return condition;
    return value_where(formula, node.args[1], variable, value);
  }
  std::vector<Value> args;
  for (const NodeId arg : node.args) {
    std::optional<Value> found = value_where(formula, arg, variable, value);
    if (!found || found->is_undefined()) return std::nullopt;
    args.push_back(std::move(*found));
  }
  Result<Value> result = apply_node(node, args);
  return result ? std::optional(std::move(*result)) : std::nullopt;
}

NodeId compared_with_zero(const Formula& formula, NodeId condition) {
  const Node& node = formula[condition];
  if (node.op != NodeOp::equal) return -1;
  for (const std::size_t i : {0u, 1u}) {
    const Node& other = formula[node.args[1 - i]];
    if (other.op == NodeOp::constant && other.constant.is_number() && other.constant.number().is_zero()) return node.args[i];
  }
  return -1;
}

bool always_undefined(const Formula& formula, ValueRanges& ranges, NodeId id) {
  const Node& node = formula[id];
  if (node.op == NodeOp::constant) return node.constant.is_undefined();
  if (node.op == NodeOp::trap) {
    const ValueRange range = ranges.of(node.args[0]);
    if (range.low > node.high || range.high < node.low) return true;  // no number that fits; what is none is undefined as well
  }
  return (node.op == NodeOp::wrap || node.op == NodeOp::trap) && never_finite(formula, ranges, node.args[0]);
}

}  // namespace tiebreak
