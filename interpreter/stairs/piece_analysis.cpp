// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/piece_analysis.hpp"

namespace tiebreak {
namespace {

/// 1 or -1. The sign of 1 + exp(-1e30) is plain although no rounding of it to odd is.
Result<int> side_of_zero(const Computable& value) {
  if (const int sign = value.sign(); sign != 0) return sign;
  TIEBREAK_TRY(rounded, value.round_whole(Rounding::to_odd));
  return rounded.is_negative() && !rounded.is_zero() ? -1 : 1;
}

}  // namespace

Result<Finding> PieceAnalysis::of(NodeId id) {
  TIEBREAK_TRY(node_id, known_.resolve(id));
  if (!known_.varies(node_id)) return Finding{};
  if (auto found = findings_.find(node_id); found != findings_.end()) return found->second;
  TIEBREAK_TRY(finding, run_.first == run_.last ? Result<Finding>(Finding{}) : compute(node_id));  // one place is nothing to move over
  findings_[node_id] = finding;
  return finding;
}

Result<Finding> PieceAnalysis::same_mark(NodeId id, const Mark& mark, Finding otherwise) {
  TIEBREAK_TRY(begin, mark(at_first_));
  TIEBREAK_TRY(end, mark(at_last_));
  if (begin == end) return otherwise;
  if (abs(end - begin) > Real(limit_)) return unknown(id);  // as many pieces, or more
  const Real middle = round_whole((begin + end) / Real(2), begin < end ? Rounding::down : Rounding::up);
  std::int64_t low = run_.first, high = run_.last;  // the mark at low is on begin's side of the middle, at high it is not
  while (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > 1) {
    const std::int64_t between = low + static_cast<std::int64_t>((static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2);
    PointValues values = point(between);
    TIEBREAK_TRY(here, mark(values));
    const bool near_begin = begin < end ? here <= middle : here >= middle;
    (near_begin ? low : high) = between;
  }
  return Finding{.cut = high};
}

Mark PieceAnalysis::side_of(NodeId id) {
  return [id](PointValues& values) -> Result<Real> {
    TIEBREAK_TRY(value, values.at(id));
    if (value.is_computable()) {
      TIEBREAK_TRY(side, side_of_zero(value.computable()));
      return Real(side);
    }
    return Real(value.is_number() && (value.number() <=> Real(0)) < 0 ? -1 : 1);
  };
}

Mark PieceAnalysis::kind_of(NodeId id) {
  return [id](PointValues& values) -> Result<Real> {
    TIEBREAK_TRY(value, values.at(id));
    if (value.is_computable()) {
      TIEBREAK_TRY(side, side_of_zero(value.computable()));
      return Real(side < 0 ? -2 : 1);
    }
    if (!value.is_number() || value.number().is_nan()) return Real(0);
    const Real& number = value.number();
    const int size = number.is_zero() ? 0 : number.is_finite() ? 1 : 2;
    return Real(number.is_negative() ? -1 - size : size);
  };
}

Mark PieceAnalysis::value_of(NodeId id) {
  return [id](PointValues& values) -> Result<Real> {
    TIEBREAK_TRY(value, values.at(id));
    return value.is_number() && value.number().is_finite() ? value.number() : Real(0);
  };
}

bool PieceAnalysis::goes_round(const Node& node) {
  switch (node.op) {
    using enum NodeOp;
    case add:
    case subtract:
    case negate:
    case round_whole:
    case wrap: return true;
    default: return false;
  }
}

Result<int> PieceAnalysis::side_at_first(NodeId id) {
  TIEBREAK_TRY(side, side_of(id)(at_first_));
  return side.sign();
}

Result<Finding> PieceAnalysis::compute(NodeId id) {
  const Node& node = formula_[id];
  if (node.op == NodeOp::element) return directed(run_.falls ? -1 : 1);
  if (node.op == NodeOp::conditional) return branch(node);
  if (node.op == NodeOp::conjunction || node.op == NodeOp::disjunction) return both(node);
  std::vector<int> d;
  bool periodic = false;
  for (NodeId arg : node.args) {
    TIEBREAK_TRY(finding, of(arg));
    if (!finding.settled()) return finding;
    periodic = periodic || finding.periodic;
    d.push_back(finding.direction);
  }
  if (periodic) return goes_round(node) ? Finding{.periodic = true} : unknown(id);
  switch (node.op) {  // what must be cut by more than a sign
    using enum NodeOp;
    case round_float: return rounded(node, d[0]);
    case wrap: return wrapped(id, node, d[0]);
    case trap: return trapped(id, node, d[0]);
    case power: return same_mark(id, value_of(node.args[1]), known_.varies(node.args[0]) ? unknown(id) : directed(0));
    default: break;
  }
  const OperationTraits* operation = find_traits(node.op);
  if (operation == nullptr) return unknown(id);
  if (operation->loops.truths != nullptr) return compared(id, node, d);
  if (operation->gives == Gives::truth) return directed(0);
  return moved(id, node, d);
}

/// As the courses say with which the operation follows its arguments.
Result<Finding> PieceAnalysis::moved(NodeId id, const Node& node, const std::vector<int>& d) {
  int direction = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    int with_argument = 0;
    switch (course_of(node, i)) {
      case Course::rises: with_argument = d[i]; break;
      case Course::falls: with_argument = -d[i]; break;
      case Course::with_other:
      case Course::against_other: return product(id, node, d);
      case Course::with_own: {
        TIEBREAK_TRY(side, side_at_first(node.args[i]));
        return same_mark(id, side_of(node.args[i]), directed(side * d[i]));
      }
      case Course::rises_where_number:
      case Course::falls_above_zero:
      case Course::unknown: return unknown(id);
    }
    const Finding both = combined(id, direction, with_argument);
    if (!both.settled()) return both;
    direction = both.direction;
  }
  return directed(direction);
}

Result<Finding> PieceAnalysis::branch(const Node& node) {
  TIEBREAK_TRY(condition, of(node.args[0]));
  if (!condition.settled()) return condition;
  TIEBREAK_TRY(value, at_first_.at(node.args[0]));
  if (value.is_undefined()) return directed(0);
  return of(node.args[value.truth() ? 1 : 2]);
}

/// The second is not asked for, and may be an error, where the first is the answer.
Result<Finding> PieceAnalysis::both(const Node& node) {
  TIEBREAK_TRY(first, of(node.args[0]));
  if (!first.settled()) return first;
  TIEBREAK_TRY(value, at_first_.at(node.args[0]));
  if (value.is_undefined() || value.truth() == (node.op == NodeOp::disjunction)) return directed(0);
  TIEBREAK_TRY(second, of(node.args[1]));
  return second.settled() ? directed(0) : second;
}

Result<Finding> PieceAnalysis::product(NodeId id, const Node& node, const std::vector<int>& d) {
  const bool division = node.op == NodeOp::divide;
  for (int i = 0; i < 2; ++i) {
    const NodeId arg = node.args[static_cast<std::size_t>(i)];
    if (known_.varies(arg)) continue;
    TIEBREAK_TRY(value, known_.of(arg));
    if (!value.is_number()) return value.is_undefined() ? directed(0) : unknown(id);
    if (value.number().is_zero() && !division) {
      TIEBREAK_TRY(stays_finite, finite_at_ends(node.args[static_cast<std::size_t>(1 - i)]));
      if (stays_finite) return directed(0);
    }
    if (division && i == 0) {
      if (value.number().is_zero() || !value.number().is_finite()) return unknown(id);
      return same_mark(id, kind_of(node.args[1]), directed(-value.number().sign() * d[1]));
    }
    if (value.number().is_nan()) return directed(0);
    // By zero or an infinity there may be a nan in the middle; the product has one value for each kind of the other factor.
    if (!value.number().is_finite() || value.number().is_zero()) return same_mark(id, kind_of(node.args[static_cast<std::size_t>(1 - i)]), directed(0));
    return directed(value.number().sign() * d[static_cast<std::size_t>(1 - i)]);
  }
  if (division) {  // by what stands still on this piece
    TIEBREAK_TRY(divisor, at_first_.at(node.args[1]));
    if (d[1] != 0 || !divisor.is_number() || !divisor.number().is_finite() || divisor.number().is_zero()) return unknown(id);
    return directed(divisor.number().sign() * d[0]);
  }
  for (NodeId arg : node.args) {
    TIEBREAK_TRY(same, same_mark(id, side_of(arg), directed(0)));
    if (!same.settled()) return same;
  }
  TIEBREAK_TRY(x, side_at_first(node.args[0]));
  TIEBREAK_TRY(y, side_at_first(node.args[1]));
  return combined(id, y * d[0], x * d[1]);
}

Result<bool> PieceAnalysis::finite_at_ends(NodeId id) {
  TIEBREAK_TRY(begin, at_first_.at(id));
  TIEBREAK_TRY(end, at_last_.at(id));
  return begin.is_number() && begin.number().is_finite() && end.is_number() && end.number().is_finite();
}

Result<Finding> PieceAnalysis::rounded(const Node& node, int direction) {
  if (node.overflow == Overflow::saturate || (node.overflow == Overflow::format && node.format->has_infinity())) return directed(direction);
  const Node copy = node;
  auto zone = [copy](PointValues& values) -> Result<Real> {
    TIEBREAK_TRY(arg, values.at(copy.args[0]));
    TIEBREAK_TRY(value, apply_node(copy, {arg}));
    if (value.is_number() && !value.number().is_nan()) return Real(0);
    return Real(arg.is_number() && arg.number().is_negative() ? -1 : 1);
  };
  TIEBREAK_TRY(begin, zone(at_first_));
  return same_mark(node.args[0], zone, directed(begin.is_zero() ? direction : 0));
}

Result<Finding> PieceAnalysis::wrapped(NodeId id, const Node& node, int direction) {
  const Real least = node.integer_format.min(), period = Real::power_of_two(node.integer_format.bits);
  TIEBREAK_TRY(finding, same_mark(
                            id,
                            [arg = node.args[0], least, period](PointValues& values) -> Result<Real> {
                              TIEBREAK_TRY(value, values.at(arg));
                              if (!value.is_number()) return Real(0);
                              return tiebreak::round_whole((value.number() - least) / period, Rounding::down);
                            },
                            directed(direction)));
  return finding.unknown >= 0 && periods_ ? Finding{.periodic = true} : finding;
}

Result<Finding> PieceAnalysis::trapped(NodeId id, const Node& node, int direction) {
  auto zone = [arg = node.args[0], low = node.low, high = node.high](PointValues& values) -> Result<Real> {
    TIEBREAK_TRY(value, values.at(arg));
    if (!value.is_number()) return Real(2);
    return Real(value.number() < low ? -1 : value.number() > high ? 1 : 0);
  };
  TIEBREAK_TRY(begin, zone(at_first_));
  return same_mark(id, zone, directed(begin.is_zero() ? direction : 0));
}

Result<Finding> PieceAnalysis::compared(NodeId id, const Node& node, const std::vector<int>& d) {
  Finding difference = combined(id, d[0], -d[1]);
  if (!difference.settled()) {  // both move: one of them may stay where it is, on this piece
    TIEBREAK_TRY(left_stays, constant(node.args[0]));
    TIEBREAK_TRY(right_stays, constant(node.args[1]));
    difference = combined(id, left_stays ? 0 : d[0], right_stays ? 0 : -d[1]);
  }
  if (!difference.settled()) return difference;
  if (formula_[node.args[0]].truth) return unknown(id);
  return same_mark(
      id,
      [a = node.args[0], b = node.args[1]](PointValues& values) -> Result<Real> {
        TIEBREAK_TRY(left, values.at(a));
        TIEBREAK_TRY(right, values.at(b));
        if (!left.is_number() || !right.is_number()) return Real(2);
        const auto order = left.number() <=> right.number();
        return Real(order < 0 ? -1 : order > 0 ? 1 : order == 0 ? 0 : 2);
      },
      directed(0));
}

}  // namespace tiebreak
