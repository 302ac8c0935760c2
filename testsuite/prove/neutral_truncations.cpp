// SPDX-License-Identifier: Apache-2.0
// Numbers of which not all digits count: a cut to so many of them, a parity.
#include "testsuite/prove/neutral_operations.hpp"

namespace tiebreak {

/// `if abs(v) > 0 and abs(v) < inf then rtz(v / 2^(exponent(v) - n)) * 2^(exponent(v) - n) else v`
NeutralOperations::Cut NeutralOperations::cut_of(const Node& node) const {
  using enum NodeOp;
  if (node.op != conditional) return {};
  const NodeId v = node.args[2];
  const Node& product = formula[node.args[1]];
  if (product.op != multiply || formula[product.args[0]].op != round_whole || formula[product.args[0]].rounding != Rounding::toward_zero) return {};
  const Node& quotient = formula[formula[product.args[0]].args[0]];
  const NodeId unit = product.args[1];
  if (quotient.op != divide || quotient.args[0] != v || quotient.args[1] != unit || formula[unit].op != power) return {};
  const Node& exponent_of = formula[formula[unit].args[1]];
  const bool base_two = formula.is_constant(formula[unit].args[0]) && formula[formula[unit].args[0]].constant.number() == Real(2);
  if (!base_two || exponent_of.op != subtract || formula[exponent_of.args[0]].op != exponent || formula[exponent_of.args[0]].args[0] != v ||
      !formula.is_constant(exponent_of.args[1]))
    return {};
  const std::optional<std::int64_t> digits = formula[exponent_of.args[1]].constant.number().to_int64();
  const Node& both = formula[node.args[0]];
  const auto bounded = [&](NodeId condition, std::size_t magnitude, const Real& other) {
    const Node& one = formula[condition];
    return one.op == less && formula[one.args[magnitude]].op == absolute && formula[one.args[magnitude]].args[0] == v &&
           formula.is_constant(one.args[1 - magnitude]) && formula[one.args[1 - magnitude]].constant.number() == other;
  };
  if (both.op != conjunction || !bounded(both.args[0], 1, Real(0)) || !bounded(both.args[1], 0, Real::infinity()) || !digits || *digits < 0) return {};
  return {v, *digits};
}

/// v of a cut of v that has no more than n + 1 digits: the cut leaves all of them, and what is no number with digits stays.
NodeId NeutralOperations::cut_value(const Node& node) {
  const auto [v, digits] = cut_of(node);
  if (v < 0) return -1;
  const Real most = Real::power_of_two(digits + 1);
  const ValueRange range = ranges.of(v);
  if (range.whole && !range.infinite() && range.low >= -most && range.high <= most) return v;
  for (const char* name : {"f8e5m2", "bf16", "f16", "tf32", "f32", "f64"})
    if (const FloatFormat* format = find_float_format(name); format != nullptr && format->precision() <= digits + 1 && in_format(v, *format)) return v;
  return -1;
}

NodeId NeutralOperations::uncut(NodeId id) {
  for (;;) {
    const NodeId value = cut_of(formula[id]).value;
    if (value < 0) return id;
    id = value;
  }
}

NodeId NeutralOperations::same_parity(NodeId id) {
  const auto is_even = [&](NodeId node) {
    return formula.is_constant(node) && formula[node].constant.is_number() && (formula[node].constant.number() / Real(2)).is_whole() &&
           formula[node].constant.number().is_finite();
  };
  for (;;) {
    id = without(id, false);
    const Node& node = formula[id];
    const bool sum = node.op == NodeOp::add || node.op == NodeOp::subtract;
    if (sum && is_even(node.args[0]) && ranges.of(node.args[1]).whole) id = node.args[1];
    else if (sum && is_even(node.args[1]) && ranges.of(node.args[0]).whole) id = node.args[0];
    else if (node.op == NodeOp::negate && ranges.of(node.args[0]).whole) id = node.args[0];
    else if (node.op == NodeOp::bit_and && is_odd_mask(node.args[1])) id = node.args[0];
    else return id;
  }
}

/// A mask that keeps the lowest bit.
bool NeutralOperations::is_odd_mask(NodeId id) const {
  const Node& node = formula[id];
  return node.op == NodeOp::constant && node.constant.is_number() && node.constant.number() == Real(1);
}

}  // namespace tiebreak
