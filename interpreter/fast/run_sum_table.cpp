// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/run_sum_table.hpp"

#include <algorithm>
#include <set>

#include "interpreter/fast/factor_rows.hpp"
#include "interpreter/fast/fast_evaluator.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_lanes = 65536;

/// The items in the order of an aggregate over runs, and where each run begins; the last entry is the end.
struct Runs {
  std::vector<std::size_t> items{}, begins{};
  std::size_t count() const { return begins.size() - 1; }

  std::int64_t sum_of_products(std::size_t run, std::span<const std::int32_t> a, std::span<const std::int32_t> b) const {
    std::int64_t sum = 0;
    for (std::size_t i = begins[run]; i < begins[run + 1]; ++i) sum += std::int64_t{a[items[i]]} * b[items[i]];
    return sum;
  }
};

Runs runs_of(const Geometry& geometry, const Aggregate& aggregate) {
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

/// The aggregates over runs below a node, and outside of other aggregates.
void find_runs(const Formula& formula, NodeId id, std::set<NodeId>& found) {
  const Node& node = formula[id];
  if (node.op == NodeOp::aggregate && node.aggregate.blocks > 0) found.insert(id);
  if (node.op == NodeOp::aggregate) return;
  for (NodeId arg : node.args) find_runs(formula, arg, found);
}

/// Row by row against the columns: a lane is one run of one cell.
class RunSums {
 public:
  RunSums(const Formula& formula, NodeId body, NodeId run, FactorRows factors)
      : body_(body),
        run_(run),
        runs_(runs_of(formula.geometry, formula[run].aggregate)),
        factors_(std::move(factors)),
        space_(factors_.rate(), formula.geometry.cell_extents),
        evaluator_(formula) {}

  /// Nothing where a factor is undefined somewhere.
  Result<std::optional<Column>> build() {
    table_.resize(static_cast<std::size_t>(space_.size));
    const std::int64_t columns = factors_.columns().size;
    const std::int64_t together = std::max<std::int64_t>(1, most_lanes / std::max<std::int64_t>(1, static_cast<std::int64_t>(runs_.count())));
    for (std::int64_t place = 0; runs_.count() > 0 && place < factors_.places(); ++place) {  // without items the sums are zero
      TIEBREAK_TRY(is_defined, factors_.read(place));
      if (!is_defined) return std::optional<Column>();
      for (std::int64_t row = 0; row < factors_.rows(); ++row)
        for (std::int64_t first = 0; first < columns; first += together) TIEBREAK_CHECK(add(row, first, std::min(first + together, columns)));
    }
    return std::optional(std::move(table_));
  }

 private:
  /// One row against some columns.
  Status add(std::int64_t row, std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> cell = factors_.cell_of_row(row);
    LaneSet lanes{.count = static_cast<std::size_t>(last - first) * runs_.count(), .cell_rank = cell.size()};
    lanes.cells.reserve(lanes.count * lanes.cell_rank);
    Column sums{.carrier = Carrier::integer};
    sums.integers.reserve(lanes.count);
    std::vector<std::size_t> keys;
    const auto left = factors_.row(row);
    for (std::int64_t column = first; column < last; ++column) {
      const auto right = factors_.column(column);
      factors_.columns().place(column, cell);
      keys.push_back(static_cast<std::size_t>(space_.key(cell)));
      for (std::size_t run = 0; run < runs_.count(); ++run) {
        sums.integers.push_back(runs_.sum_of_products(run, left, right));
        lanes.cells.insert(lanes.cells.end(), cell.begin(), cell.end());
      }
    }
    evaluator_.set_runs(std::move(lanes), run_, std::move(sums));
    TIEBREAK_TRY(values, evaluator_.at(body_));
    for (std::size_t i = 0; i < keys.size() * runs_.count(); ++i) {
      const std::size_t key = keys[i / runs_.count()];
      table_.integers[key] += values->integers[values->at(i)];
      if (values->is_undefined(i)) table_.set_undefined(key);
    }
    return {};
  }

  NodeId body_, run_;
  Runs runs_;
  FactorRows factors_;
  CellSpace space_;
  FastEvaluator evaluator_;
  Column table_{.carrier = Carrier::integer};
};

}  // namespace

Result<std::optional<Column>> run_sum_table(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const Node& node = formula[id];
  const std::optional<Column> none;
  if (node.aggregate.kind != AggregateKind::sum || node.args.size() > 1) return none;
  const NodeId body = node.args[0];
  std::set<NodeId> found;
  find_runs(formula, body, found);
  if (found.size() != 1) return none;
  const NodeId run = *found.begin();
  auto factors = FactorRows::of(formula, bounds, run);
  if (!factors || bounds.of(run).carrier != Carrier::integer || bounds.of(body).carrier != Carrier::integer) return none;
  if ((node.rate & cell_bits) != factors->rate()) return none;
  return RunSums(formula, body, run, std::move(*factors)).build();
}

}  // namespace tiebreak
