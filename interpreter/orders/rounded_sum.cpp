// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/rounded_sum.hpp"

namespace tiebreak {
namespace {

/// The format of a step `carried -> F(carried)`.
const FloatFormat* step_format(const Formula& formula, NodeId step) {
  if (step < 0) return nullptr;
  const Node& node = formula[step];
  const bool plain = node.op == NodeOp::round_float && node.rounding == Rounding::nearest_even && formula[node.args[0]].op == NodeOp::carried;
  return plain ? node.format : nullptr;
}

NodeId without_rounding(const Formula& formula, NodeId id) {
  while (formula[id].op == NodeOp::round_float) id = formula[id].args[0];
  return id;
}

std::optional<RoundedSum> sum_at(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  const auto is_sum = [](const Node& candidate) { return candidate.op == NodeOp::aggregate && candidate.aggregate.kind == AggregateKind::sum; };
  if (is_sum(node)) {
    // Sums of block sums are sums of the blocks' terms.
    NodeId terms = node.args[0];
    while (formula[terms].op == NodeOp::aggregate && is_sum(formula[terms])) terms = formula[terms].args[0];
    if (const FloatFormat* format = step_format(formula, node.aggregate.step)) return RoundedSum{id, without_rounding(formula, terms), format};
  }
  if (node.op == NodeOp::round_float && is_sum(formula[node.args[0]]) && formula[node.args[0]].aggregate.step < 0)
    return RoundedSum{id, without_rounding(formula, formula[node.args[0]].args[0]), node.format};
  return std::nullopt;
}

/// F(sum + bias), where the sum is rounded to F, too.
std::optional<RoundedSum> biased_sum(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  if (node.op != NodeOp::round_float || node.rounding != Rounding::nearest_even || formula[node.args[0]].op != NodeOp::add) return std::nullopt;
  const std::vector<NodeId>& args = formula[node.args[0]].args;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    if (const auto sum = sum_at(formula, args[side]); sum && sum->format == node.format) return RoundedSum{id, sum->terms, sum->format, args[1 - side]};
  return std::nullopt;
}

bool contains(const Formula& formula, NodeId id, NodeId wanted) {
  if (id == wanted) return true;
  for (NodeId arg : formula[id].args)
    if (contains(formula, arg, wanted)) return true;
  return false;
}

}  // namespace

std::optional<RoundedSum> rounded_sum(const Formula& formula, NodeId id) {
  if (auto found = biased_sum(formula, id)) return found;
  if (auto found = sum_at(formula, id)) return found;
  for (NodeId arg : formula[id].args)
    if (auto found = rounded_sum(formula, arg)) return found;
  return std::nullopt;
}

bool rises_with(const Formula& formula, NodeId id, NodeId sum) {
  if (id == sum) return true;
  const Node& node = formula[id];
  const auto fixed = [&](std::size_t i) { return !contains(formula, node.args[i], sum); };
  const auto positive = [&](std::size_t i) {
    const Node& factor = formula[without_rounding(formula, node.args[i])];
    return factor.op == NodeOp::constant ? factor.constant.is_number() && factor.constant.number().sign() > 0
                                         : factor.op == NodeOp::element && formula.sources[static_cast<std::size_t>(factor.source)].positive;
  };
  using enum NodeOp;
  switch (node.op) {
    case round_float:
    case round_whole:
    case saturate: return rises_with(formula, node.args[0], sum);
    case add:
    case minimum:
    case maximum:
      for (std::size_t i = 0; i < node.args.size(); ++i)
        if (!fixed(i) && !rises_with(formula, node.args[i], sum)) return false;
      return true;
    case subtract: return fixed(1) && rises_with(formula, node.args[0], sum);
    case multiply:
      return (fixed(0) && positive(0) && rises_with(formula, node.args[1], sum)) || (fixed(1) && positive(1) && rises_with(formula, node.args[0], sum));
    case divide: return fixed(1) && positive(1) && rises_with(formula, node.args[0], sum);
    case conditional: {
      // The branch for what is not a number or outside a range is `undefined`: it gives no other value.
      const bool then_known = !fixed(1), else_known = !fixed(2);
      const auto silent = [&](std::size_t i) { return formula[node.args[i]].op == NodeOp::constant && formula[node.args[i]].constant.is_undefined(); };
      return (silent(1) && else_known && rises_with(formula, node.args[2], sum)) || (silent(2) && then_known && rises_with(formula, node.args[1], sum));
    }
    default: return false;
  }
}

}  // namespace tiebreak
