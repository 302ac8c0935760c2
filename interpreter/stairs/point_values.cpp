// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/point_values.hpp"

namespace tiebreak {

Result<Value> PointValues::at(NodeId id) {
  TIEBREAK_TRY(node_id, known_.resolve(id));
  if (!known_.varies(node_id)) return known_.of(node_id);
  if (auto found = values_.find(node_id); found != values_.end()) return found->second;
  const Node& node = formula_[node_id];
  Value result;
  if (node.op == NodeOp::element && node.source == varied_) {
    result = node.truth ? Value(!input_.is_zero()) : Value(input_);
  } else if (node.op == NodeOp::conditional) {
    TIEBREAK_TRY(condition, at(node.args[0]));
    if (!condition.is_undefined()) {
      TIEBREAK_TRY(branch, at(node.args[condition.truth() ? 1 : 2]));
      result = branch;
    }
  } else if (node.op == NodeOp::conjunction || node.op == NodeOp::disjunction) {
    TIEBREAK_TRY(left, at(node.args[0]));
    result = left;
    if (!left.is_undefined() && left.truth() == (node.op == NodeOp::conjunction)) {
      TIEBREAK_TRY(right, at(node.args[1]));
      result = right;
    }
  } else {
    std::vector<Value> args;
    for (NodeId arg : node.args) {
      TIEBREAK_TRY(value, at(arg));
      args.push_back(value);
    }
    TIEBREAK_TRY(applied, apply_node(node, args));
    result = applied;
  }
  values_[node_id] = result;
  return result;
}

}  // namespace tiebreak
