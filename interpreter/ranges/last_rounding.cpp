// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/last_rounding.hpp"

#include <limits>

namespace tiebreak {
namespace {

bool rounds(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  if (node.op == NodeOp::round_whole || node.op == NodeOp::round_float) return true;
  if (node.op == NodeOp::aggregate) return false;
  for (NodeId arg : node.args)
    if (rounds(formula, arg)) return true;
  return false;
}

NodeId rebuilt(Formula& formula, NodeId id, std::vector<NodeId> args) {
  Node node = formula[id];
  node.args = std::move(args);
  node.integer = false;
  node.rate = 0;
  return formula.add(std::move(node));
}

NodeId walk(Formula& formula, NodeId id, LastRounding& last) {
  const Node node = formula[id];
  switch (node.op) {
    case NodeOp::round_whole:
    case NodeOp::round_float:
      last.found = true;
      last.rounding = node.rounding;
      last.format = node.op == NodeOp::round_float ? node.format : nullptr;
      return node.args[0];
    case NodeOp::saturate:
    case NodeOp::wrap:
    case NodeOp::trap: return walk(formula, node.args[0], last);
    case NodeOp::conditional: {
      const NodeId then = walk(formula, node.args[1], last);
      const NodeId otherwise = walk(formula, node.args[2], last);
      return rebuilt(formula, id, {node.args[0], then, otherwise});
    }
    case NodeOp::minimum:
    case NodeOp::maximum:  // clamps leave the value to the side that rounds
      if (rounds(formula, node.args[0])) return walk(formula, node.args[0], last);
      if (rounds(formula, node.args[1])) return walk(formula, node.args[1], last);
      return id;
    case NodeOp::add:
    case NodeOp::subtract:
    case NodeOp::negate: {
      std::vector<NodeId> args = node.args;
      for (NodeId& arg : args)
        if (rounds(formula, arg)) {
          arg = walk(formula, arg, last);
          return rebuilt(formula, id, args);
        }
      return id;
    }
    default: return id;
  }
}

Real nearest_boundary(const Real& v, Rounding rounding) {
  const Real below = round_whole(v, Rounding::down);
  const Real half = Real::power_of_two(-1);
  switch (rounding) {
    using enum Rounding;
    case nearest_even:
    case nearest_away:
    case nearest_up:
    case nearest_down:
    case nearest_zero: return below + half;
    default: break;
  }
  return (v - below <=> half) < 0 ? below : below + Real(1);
}

}  // namespace

LastRounding last_rounding(Formula& formula, NodeId result) {
  LastRounding last;
  last.node = walk(formula, result, last);
  return last;
}

double distance_to_boundary(const Real& before, const LastRounding& rounding, const Real& low, const Real& high) {
  if (!rounding.found || !before.is_finite()) return std::numeric_limits<double>::quiet_NaN();
  if (rounding.format != nullptr) {
    auto below = round_to(before, *rounding.format, Rounding::down);
    auto above = round_to(before, *rounding.format, Rounding::up);
    if (!below || !above || !below->is_finite() || !above->is_finite()) return std::numeric_limits<double>::quiet_NaN();
    if (*below == *above) return 0.5;
    const Real gap = *above - *below;
    const Real middle = *below + gap * Real::power_of_two(-1);
    return ((before - middle) / gap).to_double();
  }
  const Real half = Real::power_of_two(-1);
  Real boundary = nearest_boundary(before, rounding.rounding);
  const Real first = low + half, last = high - half;
  if ((boundary <=> first) < 0) boundary = first;
  if ((boundary <=> last) > 0) boundary = last;
  return (before - boundary).to_double();
}

}  // namespace tiebreak
