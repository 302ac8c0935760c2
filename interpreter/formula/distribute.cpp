// SPDX-License-Identifier: Apache-2.0
#include "interpreter/formula/distribute.hpp"

#include <map>

namespace tiebreak {
namespace {

bool is_conversion(NodeOp op) {
  return op == NodeOp::saturate || op == NodeOp::wrap || op == NodeOp::trap || op == NodeOp::round_whole || op == NodeOp::round_float;
}

class Distributor {
 public:
  explicit Distributor(Formula& formula) : formula_(formula) {}

  NodeId visit(NodeId id) {
    if (auto found = done_.find(id); found != done_.end()) return found->second;
    Node node = formula_[id];
    const std::vector<NodeId> before = node.args;
    for (NodeId& arg : node.args) arg = visit(arg);
    NodeId result = id;
    if (is_conversion(node.op) && formula_[node.args[0]].op == NodeOp::conditional) {
      const std::vector<NodeId> branches = formula_[node.args[0]].args;
      const NodeId then = convert(node, branches[1]);
      const NodeId otherwise = convert(node, branches[2]);
      Node conditional = formula_[node.args[0]];
      conditional.args = {branches[0], then, otherwise};
      conditional.integer = formula_[then].integer && formula_[otherwise].integer;
      result = formula_.add(std::move(conditional));
    } else if (node.args != before) {
      result = formula_.add(std::move(node));
    }
    done_[id] = result;
    return result;
  }

 private:
  NodeId convert(Node conversion, NodeId branch) {
    conversion.args = {branch};
    return visit(formula_.add(std::move(conversion)));
  }

  Formula& formula_;
  std::map<NodeId, NodeId> done_{};
};

}  // namespace

NodeId distribute(Formula& formula, NodeId node) { return Distributor(formula).visit(node); }

}  // namespace tiebreak
