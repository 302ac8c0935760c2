// SPDX-License-Identifier: Apache-2.0
// Aggregates, all at once. A sum of products of two integer factors, one of which sees the rows and one the columns, is a matrix product; other
// bodies are evaluated over the items of each place. What has neither carrier goes to the exact engine, place by place.
#include <algorithm>
#include <limits>

#include "interpreter/evaluate/cell_space.hpp"
#include "interpreter/evaluate/double_rounding.hpp"
#include "interpreter/evaluate/exact_evaluator.hpp"
#include "interpreter/evaluate/fast_evaluator.hpp"
#include "interpreter/evaluate/float_sum_table.hpp"
#include "interpreter/evaluate/multiply_rows.hpp"

namespace tiebreak {
namespace {

class Table {
 public:
  Table(const Formula& formula, BoundsTable& bounds, NodeId id)
      : formula_(formula), bounds_(bounds), id_(id), node_(formula[id]), extents_(formula.geometry.cell_extents), space_(node_.rate & cell_bits, extents_) {
    for (const Node& node : formula.nodes)
      if (node.op == NodeOp::element && node.args.empty() && formula.sources[static_cast<std::size_t>(node.source)].access.may_miss) missing_.push_back(node.source);
  }

  Result<Column> build() {
    const Carrier carrier = bounds_.of(id_).carrier;
    if (carrier == Carrier::exact) return by_exact_engine();
    if (carrier == Carrier::integer)
      if (auto factors = two_factors()) return matrix_product(factors->first, factors->second);
    if (carrier == Carrier::real && missing_.empty()) {
      TIEBREAK_TRY(sums, float_sum_table(formula_, bounds_, id_));
      if (sums) return std::move(*sums);
    }
    const Aggregate& aggregate = node_.aggregate;
    if (aggregate.order != AggregateOrder::sequential || aggregate.blocks > 0 || aggregate.over_blocks > 0) return by_exact_engine();
    return by_items(carrier);
  }

 private:
  /// Body a * b whose factors both vary over items, over different cells, and whose holes belong to the first.
  std::optional<std::pair<NodeId, NodeId>> two_factors() {
    if (node_.aggregate.kind != AggregateKind::sum || node_.aggregate.step >= 0) return std::nullopt;
    const Node& body = formula_[node_.args[0]];
    if (body.op != NodeOp::multiply) return std::nullopt;
    std::pair<NodeId, NodeId> factors{body.args[0], body.args[1]};
    auto fits = [&](NodeId id) {
      const Bounds& bounds = bounds_.of(id);
      return bounds.carrier == Carrier::integer && bounds.low >= std::numeric_limits<std::int32_t>::min() && bounds.high <= std::numeric_limits<std::int32_t>::max();
    };
    if (!fits(factors.first) || !fits(factors.second)) return std::nullopt;
    std::uint64_t holes = 0;
    for (int source : missing_) holes |= formula_.sources[static_cast<std::size_t>(source)].access.cell_rate();
    auto covers = [&](NodeId id) { return (holes & ~formula_[id].rate) == 0; };
    if (!missing_.empty() && !covers(factors.first)) std::swap(factors.first, factors.second);
    if (!missing_.empty() && !covers(factors.first)) return std::nullopt;
    return factors;
  }

  bool is_hole(std::span<const std::int64_t> cell, std::span<const std::int64_t> item) const {
    return std::ranges::any_of(missing_, [&](int source) { return formula_.sources[static_cast<std::size_t>(source)].access.offset(cell, item) < 0; });
  }

  /// All items of a factor for each place of `own` with the shared coordinates fixed, as rows of 32-bit integers.
  Result<std::vector<std::int32_t>> rows_of(NodeId factor, const CellSpace& own, std::vector<std::int64_t> place, bool holes) {
    const std::int64_t items = formula_.geometry.items();
    std::vector<std::int32_t> rows(static_cast<std::size_t>(own.size * items));
    FastEvaluator evaluator(formula_);
    for (std::int64_t row = 0; row < own.size; ++row) {
      own.place(row, place);
      evaluator.set_items(cell_number(place, extents_), 0, static_cast<std::size_t>(items));
      TIEBREAK_TRY(column, evaluator.at(factor));
      std::int32_t* out = rows.data() + row * items;
      for (std::size_t i = 0; i < static_cast<std::size_t>(items); ++i) out[i] = static_cast<std::int32_t>(column->integers[column->at(i)]);
      if (!holes || missing_.empty()) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(items); ++i)  // what is not in the bag adds nothing
        if (is_hole(evaluator.lanes().cell(i), evaluator.lanes().item(i))) out[i] = 0;
    }
    return rows;
  }

  Result<Column> matrix_product(NodeId left, NodeId right) {
    const std::uint64_t left_rate = formula_[left].rate & cell_bits, right_rate = formula_[right].rate & cell_bits;
    const CellSpace shared(left_rate & right_rate, extents_);
    const CellSpace rows(left_rate & ~right_rate, extents_);
    const CellSpace columns(right_rate & ~left_rate, extents_);
    const std::int64_t items = formula_.geometry.items();
    const Bounds &a = bounds_.of(left), &b = bounds_.of(right), &sum = bounds_.of(id_);
    const RowBounds row_bounds{a.low, a.high, b.low, b.high, sum.low, sum.high};
    Column table{.carrier = Carrier::integer};
    table.resize(static_cast<std::size_t>(space_.size));
    std::vector<std::int64_t> place(extents_.size(), 0);
    std::vector<std::int64_t> products(static_cast<std::size_t>(columns.size));
    for (std::int64_t s = 0; s < shared.size; ++s) {
      shared.place(s, place);
      TIEBREAK_TRY(lefts, rows_of(left, rows, place, true));
      TIEBREAK_TRY(rights, rows_of(right, columns, place, false));
      const PackedRows packed(rights, columns.size, items, row_bounds);
      for (std::int64_t row = 0; row < rows.size; ++row) {
        packed.multiply(std::span(lefts).subspan(static_cast<std::size_t>(row * items), static_cast<std::size_t>(items)), products);
        std::vector<std::int64_t> cell = place;
        rows.place(row, cell);
        for (std::int64_t c = 0; c < columns.size; ++c) {
          columns.place(c, cell);
          table.integers[static_cast<std::size_t>(space_.key(cell))] = products[static_cast<std::size_t>(c)];
        }
      }
    }
    return table;
  }

  void reduce(Column& table, std::size_t key, const FastEvaluator& evaluator, const Column& body, std::size_t items) {
    double real = node_.aggregate.kind == AggregateKind::minimum ? std::numeric_limits<double>::infinity()
                  : node_.aggregate.kind == AggregateKind::maximum ? -std::numeric_limits<double>::infinity()
                                                                   : 0;
    std::int64_t integer = 0;
    bool undefined = false;
    for (std::size_t i = 0; i < items; ++i) {
      if (!missing_.empty() && is_hole(evaluator.lanes().cell(i), evaluator.lanes().item(i))) continue;
      undefined |= body.is_undefined(i);
      if (table.carrier == Carrier::integer) {
        integer += body.integers[body.at(i)];
        continue;
      }
      const double value = body.real(i);
      if (node_.aggregate.kind == AggregateKind::sum) {
        const FloatFormat& format = *formula_[node_.aggregate.step].format;
        real = format.name == "f64" ? real + value : round_to_ieee(add_to_odd(real, value), format);
      } else if (real != real || value != value) {
        real = std::numeric_limits<double>::quiet_NaN();
      } else if (node_.aggregate.kind == AggregateKind::minimum) {
        if (value < real || (value == real && std::signbit(value))) real = value;
      } else if (value > real || (value == real && !std::signbit(value))) {
        real = value;
      }
    }
    if (table.carrier == Carrier::integer) table.integers[key] = integer;
    if (table.carrier == Carrier::real) table.reals[key] = real;
    if (!undefined) return;
    if (table.undefined.empty()) table.undefined.resize(static_cast<std::size_t>(space_.size));
    table.undefined[key] = 1;
  }

  Result<Column> by_items(Carrier carrier) {
    Column table{.carrier = carrier};
    table.resize(static_cast<std::size_t>(space_.size));
    const std::int64_t items = formula_.geometry.items();
    FastEvaluator evaluator(formula_);
    std::vector<std::int64_t> place(extents_.size(), 0);
    for (std::int64_t key = 0; key < space_.size; ++key) {
      space_.place(key, place);
      evaluator.set_items(cell_number(place, extents_), 0, static_cast<std::size_t>(items));
      TIEBREAK_TRY(body, evaluator.at(node_.args[0]));
      reduce(table, static_cast<std::size_t>(key), evaluator, *body, static_cast<std::size_t>(items));
    }
    return table;
  }

  Result<Column> by_exact_engine() {
    if ((node_.rate & (rate_block | rate_carried)) != 0) return fail(Errc::unsupported, "a block inside an aggregate is left to the exact engine");
    Column table{.carrier = bounds_.of(id_).carrier};  // of floats, where a rounding at each step makes them so
    table.resize(static_cast<std::size_t>(space_.size));
    ExactEvaluator exact(formula_);
    std::vector<std::int64_t> place(extents_.size(), 0);
    for (std::int64_t key = 0; key < space_.size; ++key) {
      space_.place(key, place);
      exact.set_cell(cell_number(place, extents_));
      TIEBREAK_TRY(value, exact.at(id_));
      if (table.carrier == Carrier::exact) {
        table.values[static_cast<std::size_t>(key)] = value;
      } else if (value.is_number()) {
        table.reals[static_cast<std::size_t>(key)] = value.number().to_double();
      } else {
        table.undefined.resize(static_cast<std::size_t>(space_.size));
        table.undefined[static_cast<std::size_t>(key)] = 1;
      }
    }
    return table;
  }

  const Formula& formula_;
  BoundsTable& bounds_;
  NodeId id_;
  const Node& node_;
  const Shape& extents_;
  CellSpace space_;
  std::vector<int> missing_{};
};

}  // namespace

Result<Column> aggregate_table(const Formula& formula, BoundsTable& bounds, NodeId id) { return Table(formula, bounds, id).build(); }

}  // namespace tiebreak
