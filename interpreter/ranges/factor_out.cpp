// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/factor_out.hpp"

#include <algorithm>
#include <map>

#include "interpreter/formula/sum_factors.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {
namespace {

bool is_positive(const Real& value) { return value.is_finite() && value.sign() > 0; }

class Factorer {
 public:
  explicit Factorer(Formula& formula) : formula_(formula) {}

  NodeId visit(NodeId id) {
    if (auto found = done_.find(id); found != done_.end()) return found->second;
    NodeId result = id;
    Node node = formula_[id];
    if (node.op == NodeOp::aggregate) {
      result = without_scales(id);
    } else {
      const std::vector<NodeId> before = node.args;
      for (NodeId& arg : node.args) arg = visit(arg);
      if (node.args != before) result = formula_.add(std::move(node));
    }
    done_[id] = result;
    return result;
  }

 private:
  bool is_scale(NodeId id) const {
    const Node& node = formula_[id];
    if (node.op == NodeOp::constant) return node.constant.is_number() && is_positive(node.constant.number());
    return node.op == NodeOp::element && node.args.empty() && std::ranges::all_of(formula_.sources[static_cast<std::size_t>(node.source)].values, is_positive);
  }

  NodeId without_scales(NodeId id) {
    Node sum = formula_[id];
    const Aggregate& aggregate = sum.aggregate;
    const bool plain = aggregate.kind == AggregateKind::sum && aggregate.order == AggregateOrder::sequential && aggregate.step < 0 && aggregate.blocks == 0 &&
                       aggregate.over_blocks == 0 && sum.args.size() == 1;
    const auto factors = plain ? sum_factors(formula_, sum.args[0]) : std::nullopt;
    if (!factors || factors->outer.empty() || !std::ranges::all_of(factors->outer, [&](NodeId scale) { return is_scale(scale); })) return id;
    BoundsTable bounds(formula_);
    if (bounds.of(factors->left).carrier != Carrier::integer || bounds.of(factors->right).carrier != Carrier::integer) return id;
    // Holes and padding stay where they are: they belong to the two factors.
    const std::uint64_t rate = sum.rate;
    sum.args = {product(sum, factors->left, factors->right)};
    sum.integer = formula_[sum.args[0]].integer;
    sum.rate = rate;
    Node like = sum;
    NodeId result = formula_.add(std::move(sum));
    for (NodeId scale : factors->outer) result = product(like, result, scale);
    return result;
  }

  NodeId product(const Node& like, NodeId a, NodeId b) {
    Node node;
    node.op = NodeOp::multiply;
    node.args = {a, b};
    node.integer = formula_[a].integer && formula_[b].integer;
    node.rate = formula_[a].rate | formula_[b].rate;
    node.place = like.place;
    node.file = like.file;
    node.text = like.text;
    return formula_.add(std::move(node));
  }

  Formula& formula_;
  std::map<NodeId, NodeId> done_{};
};

}  // namespace

NodeId factor_out(Formula& formula, NodeId node) { return Factorer(formula).visit(node); }

}  // namespace tiebreak
