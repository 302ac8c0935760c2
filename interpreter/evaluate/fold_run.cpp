// SPDX-License-Identifier: Apache-2.0
// A fold in one order. From the start value on, all cells take one step together. Any other order is a plan of joins for each cell, which are run level
// by level over all cells.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/fold_cells.hpp"

namespace tiebreak::regions {
namespace {

Results run_forward(const FoldCells& cells) {
  std::vector<ResultTensor> accumulators = cells.starts;
  for (std::size_t step = 0;; ++step) {
    std::vector<std::int64_t> lanes, offsets;
    for (std::size_t cell = 0; cell < cells.cells(); ++cell)
      if (const auto items = cells.items_of(cell); step < items.size()) {
        lanes.push_back(static_cast<std::int64_t>(cell));
        offsets.push_back(items[step]);
      }
    if (lanes.empty()) return accumulators;
    std::vector<ResultTensor> arguments;
    for (const ResultTensor& accumulator : accumulators) {
      TIEBREAK_TRY(taken, pick(accumulator, lanes));
      arguments.push_back(std::move(taken));
    }
    for (std::size_t i = 0; i < cells.sources.size(); ++i) {
      TIEBREAK_TRY(taken, pick(cells.sources[i], offsets, cells.holes.empty() ? nullptr : &cells.holes[i]));
      arguments.push_back(std::move(taken));
    }
    TIEBREAK_TRY(results, cells.body->run_lanes(arguments, static_cast<std::int64_t>(lanes.size())));
    for (std::size_t i = 0; i < accumulators.size(); ++i) put(accumulators[i], lanes, results[i]);
  }
}

using ValueNumber = std::int64_t;
constexpr ValueNumber no_value = -1;

/// Values are numbered: the start of each cell, all items, then what joins give. A join runs on the level above its parts.
class JoinPlan {
 public:
  explicit JoinPlan(std::size_t leaves) : levels_(leaves, 0) {}
  ValueNumber join(ValueNumber left, ValueNumber right) {
    if (left == no_value) return right;
    const std::size_t level = std::max(levels_[static_cast<std::size_t>(left)], levels_[static_cast<std::size_t>(right)]) + 1;
    if (joins_.size() < level) joins_.resize(level);
    levels_.push_back(level);
    joins_[level - 1].push_back({left, right, static_cast<ValueNumber>(levels_.size()) - 1});
    return joins_[level - 1].back().result;
  }
  struct Join {
    ValueNumber left, right, result;
  };
  const std::vector<std::vector<Join>>& levels() const { return joins_; }
  std::size_t values() const { return levels_.size(); }

 private:
  std::vector<std::size_t> levels_;
  std::vector<std::vector<Join>> joins_{};
};

using Numbers = std::vector<ValueNumber>;

ValueNumber in_sequence(JoinPlan& plan, ValueNumber from, const Numbers& items) {
  for (ValueNumber item : items) from = plan.join(from, item);
  return from;
}

ValueNumber in_halves(JoinPlan& plan, std::span<const ValueNumber> values) {
  if (values.size() == 1) return values[0];
  const std::size_t half = (values.size() + 1) / 2;
  const ValueNumber first = in_halves(plan, values.first(half));
  return plan.join(first, in_halves(plan, values.subspan(half)));
}

/// Group g has the items that `group` puts there; each group starts from the start value, and the groups are joined in their order.
template <class Group>
ValueNumber in_groups(JoinPlan& plan, ValueNumber start, const Numbers& items, Group group) {
  std::vector<Numbers> groups;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t g = group(i);
    if (groups.size() <= g) groups.resize(g + 1);
    groups[g].push_back(items[i]);
  }
  ValueNumber joined = no_value;
  for (const Numbers& one : groups) joined = plan.join(joined, in_sequence(plan, start, one));
  return joined == no_value ? start : joined;
}

ValueNumber plan_cell(JoinPlan& plan, const FoldOrder& order, ValueNumber start, Numbers items) {
  const std::size_t size = static_cast<std::size_t>(std::max<std::int64_t>(order.size, 1));
  switch (order.kind) {
    using enum FoldKind;
    case forward: return in_sequence(plan, start, items);
    case backward:
      if (start != no_value) items.push_back(start);
      for (ValueNumber right = no_value;; items.pop_back()) {
        if (items.empty()) return right;
        right = right == no_value ? items.back() : plan.join(items.back(), right);
      }
    case reversed: std::ranges::reverse(items); return in_sequence(plan, start, items);
    case start_last: items.push_back(start); return in_sequence(plan, no_value, items);
    case start_both: items.push_back(start); return in_sequence(plan, start, items);
    case pairwise:
      if (start != no_value) items.insert(items.begin(), start);
      return items.empty() ? no_value : in_halves(plan, items);
    case blocks: return in_groups(plan, start, items, [&](std::size_t i) { return i / size; });
    case lanes: return in_groups(plan, start, items, [&](std::size_t i) { return i % size; });
    case restarted: {
      ValueNumber carried = start;
      for (ValueNumber item : items) carried = plan.join(plan.join(start, item), carried);
      return carried;
    }
  }
  return no_value;
}

/// Starts, then items, then room for what joins give.
Result<ResultTensor> pool_of(const FoldCells& cells, std::size_t member, std::size_t values) {
  const std::size_t starts = cells.cells();
  TensorType type = cells.starts[member].tensor.type();
  type.shape = {static_cast<std::int64_t>(values)};
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  ResultTensor pool{.name = "", .tensor = std::move(tensor)};
  Numbers places(starts + cells.items.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<ValueNumber>(i);
  put(pool, Numbers(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(starts)), cells.starts[member]);
  TIEBREAK_TRY(items, pick(cells.sources[member], cells.items, cells.holes.empty() ? nullptr : &cells.holes[member]));
  put(pool, Numbers(places.begin() + static_cast<std::ptrdiff_t>(starts), places.end()), items);
  return pool;
}

Status run_level(RegionRun& region, const std::vector<JoinPlan::Join>& joins, std::vector<ResultTensor>& pools) {
  Numbers left, right, result;
  for (const JoinPlan::Join& join : joins) left.push_back(join.left), right.push_back(join.right), result.push_back(join.result);
  std::vector<ResultTensor> arguments;
  for (const Numbers* side : {&left, &right})
    for (const ResultTensor& pool : pools) {
      TIEBREAK_TRY(taken, pick(pool, *side));
      arguments.push_back(std::move(taken));
    }
  TIEBREAK_TRY(results, region.run_lanes(arguments, static_cast<std::int64_t>(joins.size())));
  for (std::size_t i = 0; i < pools.size(); ++i) put(pools[i], result, results[i]);
  return {};
}

Results run_plan(const FoldCells& cells, const FoldOrder& order) {
  const std::size_t starts = cells.cells();
  JoinPlan plan(starts + cells.items.size());
  Numbers roots;
  for (std::size_t cell = 0; cell < starts; ++cell) {
    Numbers items;
    for (std::size_t i = cells.begins[cell]; i < cells.begins[cell + 1]; ++i) items.push_back(static_cast<ValueNumber>(starts + i));
    roots.push_back(plan_cell(plan, order, order.has_start ? static_cast<ValueNumber>(cell) : no_value, std::move(items)));
  }
  std::vector<ResultTensor> pools;
  for (std::size_t member = 0; member < cells.starts.size(); ++member) {
    TIEBREAK_TRY(pool, pool_of(cells, member, plan.values()));
    pools.push_back(std::move(pool));
  }
  for (const auto& level : plan.levels()) TIEBREAK_CHECK(run_level(*cells.body, level, pools));
  std::vector<ResultTensor> results;
  for (const ResultTensor& pool : pools) {
    Numbers known = roots;
    for (ValueNumber& root : known) root = std::max<ValueNumber>(root, 0);
    TIEBREAK_TRY(result, pick(pool, known));
    if (std::ranges::find(roots, no_value) != roots.end()) result.undefined.resize(roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i)
      if (roots[i] == no_value) result.undefined[i] = 1;  // nothing is folded
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace

Results run_fold(const FoldCells& cells, const FoldOrder& order) {
  const bool forward = order.kind == FoldKind::forward && order.has_start;
  TIEBREAK_TRY(results, forward ? run_forward(cells) : run_plan(cells, order));
  for (ResultTensor& result : results) result = reshaped(std::move(result), cells.shape);
  return std::move(results);
}

Results fold(const Context& context) {
  TIEBREAK_TRY(cells, fold_cells(context));
  if (!cells) {
    const std::string path = context.structure == nullptr ? "" : context.structure->path;
    return fail(Errc::unsupported, fmt::format("{}: structure '{}' runs no regions", context.call.op, path), context.call.where);
  }
  return run_fold(*cells, cells->order);
}

}  // namespace tiebreak::regions
