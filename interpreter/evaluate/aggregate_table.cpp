// SPDX-License-Identifier: Apache-2.0
// Aggregates, all at once. A sum of products of two integer factors, one of which sees the rows and one the columns, is a matrix product, and such
// sums of runs are one row at a time; other bodies are evaluated over the items of each place. What has neither carrier goes to the exact engine, place by
// place.
#include <algorithm>
#include <limits>
#include <set>

#include "interpreter/evaluate/cell_space.hpp"
#include "interpreter/evaluate/double_rounding.hpp"
#include "interpreter/evaluate/exact_evaluator.hpp"
#include "interpreter/evaluate/fast_evaluator.hpp"
#include "interpreter/evaluate/float_sum_table.hpp"
#include "interpreter/evaluate/multiply_rows.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_lanes = 65536;

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
      if (auto factors = two_factors(node_)) return matrix_product(factors->first, factors->second);
    if (carrier == Carrier::integer && node_.aggregate.over_blocks > 0) {
      TIEBREAK_TRY(sums, over_runs());
      if (sums) return std::move(*sums);
    }
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
  std::optional<std::pair<NodeId, NodeId>> two_factors(const Node& sum) {
    if (sum.aggregate.kind != AggregateKind::sum || sum.aggregate.step >= 0 || sum.args.size() > 1) return std::nullopt;
    const Node& body = formula_[sum.args[0]];
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

  /// The aggregates over runs below a node, and outside of other aggregates.
  void find_runs(NodeId id, std::set<NodeId>& found) const {
    const Node& node = formula_[id];
    if (node.op == NodeOp::aggregate && node.aggregate.blocks > 0) found.insert(id);
    if (node.op == NodeOp::aggregate) return;
    for (NodeId arg : node.args) find_runs(arg, found);
  }

  /// The items in the order of an aggregate over runs, and where each run begins; the last entry is the end.
  struct Runs {
    std::vector<std::size_t> items{}, begins{};
    std::size_t count() const { return begins.size() - 1; }
  };
  Runs runs_of(const Aggregate& aggregate) const {
    const Geometry& geometry = formula_.geometry;
    const std::size_t count = static_cast<std::size_t>(geometry.items()), length = static_cast<std::size_t>(aggregate.blocks);
    const std::size_t features = aggregate.order == AggregateOrder::feature_slowest ? static_cast<std::size_t>(geometry.features()) : 1;
    Runs runs;
    for (std::size_t first = 0; first < features; ++first)
      for (std::size_t item = first; item < count; item += features) runs.items.push_back(item);
    const std::size_t line = aggregate.blocks_restart && !geometry.item_extents.empty() ? static_cast<std::size_t>(geometry.item_extents.back()) : count;
    for (std::size_t start = 0; start < count; start += line)
      for (std::size_t begin = start; begin < start + line; begin += length) runs.begins.push_back(begin);
    runs.begins.push_back(count);
    return runs;
  }

  /// A sum over runs of what is made of the sums of products in each run: for each row the runs of many columns together.
  Result<std::optional<Column>> over_runs() {
    std::set<NodeId> found;
    find_runs(node_.args[0], found);
    if (node_.aggregate.kind != AggregateKind::sum || node_.args.size() > 1 || found.size() != 1) return std::optional<Column>();
    const NodeId id = *found.begin();
    const auto factors = two_factors(formula_[id]);
    if (!factors || bounds_.of(id).carrier != Carrier::integer || bounds_.of(node_.args[0]).carrier != Carrier::integer) return std::optional<Column>();
    const std::uint64_t left_rate = formula_[factors->first].rate & cell_bits, right_rate = formula_[factors->second].rate & cell_bits;
    if ((node_.rate & cell_bits) != (left_rate | right_rate)) return std::optional<Column>();
    const CellSpace shared(left_rate & right_rate, extents_), rows(left_rate & ~right_rate, extents_), columns(right_rate & ~left_rate, extents_);
    const Runs runs = runs_of(formula_[id].aggregate);
    Column table{.carrier = Carrier::integer};
    table.resize(static_cast<std::size_t>(space_.size));
    FastEvaluator evaluator(formula_);
    std::vector<std::int64_t> place(extents_.size(), 0);
    const std::int64_t together = std::max<std::int64_t>(1, most_lanes / std::max<std::int64_t>(1, static_cast<std::int64_t>(runs.count())));
    for (std::int64_t s = 0; s < shared.size; ++s) {
      shared.place(s, place);
      TIEBREAK_TRY(lefts, rows_of(factors->first, rows, place, true));
      TIEBREAK_TRY(rights, rows_of(factors->second, columns, place, false));
      for (std::int64_t row = 0; row < rows.size; ++row) {
        std::vector<std::int64_t> cell = place;
        rows.place(row, cell);
        for (std::int64_t first = 0; first < columns.size; first += together) {
          const std::int64_t last = std::min(first + together, columns.size);
          TIEBREAK_CHECK(sum_runs(evaluator, id, runs, {&lefts, row}, {&rights, first, last, &columns}, cell, table));
        }
      }
    }
    return std::optional<Column>(std::move(table));
  }

  struct LeftRow {
    const std::vector<std::int32_t>* rows;
    std::int64_t number;
  };
  struct RightRows {
    const std::vector<std::int32_t>* rows;
    std::int64_t first, last;
    const CellSpace* columns;
  };

  /// One row against some columns: lanes are the runs of each column. Their totals go to the table.
  Status sum_runs(FastEvaluator& evaluator, NodeId id, const Runs& runs, const LeftRow& left, const RightRows& right, std::vector<std::int64_t> cell, Column& table) {
    const std::int64_t items = formula_.geometry.items();
    LaneSet lanes{.count = static_cast<std::size_t>(right.last - right.first) * runs.count(), .cell_rank = extents_.size()};
    lanes.cells.reserve(lanes.count * lanes.cell_rank);
    Column sums{.carrier = Carrier::integer};
    sums.integers.reserve(lanes.count);
    std::vector<std::size_t> keys;
    const std::int32_t* const a = left.rows->data() + left.number * items;
    for (std::int64_t column = right.first; column < right.last; ++column) {
      right.columns->place(column, cell);
      keys.push_back(static_cast<std::size_t>(space_.key(cell)));
      const std::int32_t* const b = right.rows->data() + column * items;
      for (std::size_t run = 0; run < runs.count(); ++run) {
        std::int64_t sum = 0;
        for (std::size_t i = runs.begins[run]; i < runs.begins[run + 1]; ++i) sum += std::int64_t{a[runs.items[i]]} * b[runs.items[i]];
        sums.integers.push_back(sum);
        lanes.cells.insert(lanes.cells.end(), cell.begin(), cell.end());
      }
    }
    if (lanes.count == 0) return {};  // no items: the sums are zero
    evaluator.set_runs(std::move(lanes), id, std::move(sums));
    TIEBREAK_TRY(values, evaluator.at(node_.args[0]));
    for (std::size_t i = 0; i < keys.size() * runs.count(); ++i) {
      const std::size_t key = keys[i / runs.count()];
      table.integers[key] += values->integers[values->at(i)];
      if (!values->is_undefined(i)) continue;
      table.undefined.resize(static_cast<std::size_t>(space_.size));
      table.undefined[key] = 1;
    }
    return {};
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
      } else if (value.is_number() && table.carrier == Carrier::integer) {
        table.integers[static_cast<std::size_t>(key)] = *value.number().to_int64();
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
