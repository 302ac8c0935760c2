// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/sum_interval.hpp"

#include <fmt/format.h>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {
namespace {

/// A sum that is rounded to a float format: at every step, or at its end.
struct RoundedSum {
  NodeId replaced = -1;  ///< what the interval stands in for: the aggregate, or the rounding around it
  NodeId terms = -1;     ///< what is summed, without the rounding of products
  const FloatFormat* format = nullptr;
};

/// The format of a step `carried -> F(carried)`.
const FloatFormat* step_format(const Formula& formula, NodeId step) {
  if (step < 0) return nullptr;
  const Node& node = formula[step];
  const bool plain = node.op == NodeOp::round_float && node.rounding == Rounding::nearest_even && formula[node.args[0]].op == NodeOp::carried;
  return plain ? node.format : nullptr;
}

NodeId without_rounding(const Formula& formula, NodeId id) {
  while (formula[id].op == NodeOp::round_float) id = formula[id].args[0];
  return id;
}

std::optional<RoundedSum> rounded_sum(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  const auto is_sum = [](const Node& candidate) { return candidate.op == NodeOp::aggregate && candidate.aggregate.kind == AggregateKind::sum; };
  if (is_sum(node)) {
    // Sums of block sums are sums of the blocks' terms.
    NodeId terms = node.args[0];
    while (formula[terms].op == NodeOp::aggregate && is_sum(formula[terms])) terms = formula[terms].args[0];
    if (const FloatFormat* format = step_format(formula, node.aggregate.step)) return RoundedSum{id, without_rounding(formula, terms), format};
  }
  if (node.op == NodeOp::round_float && is_sum(formula[node.args[0]]) && formula[node.args[0]].aggregate.step < 0)
    return RoundedSum{id, without_rounding(formula, formula[node.args[0]].args[0]), node.format};
  for (NodeId arg : node.args)
    if (auto found = rounded_sum(formula, arg)) return found;
  return std::nullopt;
}

bool contains(const Formula& formula, NodeId id, NodeId wanted) {
  if (id == wanted) return true;
  for (NodeId arg : formula[id].args)
    if (contains(formula, arg, wanted)) return true;
  return false;
}

/// Rising in `sum` by its operations: roundings, shifts and positive factors that do not vary with it, clamps, and questions whether it is not a number.
bool rises_with(const Formula& formula, NodeId id, NodeId sum) {
  if (id == sum) return true;
  const Node& node = formula[id];
  const auto fixed = [&](std::size_t i) { return !contains(formula, node.args[i], sum); };
  const auto positive = [&](std::size_t i) {
    const Node& factor = formula[without_rounding(formula, node.args[i])];
    return factor.op == NodeOp::constant ? factor.constant.is_number() && factor.constant.number().sign() > 0
                                         : factor.op == NodeOp::element && formula.sources[static_cast<std::size_t>(factor.source)].positive;
  };
  using enum NodeOp;
  switch (node.op) {
    case round_float:
    case round_whole:
    case saturate: return rises_with(formula, node.args[0], sum);
    case add:
    case minimum:
    case maximum:
      for (std::size_t i = 0; i < node.args.size(); ++i)
        if (!fixed(i) && !rises_with(formula, node.args[i], sum)) return false;
      return true;
    case subtract: return fixed(1) && rises_with(formula, node.args[0], sum);
    case multiply:
      return (fixed(0) && positive(0) && rises_with(formula, node.args[1], sum)) || (fixed(1) && positive(1) && rises_with(formula, node.args[0], sum));
    case divide: return fixed(1) && positive(1) && rises_with(formula, node.args[0], sum);
    case conditional: {
      // The branch for what is not a number or outside a range is `undefined`: it gives no other value.
      const bool then_known = !fixed(1), else_known = !fixed(2);
      const auto silent = [&](std::size_t i) { return formula[node.args[i]].op == NodeOp::constant && formula[node.args[i]].constant.is_undefined(); };
      return (silent(1) && else_known && rises_with(formula, node.args[2], sum)) || (silent(2) && then_known && rises_with(formula, node.args[1], sum));
    }
    default: return false;
  }
}

/// The value of a formula with one node put in its place.
class Replaced {
 public:
  Replaced(const Formula& formula, NodeId replaced) : formula_(formula), replaced_(replaced) {
    formula_.nodes[static_cast<std::size_t>(replaced)].args.clear();
  }
  Result<Value> at(NodeId result, std::int64_t cell, const Real& value) {
    Node& node = formula_.nodes[static_cast<std::size_t>(replaced_)];
    node.op = NodeOp::constant;
    node.constant = value;
    ExactEvaluator evaluator(formula_);
    evaluator.set_cell(cell);
    return evaluator.at(result);
  }

 private:
  Formula formula_;
  NodeId replaced_;
};

Status store(ResultTensor& to, std::int64_t index, const Value& value, const char* end) {
  if (!value.is_number()) {
    if (to.undefined.empty()) to.undefined.resize(static_cast<std::size_t>(to.tensor.size()));
    to.undefined[static_cast<std::size_t>(index)] = 1;
    return {};
  }
  const auto code = to.tensor.element().encode(value.number());
  if (!code) return fail(Errc::internal, fmt::format("the {} end of a sum's interval is no value of the result", end), "");
  to.tensor.set_code(index, *code);
  return {};
}

}  // namespace

/// g * magnitude + n * (s / 2) * (1 + g), where g = n u + (n u)^2 is no less than (1 + u)^n - 1 as long as n u is at most 1.
Real any_order_bound(const FloatFormat& format, std::int64_t terms, const Real& magnitude) {
  const Real rate = Real(terms) * Real::power_of_two(-format.precision());
  if ((rate <=> Real(1)) > 0) return Real::infinity();
  const Real growth = rate + rate * rate;
  const Real spread = growth * magnitude + Real(terms) * format.smallest() * Real::power_of_two(-1) * (Real(1) + growth);
  return (magnitude + spread <=> format.largest()) > 0 ? Real::infinity() : spread;
}

Result<std::optional<SumInterval>> sum_interval(const Semantics& semantics, const OpCall& call) {
  TIEBREAK_TRY(formula, bind(semantics, call));
  const FormulaResult& result = formula.results.front();
  const auto sum = rounded_sum(formula, result.node);
  if (!sum || result.per_item || !rises_with(formula, result.node, sum->replaced)) return std::optional<SumInterval>();
  Node total;
  total.op = NodeOp::aggregate;
  total.aggregate.kind = AggregateKind::sum;
  total.args = {sum->terms};
  total.rate = formula[sum->replaced].rate;
  const NodeId exact_sum = formula.add(total);
  Node magnitude;
  magnitude.op = NodeOp::absolute;
  magnitude.args = {sum->terms};
  magnitude.rate = formula[sum->terms].rate;
  total.args = {formula.add(magnitude)};
  const NodeId magnitudes = formula.add(total);
  SumInterval interval{.format = std::string(sum->format->name), .terms = formula.geometry.items()};
  TIEBREAK_TRY(low, Tensor::zeros(result.type));
  interval.low = {.name = result.name, .tensor = low};
  interval.high = {.name = result.name, .tensor = low};
  ExactEvaluator evaluator(formula);
  Replaced behind(formula, sum->replaced);
  const bool direct = sum->replaced == result.node;
  for (std::int64_t cell = 0; cell < formula.geometry.cells(); ++cell) {
    evaluator.set_cell(cell);
    TIEBREAK_TRY(exact, evaluator.at(exact_sum));
    TIEBREAK_TRY(size, evaluator.at(magnitudes));
    if (!exact.is_number() || !size.is_number() || !exact.number().is_finite()) {
      interval.exact.push_back(exact.is_number() ? exact.number() : Real::nan());
      interval.bound.push_back(Real::infinity());
    } else {
      interval.exact.push_back(exact.number());
      interval.bound.push_back(any_order_bound(*sum->format, interval.terms, size.number()));
    }
    for (const bool upper : {false, true}) {
      const Real& bound = interval.bound.back();
      const Real end = !bound.is_finite() ? Real::infinity(!upper) : upper ? interval.exact.back() + bound : interval.exact.back() - bound;
      // Sums are values of the format: the ends may move inward to the grid.
      const auto grid = round_to(end, *sum->format, upper ? Rounding::down : Rounding::up);
      TIEBREAK_TRY(value, direct ? Result<Value>(Value(*grid)) : behind.at(result.node, cell, *grid));
      TIEBREAK_CHECK(store(upper ? interval.high : interval.low, cell, value, upper ? "upper" : "lower"));
    }
  }
  return std::optional<SumInterval>(std::move(interval));
}

}  // namespace tiebreak
