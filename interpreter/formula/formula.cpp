// SPDX-License-Identifier: Apache-2.0
#include "interpreter/formula/formula.hpp"

#include <algorithm>

#include "interpreter/formula/same_nodes.hpp"
#include "interpreter/geometry/written_alike.hpp"

namespace tiebreak {
namespace {

bool equal_constant(const Value& a, const Value& b) {
  if (a.is_undefined() || b.is_undefined()) return a.is_undefined() && b.is_undefined();
  if (a.is_truth() || b.is_truth()) return a.is_truth() && b.is_truth() && a.truth() == b.truth();
  return a.is_number() && b.is_number() && a.number().identical(b.number());
}

bool same_table(const Node& a, const Node& b) {
  return a.table == b.table || std::ranges::equal(*a.table, *b.table, [](const Real& x, const Real& y) { return x.identical(y); });
}

/// Same operation on the same arguments: the same value everywhere. Text and places do not count.
bool same_value(const Node& a, const Node& b) {
  if (a.op != b.op || a.args != b.args || a.integer != b.integer || a.truth != b.truth || a.set_end != b.set_end) return false;
  switch (a.op) {
    case NodeOp::constant: return equal_constant(a.constant, b.constant);
    case NodeOp::element:
    case NodeOp::carried: return a.source == b.source;
    case NodeOp::round_whole: return a.rounding == b.rounding;
    case NodeOp::round_float: return a.rounding == b.rounding && a.overflow == b.overflow && a.format == b.format;
    case NodeOp::saturate:
    case NodeOp::trap: return a.low.identical(b.low) && a.high.identical(b.high);
    case NodeOp::wrap: return a.integer_format == b.integer_format;
    case NodeOp::real_function: return a.function == b.function;
    case NodeOp::look_up: return same_table(a, b);
    case NodeOp::aggregate:
      return a.aggregate.kind == b.aggregate.kind && a.aggregate.order == b.aggregate.order && a.aggregate.step == b.aggregate.step &&
             a.aggregate.combine == b.aggregate.combine && a.aggregate.blocks == b.aggregate.blocks &&
             a.aggregate.blocks_restart == b.aggregate.blocks_restart && a.aggregate.over_blocks == b.aggregate.over_blocks &&
             a.aggregate.over_restart == b.aggregate.over_restart;
    default: return true;
  }
}

bool same_source(const Source& a, const Source& b) {
  const bool same_tensor = a.tensor == b.tensor || (a.tensor != nullptr && b.tensor != nullptr && same_type(a.tensor->type(), b.tensor->type()) &&
                                                    std::ranges::equal(a.tensor->bytes(), b.tensor->bytes()));
  const bool same_undefined = a.undefined == b.undefined || (a.undefined != nullptr && b.undefined != nullptr && *a.undefined == *b.undefined);
  return a.integer == b.integer && same_tensor && same_undefined && written_alike(a.access, b.access) && a.access.may_miss == b.access.may_miss &&
         std::ranges::equal(a.values, b.values, [](const Real& x, const Real& y) { return x.identical(y); });
}

bool same_result(const FormulaResult& a, const FormulaResult& b) {
  return a.node == b.node && same_type(a.type, b.type) && a.per_item == b.per_item && a.single == b.single;
}

bool has_own_value(NodeOp op) {
  return op == NodeOp::constant || op == NodeOp::element || op == NodeOp::index || op == NodeOp::count || op == NodeOp::carried || op == NodeOp::aggregate;
}

}  // namespace

NodeId Formula::add(Node node) {
  if (!has_own_value(node.op)) {
    for (NodeId arg : node.args) node.rate |= (*this)[arg].rate;
    if (node.set_end >= 0) node.rate |= (*this)[node.set_end].rate;
    if (node.set_end < 0 && std::ranges::all_of(node.args, [&](NodeId arg) { return is_constant(arg); })) {
      std::vector<Value> args;
      for (NodeId arg : node.args) args.push_back((*this)[arg].constant);
      // An error stays a node: it is reported only where the value is needed.
      if (Result<Value> folded = apply_node(node, args)) {
        node.op = NodeOp::constant;
        node.args.clear();
        node.constant = *folded;
        node.rate = 0;
      }
    }
  }
  for (std::size_t i = nodes.size(); i-- > 0;)
    if (same_value(nodes[i], node)) return static_cast<NodeId>(i);
  nodes.push_back(std::move(node));
  return static_cast<NodeId>(nodes.size() - 1);
}

NodeId Formula::constant(Value value, bool integer) {
  Node node;
  node.truth = value.is_truth();
  node.integer = integer;
  node.constant = std::move(value);
  return add(std::move(node));
}

bool same_nodes(const Formula& a, const Formula& b) {
  return std::ranges::equal(a.results, b.results, same_result) &&
         std::ranges::equal(a.requires_, b.requires_, {}, &FormulaRequire::node, &FormulaRequire::node) && std::ranges::equal(a.nodes, b.nodes, same_value) &&
         std::ranges::equal(a.sources, b.sources, same_source) && written_alike(a.geometry, b.geometry);
}

}  // namespace tiebreak
