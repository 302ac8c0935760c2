// SPDX-License-Identifier: Apache-2.0
#include "interpreter/evaluate/monotone_pieces.hpp"

#include <algorithm>
#include <map>

namespace tiebreak {
namespace {

/// What is known of a node on one piece.
struct Finding {
  int direction = 0;
  std::optional<std::int64_t> cut{};  ///< first ordinal of the second part: look at the parts apart
  NodeId unknown = -1;
  bool settled() const { return !cut && unknown < 0; }
};

/// The exact values of nodes for one input.
class PointValues {
 public:
  PointValues(const Formula& formula, KnownValues& known, int varied, Real input) : formula_(formula), known_(known), varied_(varied), input_(std::move(input)) {}

  Result<Value> at(NodeId id) {
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

 private:
  const Formula& formula_;
  KnownValues& known_;
  int varied_;
  Real input_;
  std::map<NodeId, Value> values_{};
};

/// A number that tells apart where a node must be cut: sign, number of the wrap, zone of a range, truth.
using Mark = std::function<Result<Real>(PointValues&)>;

class PieceAnalysis {
 public:
  PieceAnalysis(ScalarFunction::Parts& parts, std::int64_t first, std::int64_t last, std::size_t limit)
      : parts_(parts), formula_(parts.formula), known_(*parts.known), first_(first), last_(last), limit_(static_cast<std::int64_t>(limit)), at_first_(point(first)), at_last_(point(last)) {}

  Result<Finding> of(NodeId id) {
    TIEBREAK_TRY(node_id, known_.resolve(id));
    if (!known_.varies(node_id)) return Finding{};
    if (auto found = findings_.find(node_id); found != findings_.end()) return found->second;
    TIEBREAK_TRY(finding, compute(node_id));
    findings_[node_id] = finding;
    return finding;
  }

 private:
  PointValues point(std::int64_t ordinal) { return PointValues(formula_, known_, parts_.varied_source, parts_.input.value(ordinal)); }

  /// A mark that is monotone on the piece: equal at both ends means equal throughout; else the piece is cut, near the middle of the marks.
  Result<Finding> same_mark(NodeId id, const Mark& mark, Finding otherwise) {
    TIEBREAK_TRY(begin, mark(at_first_));
    TIEBREAK_TRY(end, mark(at_last_));
    if (begin == end) return otherwise;
    if (abs(end - begin) > Real(limit_)) return unknown(id);  // as many pieces, or more
    const Real middle = round_whole((begin + end) / Real(2), begin < end ? Rounding::down : Rounding::up);
    std::int64_t low = first_, high = last_;  // the mark at low is on begin's side of the middle, at high it is not
    while (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > 1) {
      const std::int64_t between = low + static_cast<std::int64_t>((static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2);
      PointValues values = point(between);
      TIEBREAK_TRY(here, mark(values));
      const bool near_begin = begin < end ? here <= middle : here >= middle;
      (near_begin ? low : high) = between;
    }
    return Finding{.cut = high};
  }

  static Finding directed(int direction) { return Finding{.direction = direction}; }
  static Finding unknown(NodeId id) { return Finding{.unknown = id}; }
  static Finding combined(NodeId id, int a, int b) { return a == 0 || b == 0 || a == b ? directed(a != 0 ? a : b) : unknown(id); }

  /// 1 for numbers from +0 up, -1 below.
  Mark side_of(NodeId id) {
    return [id](PointValues& values) -> Result<Real> {
      TIEBREAK_TRY(value, values.at(id));
      if (value.is_computable()) {
        TIEBREAK_TRY(rounded, value.computable().round_whole(Rounding::to_odd));
        return Real(rounded.is_negative() && !rounded.is_zero() ? -1 : 1);
      }
      return Real(value.is_number() && (value.number() <=> Real(0)) < 0 ? -1 : 1);
    };
  }
  /// -inf, below zero, -0, +0, above zero, inf: six numbers in order.
  Mark kind_of(NodeId id) {
    return [id](PointValues& values) -> Result<Real> {
      TIEBREAK_TRY(value, values.at(id));
      if (value.is_computable()) {
        TIEBREAK_TRY(rounded, value.computable().round_whole(Rounding::to_odd));
        return Real(rounded.is_negative() && !rounded.is_zero() ? -2 : 1);
      }
      if (!value.is_number() || value.number().is_nan()) return Real(0);
      const Real& number = value.number();
      const int size = number.is_zero() ? 0 : number.is_finite() ? 1 : 2;
      return Real(number.is_negative() ? -1 - size : size);
    };
  }
  Result<int> side_at_first(NodeId id) {
    TIEBREAK_TRY(side, side_of(id)(at_first_));
    return side.sign();
  }

  Result<Finding> compute(NodeId id) {
    const Node& node = formula_[id];
    if (node.op == NodeOp::element) return directed(1);
    if (node.op == NodeOp::conditional) return branch(node);
    std::vector<int> d;
    for (NodeId arg : node.args) {
      TIEBREAK_TRY(finding, of(arg));
      if (!finding.settled()) return finding;
      d.push_back(finding.direction);
    }
    switch (node.op) {
      using enum NodeOp;
      case add: return combined(id, d[0], d[1]);
      case subtract: return combined(id, d[0], -d[1]);
      case multiply:
      case divide: return product(id, node, d);
      case negate: return directed(-d[0]);
      case round_whole:
      case saturate:
      case sign: return directed(d[0]);
      case round_float: return rounded(node, d[0]);
      case wrap: return wrapped(id, node, d[0]);
      case trap: return trapped(id, node, d[0]);
      case minimum:
      case maximum: return combined(id, d[0], d[1]);
      case absolute:
      case exponent: {
        TIEBREAK_TRY(side, side_at_first(node.args[0]));
        return same_mark(id, side_of(node.args[0]), directed(side * d[0]));
      }
      case equal:
      case not_equal:
      case less:
      case less_equal: return compared(id, node, d);
      case conjunction:
      case disjunction:
      case negation:
      case is_nan: return directed(0);
      case real_function: return function(id, node, d);
      default: return unknown(id);
    }
  }

  Result<Finding> branch(const Node& node) {
    TIEBREAK_TRY(condition, of(node.args[0]));
    if (!condition.settled()) return condition;
    TIEBREAK_TRY(value, at_first_.at(node.args[0]));
    if (value.is_undefined()) return directed(0);
    return of(node.args[value.truth() ? 1 : 2]);
  }

  /// d(xy) has the signs y dx + x dy, d(x / y) those of y dx - x dy.
  Result<Finding> product(NodeId id, const Node& node, const std::vector<int>& d) {
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
      if (division && i == 0) return unknown(id);
      if (value.number().is_nan()) return directed(0);
      // By zero or an infinity there may be a nan in the middle; the product has one value for each kind of the other factor.
      if (!value.number().is_finite() || value.number().is_zero()) return same_mark(id, kind_of(node.args[static_cast<std::size_t>(1 - i)]), directed(0));
      return directed(value.number().sign() * d[static_cast<std::size_t>(1 - i)]);
    }
    if (division) return unknown(id);
    for (NodeId arg : node.args) {
      TIEBREAK_TRY(same, same_mark(id, side_of(arg), directed(0)));
      if (!same.settled()) return same;
    }
    TIEBREAK_TRY(x, side_at_first(node.args[0]));
    TIEBREAK_TRY(y, side_at_first(node.args[1]));
    return combined(id, y * d[0], x * d[1]);
  }

  /// Of a node that is monotone on the piece: then it is finite throughout.
  Result<bool> finite_at_ends(NodeId id) {
    TIEBREAK_TRY(begin, at_first_.at(id));
    TIEBREAK_TRY(end, at_last_.at(id));
    return begin.is_number() && begin.number().is_finite() && end.is_number() && end.number().is_finite();
  }

  /// A format without infinities has no value, or nan, beyond its ends.
  Result<Finding> rounded(const Node& node, int direction) {
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

  Result<Finding> wrapped(NodeId id, const Node& node, int direction) {
    const Real least = node.integer_format.min(), period = Real::power_of_two(node.integer_format.bits);
    return same_mark(id, [arg = node.args[0], least, period](PointValues& values) -> Result<Real> {
      TIEBREAK_TRY(value, values.at(arg));
      if (!value.is_number()) return Real(0);
      return tiebreak::round_whole((value.number() - least) / period, Rounding::down);
    }, directed(direction));
  }

  Result<Finding> trapped(NodeId id, const Node& node, int direction) {
    auto zone = [arg = node.args[0], low = node.low, high = node.high](PointValues& values) -> Result<Real> {
      TIEBREAK_TRY(value, values.at(arg));
      if (!value.is_number()) return Real(2);
      return Real(value.number() < low ? -1 : value.number() > high ? 1 : 0);
    };
    TIEBREAK_TRY(begin, zone(at_first_));
    return same_mark(id, zone, directed(begin.is_zero() ? direction : 0));
  }

  /// The sign of the difference is monotone; cut where it changes, so that the truth is constant.
  Result<Finding> compared(NodeId id, const Node& node, const std::vector<int>& d) {
    const Finding difference = combined(id, d[0], -d[1]);
    if (!difference.settled()) return difference;
    if (formula_[node.args[0]].truth) return unknown(id);
    return same_mark(id, [a = node.args[0], b = node.args[1]](PointValues& values) -> Result<Real> {
      TIEBREAK_TRY(left, values.at(a));
      TIEBREAK_TRY(right, values.at(b));
      if (!left.is_number() || !right.is_number()) return Real(2);
      const auto order = left.number() <=> right.number();
      return Real(order < 0 ? -1 : order > 0 ? 1 : order == 0 ? 0 : 2);
    }, directed(0));
  }

  static Result<Finding> function(NodeId id, const Node& node, const std::vector<int>& d) {
    switch (node.function) {
      using enum RealFunction;
      case exp:
      case expm1:
      case cbrt:
      case tanh:
      case erf:
      case logistic: return directed(d[0]);
      default: return unknown(id);
    }
  }

  ScalarFunction::Parts& parts_;
  const Formula& formula_;
  KnownValues& known_;
  std::int64_t first_, last_, limit_;
  PointValues at_first_, at_last_;
  std::map<NodeId, Finding> findings_{};
};

Result<Finding> analyse(ScalarFunction::Parts& parts, std::int64_t first, std::int64_t last, std::size_t limit) {
  PieceAnalysis analysis(parts, first, last, limit);
  for (const FormulaRequire& requirement : parts.formula.requires_) {
    TIEBREAK_TRY(held, analysis.of(requirement.node));
    if (!held.settled()) return held;
  }
  return analysis.of(parts.root);
}

}  // namespace

Result<MonotonePieces> monotone_pieces(ScalarFunction::Parts& parts, std::size_t limit) {
  TIEBREAK_CHECK(parts.make_plan());
  MonotonePieces result;
  std::vector<std::pair<std::int64_t, std::int64_t>> waiting{{parts.input.first, parts.input.last}};
  while (!waiting.empty()) {
    const auto [first, last] = waiting.back();
    waiting.pop_back();
    TIEBREAK_TRY(finding, analyse(parts, first, last, limit));
    if (finding.unknown >= 0) return MonotonePieces{{}, parts.formula[finding.unknown].text};
    if (finding.cut) {
      if (result.pieces.size() + waiting.size() >= limit) return MonotonePieces{{}, "more cuts than the limit"};
      waiting.emplace_back(*finding.cut, last);
      waiting.emplace_back(first, *finding.cut - 1);
      continue;
    }
    result.pieces.push_back({first, last, finding.direction});
  }
  return result;
}

}  // namespace tiebreak
