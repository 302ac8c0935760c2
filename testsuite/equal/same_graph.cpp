// SPDX-License-Identifier: Apache-2.0
// Both formulas in one graph: what is the same operation on the same values is one node there.
#include <algorithm>

#include "testsuite/equal/compare_elements.hpp"

namespace tiebreak {
namespace {

bool commutes(NodeOp op) {
  return op == NodeOp::add || op == NodeOp::multiply || op == NodeOp::equal || op == NodeOp::not_equal || op == NodeOp::bit_and || op == NodeOp::bit_or ||
         op == NodeOp::bit_xor;
}

/// The sources of the joint graph: a leaf each.
class Joint {
 public:
  NodeId add(const ElementFormula& whole) {
    std::vector<NodeId> placed;
    for (const Node& node : whole.formula.nodes) {
      Node copy = node;
      copy.text.clear();
      for (NodeId& arg : copy.args) arg = placed[static_cast<std::size_t>(arg)];
      if (commutes(copy.op)) std::ranges::sort(copy.args);
      if (copy.op == NodeOp::element) copy.source = source_of(whole.leaves[static_cast<std::size_t>(node.source)]);
      placed.push_back(graph_.add(std::move(copy)));
    }
    return placed[static_cast<std::size_t>(whole.formula.results.front().node)];
  }

 private:
  int source_of(const Leaf& leaf) {
    const auto found = std::ranges::find(leaves_, leaf);
    const auto place = static_cast<int>(found - leaves_.begin());
    if (found == leaves_.end()) leaves_.push_back(leaf);
    return place;
  }
  Formula graph_{};
  std::vector<Leaf> leaves_{};
};

}  // namespace

bool same_graph(const ElementFormula& first, const ElementFormula& second) {
  Joint joint;
  const NodeId a = joint.add(first);
  return a == joint.add(second);
}

}  // namespace tiebreak
