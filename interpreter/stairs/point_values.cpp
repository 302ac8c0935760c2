// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/point_values.hpp"

#include <algorithm>

namespace tiebreak {

Result<Value> PointValues::at(NodeId id) {
  TIEBREAK_TRY(node_id, known_.resolve(id));
  if (!known_.varies(node_id)) return known_.of(node_id);
  if (const auto found = std::ranges::find(values_, node_id, &std::pair<NodeId, Value>::first); found != values_.end()) return found->second;
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
    args.reserve(node.args.size());
    for (NodeId arg : node.args) {
      TIEBREAK_TRY(value, at(arg));
      args.push_back(std::move(value));
    }
    TIEBREAK_TRY(applied, apply_node(node, args));
    result = std::move(applied);
  }
  values_.emplace_back(node_id, result);
  return result;
}

}  // namespace tiebreak
