// SPDX-License-Identifier: Apache-2.0
#include "interpreter/evaluate/same_formula.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "interpreter/evaluate/accumulator.hpp"
#include "interpreter/evaluate/binder.hpp"
#include "interpreter/evaluate/bounds.hpp"

namespace tiebreak {
namespace {

bool equal_values(const Value& a, const Value& b) {
  if (a.is_undefined() || b.is_undefined()) return a.is_undefined() && b.is_undefined();
  if (a.is_truth() || b.is_truth()) return a.is_truth() && b.is_truth() && a.truth() == b.truth();
  return a.is_number() && b.is_number() && a.number().identical(b.number());
}

bool equal_sources(const Source& a, const Source& b) {
  return a.name == b.name && a.tensor == b.tensor && a.integer == b.integer &&
         std::ranges::equal(a.values, b.values, [](const Real& x, const Real& y) { return x.identical(y); });
}

/// One side: a formula and what is known of its values.
struct Side {
  explicit Side(const Formula& of) : formula(of), bounds(of) {}
  const Formula& formula;
  BoundsTable bounds;

  /// Bounds that hold for any sizes and parameters of the same types: not those of a sum, nor of scales that a type states.
  bool bounded_by_types(NodeId id) {
    const Node& node = formula[id];
    if (node.op == NodeOp::aggregate)
      return (node.aggregate.kind == AggregateKind::minimum || node.aggregate.kind == AggregateKind::maximum) && bounded_by_types(node.args[0]);
    if (node.op == NodeOp::element) return formula.sources[static_cast<std::size_t>(node.source)].tensor != nullptr;
    if (node.op == NodeOp::saturate || node.op == NodeOp::wrap || node.op == NodeOp::trap) return true;
    return std::ranges::all_of(node.args, [&](NodeId arg) { return bounded_by_types(arg); });
  }

  bool changes_nothing(const Node& node) {
    using enum NodeOp;
    if (node.op != round_whole && node.op != round_float && node.op != saturate && node.op != wrap && node.op != trap) return false;
    if (node.op == round_float && node.overflow == Overflow::format && in_format(node.args[0], *node.format)) return true;
    if (node.op == round_float && formula[node.args[0]].integer) {
      const std::optional<Real> most = magnitude(node.args[0]);
      if (most && *most <= Real::power_of_two(std::min<std::int64_t>(node.format->precision(), node.format->largest().exponent())))
        return node.format->kind != FloatClass::scale;
    }
    const Bounds known = bounds.of(node.args[0]);
    const bool whole_word = node.op == round_whole;
    if (!whole_word && !(node.op == round_float && formula[node.args[0]].op == round_float) && !bounded_by_types(node.args[0])) return false;
    if (known.carrier == Carrier::integer) {
      if (node.op == round_whole) return true;
      if (node.op == round_float) {
        if (node.format->kind == FloatClass::scale) return false;
        const Real limit = Real::power_of_two(std::min<std::int64_t>(node.format->precision(), node.format->largest().exponent()));
        return Real(known.low) >= -limit && Real(known.high) <= limit;
      }
      const Real low = node.op == wrap ? node.integer_format.min() : node.low, high = node.op == wrap ? node.integer_format.max() : node.high;
      return Real(known.low) >= low && Real(known.high) <= high;
    }
    // Infinities and nan pass through formats that have both; the rest must fit.
    if (known.carrier != Carrier::real || node.op != round_float || node.format->kind != FloatClass::ieee) return false;
    return known.precision <= node.format->precision() && known.top <= node.format->largest().exponent() &&
           known.bottom >= node.format->smallest().exponent();
  }

  /// Whether every value is one of the format, infinities, nan and zeros included.
  bool in_format(NodeId id, const FloatFormat& format) {
    const Node& node = formula[id];
    const auto fits = [&](const FloatFormat& other) {
      return &other == &format || (other.kind == FloatClass::ieee && format.kind == FloatClass::ieee && other.precision() <= format.precision() &&
                                   other.largest() <= format.largest() && other.smallest() >= format.smallest());
    };
    const auto all = [&](std::size_t first) {
      return std::all_of(node.args.begin() + static_cast<std::ptrdiff_t>(first), node.args.end(), [&](NodeId arg) { return in_format(arg, format); });
    };
    switch (node.op) {
      using enum NodeOp;
      case round_float: return fits(*node.format);
      case constant: {
        if (!node.constant.is_number()) return false;
        const std::optional<Real> rounded = round_to(node.constant.number(), format);
        return rounded && (rounded->identical(node.constant.number()) || (rounded->is_nan() && node.constant.number().is_nan()));
      }
      case element: {
        const Tensor* tensor = formula.sources[static_cast<std::size_t>(node.source)].tensor;
        return tensor != nullptr && tensor->element().is_float() && fits(tensor->element().floating()) && all(0);
      }
      case negate:
      case absolute:
      case minimum:
      case maximum: return format.kind == FloatClass::ieee && all(0);
      case subtract: return format.kind == FloatClass::ieee && is_zero(node.args[0]) && in_format(node.args[1], format);
      case conditional: return all(1);
      case aggregate:
        return (node.aggregate.kind == AggregateKind::minimum || node.aggregate.kind == AggregateKind::maximum) && node.aggregate.step < 0 &&
               format.has_infinity() && all(0);
      default: return false;
    }
  }

  bool is_zero(NodeId id) const { return formula.is_constant(id) && formula[id].constant.is_number() && formula[id].constant.number().is_zero(); }

  /// What is left of conversions that change nothing, and of sums with zero.
  NodeId without_conversions(NodeId id, bool zeros) {
    for (;;) {
      const Node& node = formula[id];
      const bool sum = (node.op == NodeOp::add || node.op == NodeOp::subtract) && (node.integer || !zeros);
      if (changes_nothing(node) || (sum && is_zero(node.args[1]))) id = node.args[0];
      else if (sum && node.op == NodeOp::add && is_zero(node.args[0])) id = node.args[1];
      else return id;
    }
  }

  /// The largest magnitude of a whole number, with sums over as many items as a tensor may have; nullopt where nothing is known.
  std::optional<Real> magnitude(NodeId id) {
    const Node& node = formula[id];
    const auto of = [&](std::size_t i) { return magnitude(node.args[i]); };
    switch (node.op) {
      using enum NodeOp;
      case constant:
        if (!node.constant.is_number() || !node.constant.number().is_whole()) return std::nullopt;
        return abs(node.constant.number());
      case element: {
        const Bounds known = bounds.of(id);
        if (known.carrier != Carrier::integer || !bounded_by_types(id)) return std::nullopt;
        return max(abs(Real(known.low)), abs(Real(known.high)));
      }
      case saturate:
      case trap: return max(abs(node.low), abs(node.high));
      case wrap: return max(abs(node.integer_format.min()), abs(node.integer_format.max()));
      case negate:
      case absolute: return of(0);
      case add:
      case subtract:
      case multiply: {
        const auto a = of(0), b = of(1);
        if (!a || !b) return std::nullopt;
        return node.op == multiply ? *a * *b : *a + *b;
      }
      case aggregate: {
        if (node.aggregate.kind != AggregateKind::sum || node.aggregate.step >= 0) return std::nullopt;
        const auto item = of(0);
        return item ? std::optional<Real>(*item * Real::power_of_two(31)) : std::nullopt;
      }
      default: return std::nullopt;
    }
  }
};

class Comparison {
 public:
  Comparison(const Formula& a, const Formula& b, bool simplify) : a_(a), b_(b), simplify_(simplify) {}

  /// `zeros`: whether the sign of a zero reaches a result.
  bool equal(NodeId first, NodeId second, bool zeros) {
    if (simplify_) first = a_.without_conversions(first, zeros), second = b_.without_conversions(second, zeros);
    const auto [found, fresh] = known_.try_emplace(std::tuple(first, second, zeros), true);
    if (fresh) found->second = equal_nodes(a_.formula[first], b_.formula[second], zeros);
    return found->second;
  }

 private:
  bool equal_nodes(const Node& a, const Node& b, bool zeros) {
    // 0 - x and -x differ in the sign of a zero alone.
    if (simplify_ && !zeros && a.op == NodeOp::subtract && b.op == NodeOp::negate && a_.is_zero(a.args[0])) return equal(a.args[1], b.args[0], false);
    if (a.op != b.op || a.truth != b.truth || a.args.size() != b.args.size() || !equal_settings(a, b)) return false;
    if ((simplify_ ? zeros && drops_sign_of_zero(a.op) : true) && a.integer != b.integer) return false;
    if (a.op == NodeOp::aggregate && !equal_aggregates(a.aggregate, b.aggregate)) return false;
    for (std::size_t i = 0; i < a.args.size(); ++i)
      if (!equal(a.args[i], b.args[i], zeros_of_argument(a.op, i, zeros))) return false;
    return true;
  }

  /// Where an integer and a real result may differ: in the sign of a zero. The others have their arguments' zeros, or none.
  static bool drops_sign_of_zero(NodeOp op) {
    using enum NodeOp;
    return op == add || op == subtract || op == multiply || op == negate || op == minimum || op == maximum || op == absolute || op == power || op == aggregate || op == conditional;
  }

  bool equal_settings(const Node& a, const Node& b) const {
    switch (a.op) {
      case NodeOp::constant: return equal_values(a.constant, b.constant);
      case NodeOp::element: return equal_sources(a_.formula.sources[static_cast<std::size_t>(a.source)], b_.formula.sources[static_cast<std::size_t>(b.source)]);
      case NodeOp::carried: return a.source == b.source;
      case NodeOp::round_whole: return a.rounding == b.rounding;
      case NodeOp::round_float: return a.rounding == b.rounding && a.overflow == b.overflow && a.format == b.format;
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

  Side a_, b_;
  bool simplify_;
  std::map<std::tuple<NodeId, NodeId, bool>, bool> known_{};
};

bool compare(const Formula& a, const Formula& b, bool simplify) {
  if (a.results.size() != b.results.size() || a.requires_.size() != b.requires_.size()) return false;
  Comparison comparison(a, b, simplify);
  for (std::size_t i = 0; i < a.results.size(); ++i) {
    const FormulaResult &x = a.results[i], &y = b.results[i];
    const bool integer = simplify && x.type.element.is_integer();
    if (!(x.type.element == y.type.element) || x.type.shape != y.type.shape || x.per_item != y.per_item || x.single != y.single || !comparison.equal(x.node, y.node, !integer)) return false;
  }
  for (std::size_t i = 0; i < a.requires_.size(); ++i)
    if (!comparison.equal(a.requires_[i].node, b.requires_[i].node, true)) return false;
  return true;
}

}  // namespace

bool same_accumulator(const Library& first, const Library& second, const Profile& profile, const OpCall& call, std::size_t result) {
  const Result<Formula> a = bind(first, profile, call), b = bind(second, profile, call);
  if (!a || !b || result >= a->results.size() || result >= b->results.size()) return false;
  const auto one = accumulator_of(*a, a->results[result].node), other = accumulator_of(*b, b->results[result].node);
  return one && other && one->type == other->type && Comparison(*a, *b, true).equal(one->node, other->node, !one->type.is_integer());
}

Result<std::shared_ptr<const BoundCall>> BoundCall::bind(const Library& library, const Profile& profile, OpCall call) {
  auto bound = std::make_shared<BoundCall>();
  bound->call_ = std::move(call);
  TIEBREAK_TRY(formula, tiebreak::bind(library, profile, bound->call_));
  bound->formula_ = std::move(formula);
  return std::shared_ptr<const BoundCall>(std::move(bound));
}

Result<Likeness> BoundCall::likeness(const Library& other, const Profile& profile) const {
  TIEBREAK_TRY(formula, tiebreak::bind(other, profile, call_));
  if (compare(formula_, formula, false)) return Likeness::identical;
  return compare(formula_, formula, true) ? Likeness::same : Likeness::unknown;
}

}  // namespace tiebreak
