// SPDX-License-Identifier: Apache-2.0
// Whether the graphs of two formulas are the same up to operations that change no value.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "interpreter/ranges/innocuous_rounding.hpp"
#include "testsuite/prove/neutral_operations.hpp"
#include "testsuite/prove/proof_cases.hpp"
#include "testsuite/prove/zero_cases.hpp"

namespace tiebreak {

/// One tensor, or a copy that a misread call holds.
inline bool equal_tensors(const Tensor* a, const Tensor* b) {
  return a == b || (a != nullptr && b != nullptr && same_type(a->type(), b->type()) && std::ranges::equal(a->bytes(), b->bytes()));
}

inline bool equal_sources(const Source& a, const Source& b) {
  return a.name == b.name && equal_tensors(a.tensor, b.tensor) && a.integer == b.integer &&
         std::ranges::equal(a.values, b.values, [](const Real& x, const Real& y) { return x.identical(y); });
}

/// Two bound formulas, walked side by side.
class FormulaComparison {
 public:
  FormulaComparison(const Formula& a, const Formula& b, bool simplify) : a_(a), b_(b), simplify_(simplify) {}
  /// One branch of conditions that are the same; -1: a side that does not have it.
  FormulaComparison(const FormulaComparison& whole, NodeId condition_a, NodeId condition_b, bool truth)
      : a_(whole.a_), b_(whole.b_), simplify_(whole.simplify_) {
    if (condition_a >= 0) a_.ranges.assume(condition_a, truth);
    if (condition_b >= 0) b_.ranges.assume(condition_b, truth);
  }

  void assume_zero(const std::set<std::string>& facts) {
    for (NeutralOperations* side : {&a_, &b_})
      for (NodeId id = 0; id < static_cast<NodeId>(side->formula.nodes.size()); ++id) {
        const Node& node = side->formula[id];
        if (node.op == NodeOp::element && facts.contains(side->formula.sources[static_cast<std::size_t>(node.source)].name))
          side->ranges.assume(id, {Real(0), Real(0), false, false, false, true});
      }
  }

  /// All results and requirements. By cases, if need be: see splits().
  bool equal_results(std::span<const ProofSplit> splits) {
    if (equal_results()) return true;
    if (splits.empty()) return false;
    return std::ranges::all_of(splits.front(), [&](const ProofCase& one) {
      FormulaComparison in_case = *this;
      in_case.known_.clear();
      one.assume_in(in_case.a_.ranges, in_case.b_.ranges);
      for (const ProofCase::Side& of : one.sides)
        if (!of.truth) in_case.split_.push_back(of.first);
      const bool impossible = std::ranges::any_of(in_case.split_, [&](NodeId id) { return in_case.a_.ranges.of(id).impossible(); });
      return impossible || in_case.equal_results(splits.subspan(1));
    });
  }

  /// What a proof may tell apart, of nodes that both formulas have.
  std::vector<ProofSplit> splits() {
    return proof_splits(a_, b_, [&](NodeId id) { return counterpart(id, a_, b_, false); });
  }

  /// `zeros`: whether the sign of a zero reaches a result.
  bool equal(NodeId first, NodeId second, bool zeros) {
    const auto [found, fresh] = known_.try_emplace(std::tuple(first, second, zeros), true);
    if (fresh) found->second = equal_somehow(first, second, zeros);
    return found->second;
  }

 private:
  bool equal_results() {
    const Formula &a = a_.formula, &b = b_.formula;
    if (a.results.size() != b.results.size() || a.requires_.size() != b.requires_.size()) return false;
    for (std::size_t i = 0; i < a.results.size(); ++i) {
      const FormulaResult &x = a.results[i], &y = b.results[i];
      const bool integer = simplify_ && x.type.element.is_integer();
      if (!(x.type.element == y.type.element) || x.type.shape != y.type.shape || x.per_item != y.per_item || x.single != y.single ||
          !equal(x.node, y.node, !integer))
        return false;
    }
    for (std::size_t i = 0; i < a.requires_.size(); ++i)
      if (!equal(a.requires_[i].node, b.requires_[i].node, true)) return false;
    return true;
  }

  /// Without what changes nothing, or with it: one side may show less of its values than the other.
  bool equal_somehow(NodeId first, NodeId second, bool zeros) {
    if (!simplify_) return equal_nodes(a_.formula[first], b_.formula[second], zeros);
    const NodeId a = a_.without(first, zeros), b = b_.without(second, zeros);
    if (const auto one = a_.only_value(a), other = b_.only_value(b);
        one && other && *one == *other && (!zeros || !one->is_zero() || !(a_.ranges.of(a).negative_zero || b_.ranges.of(b).negative_zero)))
      return true;
    if (equal_nodes(a_.formula[a], b_.formula[b], zeros)) return true;
    if (a != first && b != second && equal_nodes(a_.formula[first], b_.formula[second], zeros)) return true;
    return (a != first && equal_nodes(a_.formula[first], b_.formula[b], zeros)) || (b != second && equal_nodes(a_.formula[a], b_.formula[second], zeros));
  }

  bool equal_nodes(const Node& a, const Node& b, bool zeros) {
    if (simplify_) {
      // 0 - x and -x differ in the sign of a zero alone.
      if (!zeros && a.op == NodeOp::subtract && b.op == NodeOp::negate && a_.is_zero(a.args[0])) return equal(a.args[1], b.args[0], false);
      if (!zeros && (equal_rounded_minus(a, b, a_, b_, false) || equal_rounded_minus(b, a, b_, a_, true))) return true;
      if (narrows(a) && narrows(b) && fits(a_, a) && fits(b_, b) && equal(a.args[0], b.args[0], false)) return true;
      if (a.op == NodeOp::saturate && b.op == NodeOp::saturate && equal_settings(a, b) && equal(a_.before_saturation(a), b_.before_saturation(b), false))
        return true;
      if (a.op == NodeOp::round_float && b.op == NodeOp::round_float && a.overflow == b.overflow && equal_settings(a, b)) {
        const NodeId x = a_.before_rounding(a), y = b_.before_rounding(b);
        if ((x != a.args[0] || y != b.args[0]) && equal(x, y, zeros)) return true;
      }
      if (a.op == NodeOp::round_whole && b.op == NodeOp::round_whole && a.rounding == b.rounding && equal(a_.before_cut(a), b_.before_cut(b), zeros))
        return true;
      if (a.op == NodeOp::is_nan && b.op == NodeOp::is_nan && equal(a_.source_of_nan(a.args[0]), b_.source_of_nan(b.args[0]), false)) return true;
      if (same_residue(a, b) || same_sign_of_quotient(a, b)) return true;
      if (same_truth(a, b) || both_undefined(a, b) || same_cut(a, b, zeros) || equal_reciprocal(a, b, a_, b_, false) || equal_reciprocal(b, a, b_, a_, true))
        return true;
      if (a.op == b.op && (a.op == NodeOp::conjunction || a.op == NodeOp::disjunction) && equal_where_asked(a, b)) return true;
      if (a.op == NodeOp::conditional && b.op != NodeOp::conditional) return both_branches(a, b, zeros, a_, b_, false);
      if (b.op == NodeOp::conditional && a.op != NodeOp::conditional) return both_branches(b, a, zeros, b_, a_, true);
    }
    if (simplify_ && (same_limit(a, b) || same_power_of_unit(a, b, zeros) || same_zero_product(a, b, zeros))) return true;
    if (a.op != b.op || a.truth != b.truth || a.args.size() != b.args.size() || !equal_settings(a, b)) return false;
    if (a.integer != b.integer && (!simplify_ || (zeros && drops_sign_of_zero(a.op) && (a.integer ? negative_zero(b_, b) : negative_zero(a_, a)))))
      return false;
    if (a.op == NodeOp::aggregate && !equal_aggregates(a.aggregate, b.aggregate)) return false;
    if (simplify_ && a.op == NodeOp::conditional) return equal_branches(a, b, zeros);
    for (std::size_t i = 0; i < a.args.size(); ++i)
      if (!equal(a.args[i], b.args[i], zeros_of_argument(a.op, i, zeros))) return false;
    return true;
  }

  /// c < v and d <= v: the same where no value of v lies between c and d.
  bool same_limit(const Node& a, const Node& b) {
    const auto compares = [](const Node& node) { return node.op == NodeOp::less || node.op == NodeOp::less_equal; };
    if (!compares(a) || !compares(b)) return false;
    for (const std::size_t limit : {0u, 1u}) {
      const auto is_number = [&](const NeutralOperations& of, const Node& node) {
        return of.formula.is_constant(node.args[limit]) && of.formula[node.args[limit]].constant.is_number();
      };
      if (!is_number(a_, a) || !is_number(b_, b) || !equal(a.args[1 - limit], b.args[1 - limit], false)) continue;
      // v < d is not d <= v.
      const auto least = [&](NeutralOperations& of, const Node& node) {
        return of.least_above(node.args[1 - limit], of.formula[node.args[limit]].constant.number(), (node.op == NodeOp::less) == (limit == 0));
      };
      const std::optional<Real> first = least(a_, a), second = least(b_, b);
      if (first && second && *first == *second) return true;
    }
    return false;
  }

  /// -1, 0 or 1 to a power: what counts of an exponent that is not zero is whether it is even.
  bool same_power_of_unit(const Node& a, const Node& b, bool zeros) {
    if (a.op != NodeOp::power || b.op != NodeOp::power || !equal(a.args[0], b.args[0], zeros)) return false;
    const ValueRange base = a_.ranges.of(a.args[0]);
    const bool one = base.is_point() && abs(base.low) == Real(1);
    return one && a_.ranges.of(a.args[1]).whole && b_.ranges.of(b.args[1]).whole && equal(a_.same_parity(a.args[1]), b_.same_parity(b.args[1]), false);
  }

  /// x * 0: of x the sign counts, and whether it is a number. A cut of its digits changes neither.
  bool same_zero_product(const Node& a, const Node& b, bool zeros) {
    if (a.op != NodeOp::multiply || b.op != NodeOp::multiply) return false;
    for (const std::size_t i : {0u, 1u})
      if (a_.is_zero(a.args[i]) && b_.is_zero(b.args[i]))
        return equal(a.args[i], b.args[i], zeros) && equal(a_.uncut(a.args[1 - i]), b_.uncut(b.args[1 - i]), zeros);
    return false;
  }

  /// Codes of one integer type that differ by a multiple of their number.
  bool same_residue(const Node& a, const Node& b) {
    if (a.op != NodeOp::wrap && b.op != NodeOp::wrap) return false;
    const IntegerFormat& format = a.op == NodeOp::wrap ? a.integer_format : b.integer_format;
    const auto is_code = [&](const ValueRange& range) {
      return range.whole && !range.nan && !range.undefined && range.low >= format.min() && range.high <= format.max();
    };
    if (!is_code(a_.ranges.of(id_of(a_, a))) || !is_code(b_.ranges.of(id_of(b_, b)))) return false;
    const auto one = a_.residue(id_of(a_, a), format.bits), other = b_.residue(id_of(b_, b), format.bits);
    if (!one || !other || (one->base < 0) != (other->base < 0) || !((one->offset - other->offset) / Real::power_of_two(format.bits)).is_whole()) return false;
    return one->base < 0 || equal(one->base, other->base, false);
  }

  /// x / v < 0 asks for signs alone: a cut of v's digits leaves them.
  bool same_sign_of_quotient(const Node& a, const Node& b) {
    if (a.op != b.op || (a.op != NodeOp::less && a.op != NodeOp::less_equal)) return false;
    for (const std::size_t i : {0u, 1u}) {
      const Node &x = a_.formula[a.args[i]], &y = b_.formula[b.args[i]];
      if (x.op != NodeOp::divide || y.op != NodeOp::divide || !a_.is_zero(a.args[1 - i]) || !b_.is_zero(b.args[1 - i])) continue;
      const bool positive = a_.ranges.of(x.args[0]).is_point() && b_.ranges.of(y.args[0]).is_point() && *a_.only_value(x.args[0]) > Real(0) &&
                            *b_.only_value(y.args[0]) > Real(0);
      if ((positive || equal(x.args[0], y.args[0], true)) && equal(a_.uncut(x.args[1]), b_.uncut(y.args[1]), true)) return true;
    }
    return false;
  }

  static NodeId id_of(const NeutralOperations& side, const Node& node) { return static_cast<NodeId>(&node - side.formula.nodes.data()); }

  /// Two conditions that are known, whatever they ask.
  bool same_truth(const Node& a, const Node& b) {
    if (!a.truth || !b.truth) return false;
    const std::optional<bool> one = a_.ranges.truth(id_of(a_, a)), other = b_.ranges.truth(id_of(b_, b));
    return one && other && *one == *other;
  }

  bool both_undefined(const Node& a, const Node& b) {
    return always_undefined(a_.formula, a_.ranges, id_of(a_, a)) && always_undefined(b_.formula, b_.ranges, id_of(b_, b));
  }

  /// floor and rtz of what is never negative.
  bool same_cut(const Node& a, const Node& b, bool zeros) {
    const auto cuts = [](const Node& node) {
      return node.op == NodeOp::round_whole && (node.rounding == Rounding::down || node.rounding == Rounding::toward_zero);
    };
    if (!cuts(a) || !cuts(b) || a.rounding == b.rounding || !equal(a.args[0], b.args[0], zeros)) return false;
    const ValueRange range = a_.ranges.of(a.args[0]);
    return range.empty() || range.low >= Real(0);
  }

  /// x / p and x * (1 / p), both exact, where p is a power of two.
  bool equal_reciprocal(const Node& quotient, const Node& product, NeutralOperations& of_quotient, NeutralOperations& of_product, bool swapped) {
    if (quotient.op != NodeOp::divide || product.op != NodeOp::multiply) return false;
    const NodeId power = of_quotient.without(quotient.args[1], true);
    const Node& inverse = of_product.formula[of_product.without(product.args[1], true)];
    const ValueRange range = of_quotient.ranges.of(power);
    if (exponent_of_two(of_quotient.formula, power) < 0 || range.nan || range.empty() || !range.high.is_finite() || !(range.low > Real(0))) return false;
    if (inverse.op != NodeOp::divide || !of_product.is_one(inverse.args[0])) return false;
    const auto same = [&](NodeId first, NodeId second) { return swapped ? equal(second, first, true) : equal(first, second, true); };
    return same(quotient.args[0], product.args[0]) && same(quotient.args[1], inverse.args[1]);
  }

  /// The second condition is asked only where the first one leaves it open.
  bool equal_where_asked(const Node& a, const Node& b) {
    if (!equal(a.args[0], b.args[0], true)) return false;
    FormulaComparison asked(*this, a.args[0], b.args[0], a.op == NodeOp::conjunction);
    if (asked.equal(a.args[1], b.args[1], true)) return true;
    return a.op == NodeOp::conjunction && equal_at_zeros(a, b, 1);
  }

  /// Where the condition, args[0] of both, says that numbers are zero, all signs of them are tried.
  bool equal_at_zeros(const Node& a, const Node& b, std::size_t argument) {
    const std::vector<NodeId> v = said_to_be_zero(a_.formula, a.args[0]), w = said_to_be_zero(b_.formula, b.args[0]);
    if (v.size() != w.size() || !std::ranges::equal(v, w, [&](NodeId x, NodeId y) { return equal(x, y, true); })) return false;
    return tiebreak::equal_at_zeros({a_.formula, a.args[argument], v}, {b_.formula, b.args[argument], w});
  }

  static bool negative_zero(NeutralOperations& side, const Node& node) {
    return side.ranges.of(static_cast<NodeId>(&node - side.formula.nodes.data())).negative_zero;
  }
  static bool narrows(const Node& node) { return node.op == NodeOp::saturate || node.op == NodeOp::wrap || node.op == NodeOp::trap; }
  /// Every number is in the range: the three ways to treat the others are one, and what is no number is undefined in each.
  static bool fits(NeutralOperations& side, const Node& node) {
    const bool wraps = node.op == NodeOp::wrap;
    return side.lies_between(node.args[0], wraps ? node.integer_format.min() : node.low, wraps ? node.integer_format.max() : node.high);
  }

  /// F(0 - x) and 0 - F(x): a rounding that treats both signs alike.
  bool equal_rounded_minus(const Node& rounded, const Node& minus, NeutralOperations& of_rounded, NeutralOperations& of_minus, bool swapped) {
    if (rounded.op != NodeOp::round_float || (minus.op != NodeOp::subtract && minus.op != NodeOp::negate)) return false;
    const Node& inner = of_rounded.formula[of_rounded.without(rounded.args[0], false)];
    const auto is_minus = [](const Node& node, const NeutralOperations& of) {
      return node.op == NodeOp::negate || (node.op == NodeOp::subtract && of.is_zero(node.args[0]));
    };
    const Node& outer = of_minus.formula[minus.args.back()];
    if (!is_minus(inner, of_rounded) || !is_minus(minus, of_minus) || outer.op != NodeOp::round_float) return false;
    const bool symmetric =
        rounded.rounding == Rounding::nearest_even || rounded.rounding == Rounding::nearest_away || rounded.rounding == Rounding::toward_zero;
    if (!symmetric || rounded.rounding != outer.rounding || rounded.overflow != outer.overflow || rounded.format != outer.format ||
        !rounded.format->is_signed())
      return false;
    return swapped ? equal(outer.args[0], inner.args.back(), false) : equal(inner.args.back(), outer.args[0], false);
  }

  /// What a condition says holds in its branches.
  bool equal_branches(const Node& a, const Node& b, bool zeros) {
    if (!equal(a.args[0], b.args[0], true)) return false;
    for (const bool truth : {true, false}) {
      FormulaComparison branch(*this, a.args[0], b.args[0], truth);
      if (branch.equal(a.args[truth ? 1 : 2], b.args[truth ? 1 : 2], zeros)) continue;
      if (!truth || !equal_at_zeros(a, b, 1)) return false;
    }
    return true;
  }

  /// A condition that only one side has: each of its branches is the other side.
  bool both_branches(const Node& split, const Node& other, bool zeros, NeutralOperations& of_split, NeutralOperations& of_other, bool swapped) {
    if (of_split.ranges.truth_may_be_undefined(split.args[0])) return false;
    const NodeId same = static_cast<NodeId>(&other - of_other.formula.nodes.data());
    const NodeId condition = counterpart(split.args[0], of_split, of_other, swapped);
    const NodeId zero = condition < 0 ? compared_with_zero(of_split.formula, split.args[0]) : -1;
    const NodeId zero_of_other = zero < 0 ? -1 : counterpart(zero, of_split, of_other, swapped);
    for (const bool truth : {true, false}) {
      FormulaComparison branch(*this, swapped ? condition : split.args[0], swapped ? split.args[0] : condition, truth);
      if (truth && zero_of_other >= 0) (swapped ? branch.a_ : branch.b_).ranges.assume(zero_of_other, {Real(0), Real(0), false, false, true, true});
      const NodeId taken = split.args[truth ? 1 : 2];
      if (!(swapped ? branch.equal(same, taken, zeros) : branch.equal(taken, same, zeros))) return false;
    }
    return true;
  }

  /// The same node in the other formula, or -1.
  NodeId counterpart(NodeId node, const NeutralOperations& of, const NeutralOperations& other, bool swapped) {
    for (NodeId id = 0; id < static_cast<NodeId>(other.formula.nodes.size()); ++id)
      if (other.formula[id].op == of.formula[node].op && (swapped ? equal(id, node, true) : equal(node, id, true))) return id;
    return -1;
  }

  /// Where an integer and a real result may differ: in the sign of a zero. The others have their arguments' zeros, or none.
  static bool drops_sign_of_zero(NodeOp op) {
    using enum NodeOp;
    return op == add || op == subtract || op == multiply || op == negate || op == minimum || op == maximum || op == absolute || op == power ||
           op == aggregate || op == conditional;
  }

  /// No number is beyond the format's largest.
  static bool never_overflows(NeutralOperations& side, const Node& rounded) {
    return rounded.format->is_signed() && !side.ranges.of(rounded.args[0]).nan &&
           side.lies_between(rounded.args[0], -rounded.format->largest(), rounded.format->largest());
  }

  bool equal_settings(const Node& a, const Node& b) {
    switch (a.op) {
      case NodeOp::constant: return equal_values(a.constant, b.constant);
      case NodeOp::element:
        return equal_sources(a_.formula.sources[static_cast<std::size_t>(a.source)], b_.formula.sources[static_cast<std::size_t>(b.source)]);
      case NodeOp::carried: return a.source == b.source;
      case NodeOp::round_whole: return a.rounding == b.rounding;
      case NodeOp::round_float:
        return a.rounding == b.rounding && a.format == b.format &&
               (a.overflow == b.overflow || (simplify_ && never_overflows(a_, a) && never_overflows(b_, b)));
      case NodeOp::saturate:
      case NodeOp::trap: return a.low.identical(b.low) && a.high.identical(b.high);
      case NodeOp::wrap: return a.integer_format == b.integer_format;
      case NodeOp::real_function: return a.function == b.function;
      default: return true;
    }
  }

  bool equal_aggregates(const Aggregate& a, const Aggregate& b) {
    return a.kind == b.kind && a.order == b.order && a.blocks == b.blocks && a.blocks_restart == b.blocks_restart && a.over_blocks == b.over_blocks &&
           a.over_restart == b.over_restart && equal_graphs(a.step, b.step) && equal_graphs(a.combine, b.combine);
  }
  bool equal_graphs(NodeId a, NodeId b) { return a < 0 || b < 0 ? a == b : equal(a, b, true); }

  static bool zeros_of_argument(NodeOp op, std::size_t argument, bool zeros) {
    using enum NodeOp;
    switch (op) {
      case saturate:
      case wrap:
      case trap:
      case is_nan:
      case NodeOp::equal:
      case not_equal:
      case less:
      case less_equal: return false;
      case add:
      case subtract:
      case multiply:
      case negate:
      case minimum:
      case maximum:
      case absolute:
      case round_whole:
      case round_float:
      case aggregate: return zeros;
      case conditional: return argument > 0 && zeros;
      case divide: return argument == 1 || zeros;
      default: return true;
    }
  }

  NeutralOperations a_, b_;
  bool simplify_;
  std::map<std::tuple<NodeId, NodeId, bool>, bool> known_{};
  std::vector<NodeId> split_{};  ///< nodes of `a` that have been told apart
};

}  // namespace tiebreak
