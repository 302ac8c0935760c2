// SPDX-License-Identifier: Apache-2.0
// By how much a node grows when the input grows by a constant: what makes one period of inputs stand for all.
#include "interpreter/stairs/piece_analysis.hpp"

namespace tiebreak {
namespace {

bool is_multiple(const Real& v, const Real& unit) { return (v / unit).is_whole(); }
bool is_finite_number(const Value& value) { return value.is_number() && value.number().is_finite(); }
bool to_even(Rounding rounding) { return rounding == Rounding::nearest_even || rounding == Rounding::to_odd; }

/// The distance of neighbours in the format where both numbers lie, if they lie in one binade, its upper end included, or among the
/// subnormals.
std::optional<Real> common_grid(const Real& a, const Real& b, const FloatFormat& format) {
  const Real low = min(abs(a), abs(b)), high = max(abs(a), abs(b));
  const std::int64_t least = 1 - format.bias;
  if (high.is_zero() || high > format.largest()) return std::nullopt;
  std::int64_t exponent = least;
  if (low.is_zero() || low.exponent() < least) {
    if (high > Real::power_of_two(least + 1)) return std::nullopt;
  } else {
    exponent = low.exponent();
    if (high > Real::power_of_two(exponent + 1)) return std::nullopt;
  }
  return Real::power_of_two(exponent - format.fraction_bits);
}

}  // namespace

Result<bool> PieceAnalysis::constant(NodeId id) {
  TIEBREAK_TRY(finding, of(id));
  if (!finding.settled() || finding.periodic) return false;
  if (finding.direction == 0) return true;
  TIEBREAK_TRY(begin, at_first_.at(id));
  TIEBREAK_TRY(end, at_last_.at(id));
  if (begin.is_undefined() || end.is_undefined()) return begin.is_undefined() && end.is_undefined();
  return is_finite_number(begin) && is_finite_number(end) && begin.number().identical(end.number());
}

Result<bool> PieceAnalysis::keeps_side(NodeId id) {
  TIEBREAK_TRY(finding, of(id));
  if (finding.periodic) return false;
  TIEBREAK_TRY(begin, at_first_.at(id));
  TIEBREAK_TRY(end, at_last_.at(id));
  return is_finite_number(begin) && is_finite_number(end) && begin.number().sign() * end.number().sign() >= 0;
}

Result<std::optional<Real>> PieceAnalysis::drift(NodeId id, const Real& shift) {
  TIEBREAK_TRY(node_id, known_.resolve(id));
  if (!known_.varies(node_id)) return Drift(Real(0));
  const Node& node = formula_[node_id];
  if (node.op == NodeOp::element) return Drift(shift);
  if (node.op == NodeOp::conditional) {
    TIEBREAK_TRY(condition, at_first_.at(node.args[0]));
    if (condition.is_undefined()) return Drift(Real(0));
    return drift(node.args[condition.truth() ? 1 : 2], shift);
  }
  TIEBREAK_TRY(same, constant(node_id));
  if (same) return Drift(Real(0));
  std::vector<Real> d;
  bool still = true;
  for (NodeId arg : node.args) {
    TIEBREAK_TRY(of_arg, drift(arg, shift));
    if (!of_arg) return Drift{};
    still = still && of_arg->is_zero();
    d.push_back(*of_arg);
  }
  if (still) return Drift(Real(0));
  switch (node.op) {
    using enum NodeOp;
    case add: return Drift(d[0] + d[1]);
    case subtract: return Drift(d[0] - d[1]);
    case negate: return Drift(-d[0]);
    case multiply:
    case divide: return drift_of_product(node, d);
    case round_whole: return drift_of_whole(node, d[0]);
    case round_float: return drift_of_float(node, d[0]);
    case wrap: {
      if (is_multiple(d[0], Real::power_of_two(node.integer_format.bits))) return Drift(Real(0));
      TIEBREAK_TRY(finding, of(node_id));
      return finding.periodic ? Drift{} : Drift(d[0]);  // of one period, in which it is its argument less a constant
    }
    case saturate:
    case trap: return drift_within(node, d[0]);
    case minimum:
    case maximum: return drift_of_extreme(node_id, node, d);
    case absolute: {
      TIEBREAK_TRY(kept, keeps_side(node.args[0]));
      TIEBREAK_TRY(side, side_at_first(node.args[0]));
      return kept ? Drift(Real(side) * d[0]) : Drift{};
    }
    default: return Drift{};
  }
}

/// One factor stands still, or the divisor does.
Result<PieceAnalysis::Drift> PieceAnalysis::drift_of_product(const Node& node, const std::vector<Real>& d) {
  const std::size_t still = d[1].is_zero() ? 1 : 0;
  if (!d[still].is_zero() || (node.op == NodeOp::divide && still == 0)) return Drift{};
  TIEBREAK_TRY(fixed, constant(node.args[still]));
  if (known_.varies(node.args[still]) && !fixed) return Drift{};
  TIEBREAK_TRY(value, at_first_.at(node.args[still]));
  if (!is_finite_number(value) || value.number().is_zero()) return Drift{};
  return Drift(node.op == NodeOp::divide ? d[0] / value.number() : d[1 - still] * value.number());
}

/// A rounding follows its argument by whole numbers, where ties go to even numbers by even ones; where the sign decides, on one side of
/// zero.
Result<PieceAnalysis::Drift> PieceAnalysis::drift_of_whole(const Node& node, const Real& d) {
  TIEBREAK_TRY(kept, keeps_side(node.args[0]));
  const bool by_sign = node.rounding == Rounding::toward_zero || node.rounding == Rounding::nearest_away || node.rounding == Rounding::nearest_zero;
  if (by_sign && !kept) return Drift{};
  return is_multiple(d, Real(to_even(node.rounding) ? 2 : 1)) ? Drift(d) : Drift{};
}

/// The same on the grid of one binade, far from the format's ends.
Result<PieceAnalysis::Drift> PieceAnalysis::drift_of_float(const Node& node, const Real& d) {
  TIEBREAK_TRY(kept, keeps_side(node.args[0]));
  if (!kept || node.format->kind == FloatClass::scale) return Drift{};
  TIEBREAK_TRY(begin, at_first_.at(node.args[0]));
  TIEBREAK_TRY(end, at_last_.at(node.args[0]));
  const auto grid = common_grid(begin.number(), end.number(), *node.format);
  if (!grid) return Drift{};
  return is_multiple(d, to_even(node.rounding) ? *grid * Real(2) : *grid) ? Drift(d) : Drift{};
}

/// Within the range at both ends: the argument itself.
Result<PieceAnalysis::Drift> PieceAnalysis::drift_within(const Node& node, const Real& d) {
  TIEBREAK_TRY(finding, of(node.args[0]));
  if (finding.periodic) return Drift{};
  for (PointValues* values : {&at_first_, &at_last_}) {
    TIEBREAK_TRY(value, values->at(node.args[0]));
    if (!value.is_number() || !(value.number() >= node.low && value.number() <= node.high)) return Drift{};
  }
  return Drift(d);
}

/// The argument that moves, where it is the result at both ends and the other one stands still.
Result<PieceAnalysis::Drift> PieceAnalysis::drift_of_extreme(NodeId id, const Node& node, const std::vector<Real>& d) {
  if (!d[0].is_zero() && !d[1].is_zero()) return Drift{};
  const std::size_t moves = d[0].is_zero() ? 1 : 0;
  TIEBREAK_TRY(finding, of(node.args[moves]));
  TIEBREAK_TRY(still, of(node.args[1 - moves]));
  if (finding.periodic || still.periodic) return Drift{};
  for (PointValues* values : {&at_first_, &at_last_}) {
    TIEBREAK_TRY(whole, values->at(id));
    TIEBREAK_TRY(part, values->at(node.args[moves]));
    if (!is_finite_number(whole) || !is_finite_number(part) || whole.number() != part.number()) return Drift{};
  }
  return Drift(d[moves]);
}

}  // namespace tiebreak
