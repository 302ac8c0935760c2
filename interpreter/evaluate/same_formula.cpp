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
    if (node.op == NodeOp::aggregate) return false;
    if (node.op == NodeOp::element) return formula.sources[static_cast<std::size_t>(node.source)].tensor != nullptr;
    if (node.op == NodeOp::saturate || node.op == NodeOp::wrap || node.op == NodeOp::trap) return true;
    return std::ranges::all_of(node.args, [&](NodeId arg) { return bounded_by_types(arg); });
  }

  bool changes_nothing(const Node& node) {
    using enum NodeOp;
    if (node.op != round_whole && node.op != round_float && node.op != saturate && node.op != wrap && node.op != trap) return false;
    if (node.op != round_float && node.op != round_whole && !bounded_by_types(node.args[0])) return false;
    if (node.op == round_float && formula[node.args[0]].op != round_float && !bounded_by_types(node.args[0])) return false;
    const Bounds known = bounds.of(node.args[0]);
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

  NodeId without_conversions(NodeId id) {
    while (changes_nothing(formula[id])) id = formula[id].args[0];
    return id;
  }
};

class Comparison {
 public:
  Comparison(const Formula& a, const Formula& b, bool simplify) : a_(a), b_(b), simplify_(simplify) {}

  /// `zeros`: whether the sign of a zero reaches a result.
  bool equal(NodeId first, NodeId second, bool zeros) {
    if (simplify_) first = a_.without_conversions(first), second = b_.without_conversions(second);
    const auto [found, fresh] = known_.try_emplace(std::tuple(first, second, zeros), true);
    if (fresh) found->second = equal_nodes(a_.formula[first], b_.formula[second], zeros);
    return found->second;
  }

 private:
  bool equal_nodes(const Node& a, const Node& b, bool zeros) {
    if (a.op != b.op || a.truth != b.truth || a.args.size() != b.args.size() || !equal_settings(a, b)) return false;
    if ((zeros || !simplify_) && a.integer != b.integer) return false;
    if (a.op == NodeOp::aggregate && !equal_aggregates(a.aggregate, b.aggregate)) return false;
    for (std::size_t i = 0; i < a.args.size(); ++i)
      if (!equal(a.args[i], b.args[i], zeros_of_argument(a.op, i, zeros))) return false;
    return true;
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
