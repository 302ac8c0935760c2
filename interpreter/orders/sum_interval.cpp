// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/sum_interval.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/geometry/request_parts.hpp"

namespace tiebreak {
namespace {

/// A sum of n terms in any order is at most growth * (sum of magnitudes) + least off.
struct OrderBound {
  Real growth, least;
};

/// g = n u + (n u)^2 and n * (s / 2) * (1 + g). Nothing where n u is above 1: then g may be less than (1 + u)^n - 1.
std::optional<OrderBound> order_bound(const FloatFormat& format, std::int64_t terms) {
  const Real rate = Real(terms) * Real::power_of_two(-format.precision());
  if ((rate <=> Real(1)) > 0) return std::nullopt;
  const Real growth = rate + rate * rate;
  return OrderBound{growth, Real(terms) * format.smallest() * Real::power_of_two(-1) * (Real(1) + growth)};
}

/// A sum that is rounded to a float format: at every step, or at its end.
struct RoundedSum {
  NodeId replaced = -1;  ///< what the interval stands in for: the aggregate, or the rounding around it
  NodeId terms = -1;     ///< what is summed, without the rounding of products
  const FloatFormat* format = nullptr;
  NodeId addend = -1;  ///< a bias, which kernels add as any other term; -1: none
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

std::optional<RoundedSum> sum_at(const Formula& formula, NodeId id) {
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
  return std::nullopt;
}

/// F(sum + bias), where the sum is rounded to F, too.
std::optional<RoundedSum> biased_sum(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  if (node.op != NodeOp::round_float || node.rounding != Rounding::nearest_even || formula[node.args[0]].op != NodeOp::add) return std::nullopt;
  const std::vector<NodeId>& args = formula[node.args[0]].args;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    if (const auto sum = sum_at(formula, args[side]); sum && sum->format == node.format) return RoundedSum{id, sum->terms, sum->format, args[1 - side]};
  return std::nullopt;
}

std::optional<RoundedSum> rounded_sum(const Formula& formula, NodeId id) {
  if (auto found = biased_sum(formula, id)) return found;
  if (auto found = sum_at(formula, id)) return found;
  for (NodeId arg : formula[id].args)
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

/// Nodes around a sum, all of them exact but for the last rounding.
class SumNodes {
 public:
  SumNodes(Formula& formula, const RoundedSum& sum) : formula_(formula), sum_(sum) {
    exact = with_addend(aggregate(sum.terms), sum.addend);
    magnitude = with_addend(aggregate(operation(NodeOp::absolute, {sum.terms})), sum.addend < 0 ? -1 : operation(NodeOp::absolute, {sum.addend}));
    terms = formula.geometry.items() + (sum.addend < 0 ? 0 : 1);
    const auto bound = order_bound(*sum.format, terms);
    if (!bound) return;
    const NodeId spread = operation(NodeOp::add, {operation(NodeOp::multiply, {formula_.constant(bound->growth), magnitude}), formula_.constant(bound->least)});
    // Sums are values of the format: the ends may move inward to the grid.
    low = rounded(operation(NodeOp::subtract, {exact, spread}), Rounding::up);
    high = rounded(operation(NodeOp::add, {exact, spread}), Rounding::down);
    largest = rounded(operation(NodeOp::add, {magnitude, spread}), Rounding::up);
  }

  std::int64_t terms = 0;
  NodeId exact = -1, magnitude = -1;
  NodeId low = -1, high = -1;  ///< -1, and so `largest`: so many terms have no bound
  NodeId largest = -1;         ///< infinite where a partial sum may overflow

 private:
  NodeId operation(NodeOp op, std::vector<NodeId> args) {
    Node node;
    node.op = op;
    for (const NodeId arg : args) node.rate |= formula_[arg].rate;
    node.args = std::move(args);
    return formula_.add(std::move(node));
  }
  NodeId with_addend(NodeId sum, NodeId addend) { return addend < 0 ? sum : operation(NodeOp::add, {sum, addend}); }
  NodeId aggregate(NodeId items) {
    Node node;
    node.op = NodeOp::aggregate;
    node.aggregate.kind = AggregateKind::sum;
    node.args = {items};
    node.rate = formula_[sum_.replaced].rate;
    return formula_.add(std::move(node));
  }
  NodeId rounded(NodeId of, Rounding rounding) {
    Node node;
    node.op = NodeOp::round_float;
    node.args = {of};
    node.rounding = rounding;
    node.format = sum_.format;
    node.rate = formula_[of].rate;
    return formula_.add(std::move(node));
  }

  Formula& formula_;
  const RoundedSum& sum_;
};

/// The values of a formula with one node put in its place: a number for each cell.
class Replaced {
 public:
  Replaced(const Formula& formula, NodeId replaced, const Tensor& numbers) : formula_(formula) {
    std::vector<Affine> positions;
    for (std::size_t d = 0; d < formula.geometry.cell_extents.size(); ++d) positions.push_back(structure::at_cell(static_cast<int>(d)));
    formula_.sources.push_back({.name = "sum", .access = make_access(formula.geometry.cell_extents, std::move(positions)), .tensor = &numbers});
    Node& node = formula_.nodes[static_cast<std::size_t>(replaced)];
    node.op = NodeOp::element;
    node.args.clear();
    node.source = static_cast<int>(formula_.sources.size()) - 1;
  }
  const Formula& formula() const { return formula_; }

 private:
  Formula formula_;
};

/// f(cell, values of the nodes) for each cell, many at a time. What several nodes have below them is computed once.
template <class F>
Status for_each_cell(const Formula& formula, const std::vector<NodeId>& nodes, F f) {
  constexpr std::int64_t together = 4096;
  FastEvaluator evaluator(formula);
  std::vector<Value> values(nodes.size());
  for (std::int64_t first = 0; first < formula.geometry.cells(); first += together) {
    const std::int64_t count = std::min(together, formula.geometry.cells() - first);
    evaluator.set_cells(first, static_cast<std::size_t>(count));
    std::vector<const Column*> columns;
    for (const NodeId node : nodes) {
      TIEBREAK_TRY(column, evaluator.at(node));
      columns.push_back(column);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::size_t n = 0; n < nodes.size(); ++n) values[n] = columns[n]->value(static_cast<std::size_t>(i));
      TIEBREAK_CHECK(f(first + i, values));
    }
  }
  return {};
}

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

/// The sums themselves, both ends of every cell; infinite where a partial sum may overflow, or where the exact sum is no finite number.
Result<std::pair<Tensor, Tensor>> ends_of_sums(const Formula& formula, const SumNodes& nodes, const FloatFormat& format) {
  const TensorType type{ElementType(&format), formula.geometry.cell_extents, {}};
  TIEBREAK_TRY(low, Tensor::zeros(type));
  TIEBREAK_TRY(high, Tensor::zeros(type));
  if (nodes.low < 0) {
    for (std::int64_t cell = 0; cell < low.size(); ++cell) {
      low.set_code(cell, *type.element.encode(Real::infinity(true)));
      high.set_code(cell, *type.element.encode(Real::infinity(false)));
    }
    return std::pair(std::move(low), std::move(high));
  }
  TIEBREAK_CHECK(for_each_cell(formula, {nodes.largest, nodes.low, nodes.high}, [&](std::int64_t cell, const std::vector<Value>& values) -> Status {
    const auto is_known = [&](std::size_t n) { return values[n].is_number() && values[n].number().is_finite(); };
    for (const bool upper : {false, true}) {
      const std::size_t end = upper ? 2 : 1;
      const bool bounded = is_known(0) && is_known(end);
      (upper ? high : low).set_code(cell, *type.element.encode(bounded ? values[end].number() : Real::infinity(!upper)));
    }
    return {};
  }));
  return std::pair(std::move(low), std::move(high));
}

Status explain(const Formula& formula, const SumNodes& nodes, const FloatFormat& format, std::int64_t explained, SumInterval& interval) {
  ExactEvaluator evaluator(formula);
  for (std::int64_t cell = 0; cell < std::min(explained, formula.geometry.cells()); ++cell) {
    evaluator.set_cell(cell);
    TIEBREAK_TRY(exact, evaluator.at(nodes.exact));
    TIEBREAK_TRY(size, evaluator.at(nodes.magnitude));
    const bool known = exact.is_number() && size.is_number() && exact.number().is_finite();
    interval.exact.push_back(exact.is_number() ? exact.number() : Real::nan());
    interval.bound.push_back(known ? any_order_bound(format, interval.terms, size.number()) : Real::infinity());
  }
  return {};
}

}  // namespace

Real any_order_bound(const FloatFormat& format, std::int64_t terms, const Real& magnitude) {
  const auto bound = order_bound(format, terms);
  if (!bound) return Real::infinity();
  const Real spread = bound->growth * magnitude + bound->least;
  return (magnitude + spread <=> format.largest()) > 0 ? Real::infinity() : spread;
}

Result<std::optional<SumInterval>> sum_interval(const Semantics& semantics, const OpCall& call, std::int64_t explained) {
  TIEBREAK_TRY(formula, bind(semantics, call));
  const FormulaResult& result = formula.results.front();
  const auto sum = rounded_sum(formula, result.node);
  if (!sum || result.per_item || !rises_with(formula, result.node, sum->replaced)) return std::optional<SumInterval>();
  const SumNodes nodes(formula, *sum);
  SumInterval interval{.format = std::string(sum->format->name), .terms = nodes.terms};
  TIEBREAK_TRY(zeros, Tensor::zeros(result.type));
  interval.low = {.name = result.name, .tensor = zeros};
  interval.high = {.name = result.name, .tensor = zeros};
  TIEBREAK_CHECK(explain(formula, nodes, *sum->format, explained, interval));
  TIEBREAK_TRY(ends, ends_of_sums(formula, nodes, *sum->format));
  for (const bool upper : {false, true}) {
    const Replaced behind(formula, sum->replaced, upper ? ends.second : ends.first);
    TIEBREAK_CHECK(for_each_cell(behind.formula(), {result.node}, [&](std::int64_t cell, const std::vector<Value>& values) {
      return store(upper ? interval.high : interval.low, cell, values.front(), upper ? "upper" : "lower");
    }));
  }
  return std::optional<SumInterval>(std::move(interval));
}

}  // namespace tiebreak
