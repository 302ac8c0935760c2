// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/innocuous_rounding.hpp"

namespace tiebreak {

bool innocuous_rounding(const Node& operation, const FloatFormat& narrow, const FloatFormat& wide) {
  if (narrow.kind != FloatClass::ieee || wide.kind != FloatClass::ieee) return false;
  if (wide.precision() < 2 * narrow.precision() + 2 || wide.largest() < narrow.largest() || wide.smallest() > narrow.smallest()) return false;
  // What is subnormal in the wide format: less than half of what the narrow one has.
  const Real least_normal = wide.smallest() * Real::power_of_two(wide.fraction_bits);
  switch (operation.op) {
    case NodeOp::add:
    case NodeOp::subtract: return true;  // a sum that is small is a value of both formats
    case NodeOp::divide: return least_normal <= narrow.smallest() / Real(4);
    case NodeOp::real_function: return operation.function == RealFunction::sqrt && least_normal <= narrow.smallest();
    default: return false;
  }
}

bool keeps_whole_part(const Real& a, const Real& b, const FloatFormat& format) {
  if (format.kind != FloatClass::ieee || !a.is_finite() || !b.is_finite() || b.is_zero()) return false;
  const Real least_normal = format.smallest() * Real::power_of_two(format.fraction_bits);
  return a + b <= Real::power_of_two(format.precision()) && a <= format.largest() && least_normal * b <= Real(1);
}

std::optional<std::pair<NodeId, NodeId>> remainder_of(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  if (node.op != NodeOp::subtract) return std::nullopt;
  const Node& product = formula[node.args[1]];
  if (product.op != NodeOp::multiply) return std::nullopt;
  const Node& whole = formula[product.args[0]];
  if (whole.op != NodeOp::round_whole || whole.rounding != Rounding::toward_zero) return std::nullopt;
  const Node& quotient = formula[whole.args[0]];
  if (quotient.op != NodeOp::divide || quotient.args[0] != node.args[0] || quotient.args[1] != product.args[1]) return std::nullopt;
  return std::pair(node.args[0], product.args[1]);
}

NodeId exponent_of_two(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  if (node.op != NodeOp::power || !formula.is_constant(node.args[0]) || !formula[node.args[0]].constant.is_number()) return -1;
  return formula[node.args[0]].constant.number() == Real(2) ? node.args[1] : -1;
}

}  // namespace tiebreak
