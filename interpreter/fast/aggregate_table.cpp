// SPDX-License-Identifier: Apache-2.0
// Aggregates, all at once. A sum of products of two integer factors, one of which sees the rows and one the columns, is a matrix product, and such
// sums of runs are one row at a time; other bodies are evaluated over the items of each place. What has neither carrier goes to the exact engine, place by
// place.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/fast/factor_rows.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/float_sum_table.hpp"
#include "interpreter/fast/grid_product.hpp"
#include "interpreter/fast/multiply_rows.hpp"
#include "interpreter/fast/run_sum_table.hpp"
#include "interpreter/formula/cell_space.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/operations/avx2_copy.hpp"
#include "interpreter/operations/double_rounding.hpp"

namespace tiebreak {
namespace {

/// The least of numbers, each times `sign`: nan where one is, and -0 below +0. Vectors of a few lanes, which compilers make of the inner loop.
TIEBREAK_AVX2_COPY double least_of(const double* numbers, std::size_t count, double sign, double before) {
  constexpr std::size_t lanes = 16;
  double least[lanes];
  std::fill_n(least, lanes, before);
  int nans = 0;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const double v = numbers[i + k] * sign;
      nans |= v != v ? 1 : 0;
      least[k] = v < least[k] ? v : least[k];
    }
  for (; i < count; ++i) {
    nans |= numbers[i] != numbers[i] ? 1 : 0;
    least[0] = numbers[i] * sign < least[0] ? numbers[i] * sign : least[0];
  }
  const double all = *std::min_element(least, least + lanes);
  if (nans != 0 || before != before) return std::numeric_limits<double>::quiet_NaN();
  if (all != 0) return all;
  const bool has_negative = std::signbit(before) || std::any_of(numbers, numbers + count, [&](double v) { return v == 0 && std::signbit(v * sign); });
  return has_negative ? -0.0 : 0.0;
}

class Table {
 public:
  Table(const Formula& formula, BoundsTable& bounds, NodeId id)
      : formula_(formula),
        bounds_(bounds),
        id_(id),
        node_(formula[id]),
        extents_(formula.geometry.cell_extents),
        space_(node_.rate & cell_bits, extents_),
        holes_(formula) {}

  Result<Column> build() {
    const Carrier carrier = bounds_.of(id_).carrier;
    if (carrier == Carrier::exact) return by_exact_engine();
    if (carrier == Carrier::integer)
      if (auto factors = FactorRows::of(formula_, bounds_, id_)) {
        TIEBREAK_TRY(sums, grid_product(formula_, bounds_, id_, *factors));
        return sums ? Result<Column>(std::move(*sums)) : matrix_product(std::move(*factors));
      }
    if (carrier == Carrier::integer && node_.aggregate.over_blocks > 0) {
      TIEBREAK_TRY(sums, run_sum_table(formula_, bounds_, id_));
      if (sums) return std::move(*sums);
    }
    if (carrier == Carrier::real && holes_.empty()) {
      TIEBREAK_TRY(sums, float_sum_table(formula_, bounds_, id_));
      if (sums) return std::move(*sums);
    }
    return one_by_one(carrier);
  }

 private:
  Result<Column> one_by_one(Carrier carrier) {
    const Aggregate& aggregate = node_.aggregate;
    if (aggregate.order != AggregateOrder::sequential || aggregate.blocks > 0 || aggregate.over_blocks > 0) return by_exact_engine();
    return by_items(carrier);
  }

  Column empty_table(Carrier carrier) const {
    Column table{.carrier = carrier};
    table.resize(static_cast<std::size_t>(space_.size));
    return table;
  }

  Result<Column> matrix_product(FactorRows factors) {
    const Bounds &a = bounds_.of(factors.left()), &b = bounds_.of(factors.right()), &sum = bounds_.of(id_);
    const RowBounds row_bounds{a.low, a.high, b.low, b.high, sum.low, sum.high};
    const CellSpace& columns = factors.columns();
    Column table = empty_table(Carrier::integer);
    std::vector<std::int64_t> products(static_cast<std::size_t>(columns.size));
    for (std::int64_t place = 0; place < factors.places(); ++place) {
      TIEBREAK_TRY(is_defined, factors.read(place));
      if (!is_defined) return one_by_one(Carrier::integer);
      const PackedRows packed(factors.all_columns(), columns.size, factors.items(), row_bounds);
      for (std::int64_t row = 0; row < factors.rows(); ++row) {
        TIEBREAK_CHECK(formula_.stop.check());
        packed.multiply(factors.row(row), products);
        std::vector<std::int64_t> cell = factors.cell_of_row(row);
        for (std::int64_t column = 0; column < columns.size; ++column) {
          columns.place(column, cell);
          table.integers[static_cast<std::size_t>(space_.key(cell))] = products[static_cast<std::size_t>(column)];
        }
      }
    }
    return table;
  }

  /// What the aggregate is of no items.
  double first_real() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return node_.aggregate.kind == AggregateKind::minimum ? infinity : node_.aggregate.kind == AggregateKind::maximum ? -infinity : 0;
  }

  double combined(double real, double value) const {
    if (node_.aggregate.kind == AggregateKind::sum) {
      const FloatFormat& format = *formula_[node_.aggregate.step].format;
      return is_binary64(format) ? real + value : round_to_ieee(add_to_odd(real, value), format);
    }
    if (real != real || value != value) return std::numeric_limits<double>::quiet_NaN();
    const bool replaces = node_.aggregate.kind == AggregateKind::minimum ? value < real || (value == real && std::signbit(value))
                                                                         : value > real || (value == real && !std::signbit(value));
    return replaces ? value : real;
  }

  void add_to(Column& table, std::size_t key, const Column& body, std::size_t lane) const {
    if (body.is_undefined(lane)) table.set_undefined(key);
    else if (table.carrier == Carrier::integer) table.integers[key] += body.integers[body.at(lane)];
    else table.reals[key] = combined(table.reals[key], body.real(lane));
  }

  /// Of plain numbers all at once; false where they are not.
  bool extreme_of(Column& table, std::size_t key, const Column& body) const {
    const bool least = node_.aggregate.kind == AggregateKind::minimum, greatest = node_.aggregate.kind == AggregateKind::maximum;
    if ((!least && !greatest) || !holes_.empty() || table.carrier != Carrier::real || body.carrier != Carrier::real || body.uniform || !body.undefined.empty())
      return false;
    const double sign = least ? 1 : -1;
    double& real = table.reals[key];
    real = least_of(body.reals.data(), body.reals.size(), sign, real * sign) * sign;
    return true;
  }

  /// Some thousand items at a time: what is computed of them stays in the cache.
  Result<Column> by_items(Carrier carrier) {
    constexpr std::int64_t most = 4096;
    Column table = empty_table(carrier);
    std::ranges::fill(table.reals, first_real());
    const std::int64_t items = formula_.geometry.items();
    FastEvaluator evaluator(formula_);
    if (holes_.empty() && items <= few_items && space_.size == formula_.geometry.cells()) {
      TIEBREAK_CHECK(by_cells(table, evaluator, items));
      return table;
    }
    std::vector<std::int64_t> place(extents_.size(), 0);
    for (std::int64_t key = 0; key < space_.size; ++key) {
      space_.place(key, place);
      for (std::int64_t first = 0; first < items; first += most) {
        const auto count = static_cast<std::size_t>(std::min(most, items - first));
        evaluator.set_items(cell_number(place, extents_), first, count);
        TIEBREAK_TRY(body, evaluator.at(node_.args[0]));
        if (extreme_of(table, static_cast<std::size_t>(key), *body)) continue;
        for (std::size_t i = 0; i < count; ++i)
          if (holes_.empty() || !holes_.at(evaluator.lanes().cell(i), evaluator.lanes().item(i))) add_to(table, static_cast<std::size_t>(key), *body, i);
      }
    }
    return table;
  }

  /// Item by item over many cells, in the order of the items: of few items that is less work.
  Status by_cells(Column& table, FastEvaluator& evaluator, std::int64_t items) {
    for (std::int64_t first = 0; first < space_.size; first += cells_at_once)
      for (std::int64_t item = 0; item < items; ++item) {
        const std::int64_t count = std::min(cells_at_once, space_.size - first);
        evaluator.set_cells_at(item, first, static_cast<std::size_t>(count));
        TIEBREAK_TRY(body, evaluator.at(node_.args[0]));
        const bool plain = table.carrier == Carrier::real && body->carrier == Carrier::real && !body->uniform && body->undefined.empty();
        double* reals = table.reals.data() + (plain ? first : 0);
        for (std::int64_t i = 0; plain && i < count; ++i) reals[i] = combined(reals[i], body->reals[static_cast<std::size_t>(i)]);
        for (std::int64_t i = 0; !plain && i < count; ++i) add_to(table, static_cast<std::size_t>(first + i), *body, static_cast<std::size_t>(i));
      }
    return {};
  }

  Result<Column> by_exact_engine() {
    if ((node_.rate & (rate_block | rate_carried)) != 0) return fail(Errc::unsupported, "a block inside an aggregate is left to the exact engine");
    Column table = empty_table(bounds_.of(id_).carrier);  // of floats, where a rounding at each step makes them so
    ExactEvaluator exact(formula_);
    std::vector<std::int64_t> place(extents_.size(), 0);
    for (std::int64_t key = 0; key < space_.size; ++key) {
      space_.place(key, place);
      exact.set_cell(cell_number(place, extents_));
      TIEBREAK_TRY(value, exact.at(id_));
      if (table.carrier == Carrier::exact) {
        table.values[static_cast<std::size_t>(key)] = value;
      } else if (value.is_number() && table.carrier == Carrier::integer) {
        table.integers[static_cast<std::size_t>(key)] = *value.number().to_int64();
      } else if (value.is_number()) {
        table.reals[static_cast<std::size_t>(key)] = value.number().to_double();
      } else {
        table.set_undefined(static_cast<std::size_t>(key));
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
  Holes holes_;
};

}  // namespace

Result<Column> aggregate_table(const Formula& formula, BoundsTable& bounds, NodeId id) { return Table(formula, bounds, id).build(); }

}  // namespace tiebreak
