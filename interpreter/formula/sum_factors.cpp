// SPDX-License-Identifier: Apache-2.0
#include "interpreter/formula/sum_factors.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

bool is_fact(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  if (node.op == NodeOp::element) return formula.sources[static_cast<std::size_t>(node.source)].tensor == nullptr;
  if (node.op == NodeOp::aggregate || node.op == NodeOp::index || node.op == NodeOp::count || node.op == NodeOp::carried) return false;
  return std::ranges::all_of(node.args, [&](NodeId arg) { return is_fact(formula, arg); });
}

void flatten(const Formula& formula, NodeId id, std::vector<NodeId>& factors) {
  const Node& node = formula[id];
  if (node.op != NodeOp::multiply) return factors.push_back(id);
  for (NodeId arg : node.args) flatten(formula, arg, factors);
}

}  // namespace

bool is_exact_sum(const Node& node) {
  const Aggregate& aggregate = node.aggregate;
  return node.op == NodeOp::aggregate && aggregate.kind == AggregateKind::sum && aggregate.step < 0 && aggregate.blocks == 0 && aggregate.over_blocks == 0 &&
         node.args.size() == 1;
}

std::optional<SumFactors> sum_factors(const Formula& formula, NodeId body) {
  std::vector<NodeId> all, inner;
  flatten(formula, body, all);
  SumFactors factors;
  for (NodeId factor : all) {
    if ((formula[factor].rate & rate_item) != 0) inner.push_back(factor);
    else if (is_fact(formula, factor)) factors.outer.push_back(factor);
    else return std::nullopt;
  }
  if (inner.size() != 2) return std::nullopt;
  factors.left = inner[0];
  factors.right = inner[1];
  return factors;
}

}  // namespace tiebreak
