// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/sum_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/bind/binder.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/store_lanes.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/geometry/request_parts.hpp"
#include "interpreter/orders/rounded_sum.hpp"

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

/// f(first cell, how many, columns of the nodes), many cells at a time. What several nodes have below them is computed once.
template <class F>
Status for_cells(const Formula& formula, const std::vector<NodeId>& nodes, F f) {
  constexpr std::int64_t together = 4096;
  FastEvaluator evaluator(formula);
  for (std::int64_t first = 0; first < formula.geometry.cells(); first += together) {
    const std::int64_t count = std::min(together, formula.geometry.cells() - first);
    evaluator.set_cells(first, static_cast<std::size_t>(count));
    std::vector<const Column*> columns;
    for (const NodeId node : nodes) {
      TIEBREAK_TRY(column, evaluator.at(node));
      columns.push_back(column);
    }
    TIEBREAK_CHECK(f(first, static_cast<std::size_t>(count), columns));
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

/// A column as consecutive elements: at once where it is one of machine numbers, else value by value.
Status store(ResultTensor& to, std::int64_t first, std::size_t count, const Column& column, const char* end) {
  if (store_floats(column, count, to.tensor, first) || store_integers(column, count, to.tensor, first)) return {};
  for (std::size_t i = 0; i < count; ++i) TIEBREAK_CHECK(store(to, first + static_cast<std::int64_t>(i), column.value(i), end));
  return {};
}

bool is_finite_at(const Column& column, std::size_t lane) {
  if (column.carrier == Carrier::real && column.undefined.empty()) return std::isfinite(column.reals[column.at(lane)]);
  const Value value = column.value(lane);
  return value.is_number() && value.number().is_finite();
}

/// One end of the sums of some cells; infinite where a partial sum may overflow, or where the exact sum is no finite number.
void store_ends(const Column& largest, const Column& ends, bool upper, std::int64_t first, std::size_t count, Tensor& into) {
  const bool in_doubles = ends.carrier == Carrier::real && ends.undefined.empty();
  Column known{.carrier = Carrier::real};
  for (std::size_t i = 0; in_doubles && i < count; ++i)
    known.reals.push_back(is_finite_at(largest, i) && is_finite_at(ends, i) ? ends.real(i) : upper ? HUGE_VAL : -HUGE_VAL);
  if (in_doubles && store_floats(known, count, into, first)) return;
  for (std::size_t i = 0; i < count; ++i) {
    const bool bounded = is_finite_at(largest, i) && is_finite_at(ends, i);
    const auto code = into.element().encode(bounded ? ends.value(i).number() : Real::infinity(!upper));
    into.set_code(first + static_cast<std::int64_t>(i), *code);
  }
}

/// The sums themselves, both ends of every cell.
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
  TIEBREAK_CHECK(for_cells(formula, {nodes.largest, nodes.low, nodes.high}, [&](std::int64_t first, std::size_t count, const auto& columns) -> Status {
    store_ends(*columns[0], *columns[1], false, first, count, low);
    store_ends(*columns[0], *columns[2], true, first, count, high);
    return {};
  }));
  return std::pair(std::move(low), std::move(high));
}

/// The end of a result from that of its sum: the formula behind the sum, if there is any.
Result<ResultTensor> end_of_result(const Formula& formula, NodeId replaced, Tensor sums, const char* end) {
  const FormulaResult& result = formula.results.front();
  const bool is_the_sum = result.node == replaced && sums.element() == result.type.element && !result.type.quantized;
  TIEBREAK_TRY(count, element_count(result.type.shape));
  if (is_the_sum && count == sums.size()) {
    sums.set_type(result.type);
    return ResultTensor{.name = result.name, .tensor = std::move(sums)};
  }
  TIEBREAK_TRY(zeros, Tensor::zeros(result.type));
  ResultTensor into{.name = result.name, .tensor = std::move(zeros)};
  const Replaced behind(formula, replaced, sums);
  TIEBREAK_CHECK(for_cells(behind.formula(), {result.node},
                           [&](std::int64_t first, std::size_t cells, const auto& columns) { return store(into, first, cells, *columns.front(), end); }));
  return into;
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
  TIEBREAK_CHECK(explain(formula, nodes, *sum->format, explained, interval));
  TIEBREAK_TRY(ends, ends_of_sums(formula, nodes, *sum->format));
  TIEBREAK_TRY(low, end_of_result(formula, sum->replaced, std::move(ends.first), "lower"));
  TIEBREAK_TRY(high, end_of_result(formula, sum->replaced, std::move(ends.second), "upper"));
  interval.low = std::move(low);
  interval.high = std::move(high);
  return std::optional<SumInterval>(std::move(interval));
}

}  // namespace tiebreak
