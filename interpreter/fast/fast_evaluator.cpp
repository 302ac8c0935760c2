// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/fast_evaluator.hpp"

#include <algorithm>
#include <numeric>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/fast/lane_arithmetic.hpp"
#include "interpreter/fast/load_lanes.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/geometry/access_order.hpp"

namespace tiebreak {
namespace {

/// Coordinates of `count` consecutive numbers of a row-major space.
std::vector<std::int64_t> coordinates_from(std::int64_t first, std::size_t count, const Shape& extents) {
  const std::size_t rank = extents.size();
  std::vector<std::int64_t> all(count * rank);
  if (rank == 0 || count == 0) return all;
  std::vector<std::int64_t> place(rank);
  unravel(first, extents, place);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < rank; ++d) all[i * rank + d] = place[d];
    for (std::size_t d = rank; d-- > 0;) {
      if (++place[d] < extents[d]) break;
      place[d] = 0;
    }
  }
  return all;
}

}  // namespace

void FastEvaluator::set_lanes(LaneSet lanes) {
  lanes_ = std::move(lanes);
  known_offsets_.clear();
  columns_.resize(formula_.nodes.size());
  // What varies over no coordinate stays.
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i] && !columns_[i]->uniform) columns_[i].reset();
}

void FastEvaluator::set_cells(std::int64_t first, std::size_t count) {
  set_lanes({.count = count, .cell_rank = formula_.geometry.cell_extents.size(), .first_cell = first});
}

void FastEvaluator::set_cells_at(std::int64_t item, std::int64_t first, std::size_t count) {
  const Geometry& geometry = formula_.geometry;
  LaneSet lanes{.count = count, .cell_rank = geometry.cell_extents.size(), .item_rank = geometry.item_extents.size(), .first_cell = first, .first_item = item};
  if (lanes_.first_cell == first && lanes_.count == count) lanes.cells = std::move(lanes_.cells);
  lanes.items.resize(lanes.item_rank);
  unravel(item, geometry.item_extents, lanes.items);
  set_lanes(std::move(lanes));
}

/// Coordinates of consecutive cells or items are computed where one asks for them: most formulas read in their order.
const LaneSet& FastEvaluator::lanes() {
  if (lanes_.first_cell >= 0 && lanes_.cells.empty()) lanes_.cells = coordinates_from(lanes_.first_cell, lanes_.count, formula_.geometry.cell_extents);
  if (lanes_.first_cell < 0 && lanes_.first_item >= 0 && lanes_.items.empty())
    lanes_.items = coordinates_from(lanes_.first_item, lanes_.count, formula_.geometry.item_extents);
  return lanes_;
}

void FastEvaluator::set_items(std::int64_t cell, std::int64_t first, std::size_t count) {
  const Geometry& geometry = formula_.geometry;
  LaneSet lanes{.count = count, .cell_rank = geometry.cell_extents.size(), .item_rank = geometry.item_extents.size(), .first_item = first};
  lanes.cells.resize(lanes.cell_rank);
  unravel(cell, geometry.cell_extents, lanes.cells);
  // Cell after cell the items are the same.
  if (lanes_.first_cell < 0 && lanes_.first_item == first && lanes_.count == count) lanes.items = std::move(lanes_.items);
  set_lanes(std::move(lanes));
}

void FastEvaluator::set_runs(LaneSet lanes, NodeId id, Column sums) {
  set_lanes(std::move(lanes));
  columns_[static_cast<std::size_t>(id)] = std::make_unique<Column>(std::move(sums));
}

void FastEvaluator::set_offsets(std::size_t count, std::vector<std::vector<std::int64_t>> offsets) {
  const std::size_t cell_rank = formula_.geometry.cell_extents.size(), item_rank = formula_.geometry.item_extents.size();
  const std::vector<std::int64_t> cell(cell_rank), item(item_rank);  // of what is read at one place
  set_lanes({.count = count, .cell_rank = cell_rank, .item_rank = item_rank, .cells = cell, .items = item});
  known_offsets_ = std::move(offsets);
}

Result<const Column*> FastEvaluator::at(NodeId id) {
  TIEBREAK_CHECK(formula_.stop.check());
  if (columns_.size() < formula_.nodes.size()) columns_.resize(formula_.nodes.size());
  std::unique_ptr<Column>& slot = columns_[static_cast<std::size_t>(id)];
  if (!slot) {
    TIEBREAK_TRY(column, compute(id));
    columns_[static_cast<std::size_t>(id)] = std::make_unique<Column>(std::move(column));
  }
  return columns_[static_cast<std::size_t>(id)].get();
}

/// nullptr where offsets are no sums of parts.
const CellParts* FastEvaluator::parts_of(std::size_t source) {
  const auto [found, fresh] = parts_.try_emplace({source, lanes_.first_item});
  if (fresh) {
    std::vector<std::int64_t> item(formula_.geometry.item_extents.size());
    if (lanes_.first_item >= 0) unravel(lanes_.first_item, formula_.geometry.item_extents, item);
    const Shape& extents = formula_.geometry.cell_extents;  // parts are worth their memory where each serves many cells
    if (2 * std::accumulate(extents.begin(), extents.end(), std::int64_t{0}) <= formula_.geometry.cells())
      found->second = CellParts::of(formula_.sources[source].access, formula_.geometry, item);
  }
  return found->second ? &*found->second : nullptr;
}

std::vector<std::int64_t> FastEvaluator::offsets_of(const Source& source, bool uniform) {
  const auto number = static_cast<std::size_t>(&source - formula_.sources.data());
  if (!uniform && number < known_offsets_.size() && !known_offsets_[number].empty()) return known_offsets_[number];
  std::vector<std::int64_t> offsets(uniform ? 1 : lanes_.count);
  std::int64_t first = -1;  // of consecutive ones
  if (!uniform && lanes_.first_cell >= 0 && visits_in_order(source.access, formula_.geometry.cell_extents)) first = lanes_.first_cell;
  if (!uniform && lanes_.first_cell < 0 && lanes_.first_item >= 0 && is_line_of_items(source.access, formula_.geometry.item_extents))
    first = source.access.offset(lanes_.cell(0), std::vector<std::int64_t>(lanes_.item_rank)) + lanes_.first_item;
  if (first >= 0) return std::iota(offsets.begin(), offsets.end(), first), offsets;
  if (const CellParts* parts = !uniform && lanes_.first_cell >= 0 ? parts_of(number) : nullptr) {
    parts->fill(lanes_.first_cell, offsets);
    return offsets;
  }
  const LaneSet& places = lanes();
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = source.access.offset(places.cell(i), places.item(i));
  return offsets;
}

Column FastEvaluator::load(const Source& source, const std::vector<std::int64_t>& offsets, Carrier carrier) {
  Column column{.carrier = carrier};
  column.resize(offsets.size());
  if (source.tensor != nullptr && load_lanes(*source.tensor, offsets, column)) return column;
  if (source.tensor == nullptr && carrier == Carrier::real) {
    std::vector<double>& numbers = numbers_[&source];
    for (std::size_t i = numbers.size(); i < source.values.size(); ++i) numbers.push_back(source.values[i].to_double());
    for (std::size_t i = 0; i < offsets.size(); ++i) column.reals[i] = offsets[i] < 0 ? 0 : numbers[static_cast<std::size_t>(offsets[i])];
    return column;
  }
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < 0) continue;
    Real value = source.value(offsets[i]);
    if (carrier == Carrier::integer) column.integers[i] = *value.to_int64();
    else if (carrier == Carrier::real) column.reals[i] = value.to_double();
    else if (carrier == Carrier::truth) column.truths[i] = value.is_zero() ? 0 : 1;
    else column.values[i] = Value(std::move(value));
  }
  return column;
}

Result<Column> FastEvaluator::element(const Node& node) {
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  const Carrier carrier = bounds_.of(static_cast<NodeId>(&node - formula_.nodes.data())).carrier;
  const bool uniform = source.access.cell_rate() == 0 && !source.access.varies_over_items();
  const std::vector<std::int64_t> offsets = offsets_of(source, uniform);
  Column column = load(source, offsets, carrier);
  column.uniform = uniform;
  if (!source.access.may_miss || std::ranges::none_of(offsets, [](std::int64_t offset) { return offset < 0; })) return column;
  if (node.args.empty()) {  // a hole: no element, and no item of the bag
    column.undefined.resize(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) column.undefined[i] = offsets[i] < 0 ? 1 : 0;
    return column;
  }
  TIEBREAK_TRY(pad, at(node.args[0]));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] >= 0) continue;
    if (carrier == Carrier::integer) column.integers[i] = pad->integers[pad->at(i)];
    else if (carrier == Carrier::real) column.reals[i] = pad->real(i);
    else if (carrier == Carrier::truth) column.truths[i] = pad->truths[pad->at(i)];
    else column.values[i] = pad->value(i);
  }
  return column;
}

Result<Column> FastEvaluator::index(const Node&) {
  Column column{.carrier = Carrier::integer};
  column.resize(lanes_.count);
  const Geometry& geometry = formula_.geometry;
  const LaneSet& places = lanes();
  for (std::size_t i = 0; i < lanes_.count; ++i) {
    std::int64_t number = 0;
    const Shape& extents = geometry.has_bag ? geometry.item_extents : geometry.cell_extents;
    const auto place = geometry.has_bag ? places.item(i) : places.cell(i);
    for (std::size_t d = 0; d < extents.size(); ++d) number = number * extents[d] + place[d];
    column.integers[i] = number;
  }
  return column;
}

/// Items of each lane's cell that are no holes.
Column FastEvaluator::count_items() {
  const Holes holes(formula_);
  const Geometry& geometry = formula_.geometry;
  Column column{.carrier = Carrier::integer};
  column.resize(lanes_.count);
  std::vector<std::int64_t> item(geometry.item_extents.size());
  const LaneSet& places = lanes();
  for (std::int64_t i = 0; i < geometry.items(); ++i) {
    unravel(i, geometry.item_extents, item);
    for (std::size_t lane = 0; lane < lanes_.count; ++lane) column.integers[lane] += holes.at(places.cell(lane), item) ? 0 : 1;
  }
  return column;
}

Result<Column> FastEvaluator::aggregate(NodeId id) {
  auto found = tables_.find(id);
  if (found == tables_.end()) {
    TIEBREAK_TRY(table, aggregate_table(formula_, bounds_, id));
    found = tables_.emplace(id, std::move(table)).first;
  }
  return from_table(found->second, formula_[id].rate);
}

Column FastEvaluator::from_table(const Column& table, std::uint64_t rate) {
  Column column{.carrier = table.carrier, .uniform = (rate & ~rate_block) == 0};
  const Shape& extents = formula_.geometry.cell_extents;
  const bool all = rate == (std::uint64_t{1} << extents.size()) - 1 && lanes_.first_cell >= 0;
  const bool is_short = !table.short_integers.empty();
  if (all && !column.uniform && table.undefined.empty() && (table.carrier == Carrier::integer || table.carrier == Carrier::real)) {
    auto assign = [&](const auto& values, auto& out) {
      const auto first = values.begin() + lanes_.first_cell;
      out.assign(first, first + static_cast<std::ptrdiff_t>(lanes_.count));
    };
    if (table.carrier == Carrier::real) assign(table.reals, column.reals);
    else is_short ? assign(table.short_integers, column.integers) : assign(table.integers, column.integers);
    return column;
  }
  column.resize(column.uniform ? 1 : lanes_.count);
  if (!table.undefined.empty()) column.undefined.resize(column.size());
  const LaneSet& places = all || column.uniform ? lanes_ : lanes();
  for (std::size_t i = 0; i < column.size(); ++i) {
    std::int64_t key = 0;
    if (all) {
      key = lanes_.first_cell + static_cast<std::int64_t>(i);
    } else {
      for (std::size_t c = 0; c < extents.size(); ++c)
        if ((rate >> c & 1) != 0) key = key * extents[c] + places.cell(i)[c];
    }
    const std::size_t k = static_cast<std::size_t>(key);
    if (!table.undefined.empty()) column.undefined[i] = table.undefined[k];
    switch (table.carrier) {
      case Carrier::integer: column.integers[i] = is_short ? table.short_integers[k] : table.integers[k]; break;
      case Carrier::real: column.reals[i] = table.reals[k]; break;
      case Carrier::truth: column.truths[i] = table.truths[k]; break;
      case Carrier::exact: column.values[i] = table.values[k]; break;
    }
  }
  return column;
}

/// By the operation's own loops, where all arguments are carried as they need.
std::optional<Column> FastEvaluator::by_loops(const Node& node, const std::vector<const Column*>& args, Carrier carrier) {
  const OperationTraits* operation = find_traits(node.op);
  if (operation == nullptr || carrier == Carrier::exact) return std::nullopt;
  const LaneLoops& loops = operation->loops;
  const Column &a = *args.front(), &b = *args.back();
  const bool doubles = std::ranges::all_of(node.args, [&](NodeId arg) { return fits_double(bounds_.of(arg)); });
  if (carrier == Carrier::truth) return loops.truths != nullptr && doubles ? std::optional(lane_compare(loops, a, b)) : std::nullopt;
  if (carrier == Carrier::integer ? loops.integers == nullptr : loops.reals == nullptr) return std::nullopt;
  return lane_arithmetic(loops, a, b, carrier);
}

Result<Column> FastEvaluator::compute(NodeId id) {
  const Node& node = formula_[id];
  const Carrier carrier = bounds_.of(id).carrier;
  switch (node.op) {
    case NodeOp::constant: {
      Column column{.carrier = carrier, .uniform = true};
      column.resize(1);
      if (carrier == Carrier::integer) column.integers[0] = *node.constant.number().to_int64();
      if (carrier == Carrier::real) column.reals[0] = node.constant.number().to_double();
      if (carrier == Carrier::truth) column.truths[0] = node.constant.truth() ? 1 : 0;
      if (carrier == Carrier::exact) column.values[0] = node.constant;
      return column;
    }
    case NodeOp::element: return element(node);
    case NodeOp::index: return index(node);
    case NodeOp::aggregate: return aggregate(id);
    case NodeOp::count: return count_items();
    case NodeOp::carried: return fail(Errc::unsupported, "this node is left to the exact engine");
    default: break;
  }
  TIEBREAK_TRY(together, fused(node));
  if (together) return std::move(*together);
  if (node.op == NodeOp::round_float && carrier == Carrier::real && bounds_.of(node.args[0]).carrier == Carrier::exact) {
    TIEBREAK_TRY(rounded, rounded_enclosures(node));
    if (rounded) return std::move(*rounded);
  }
  std::vector<const Column*> args;
  for (NodeId arg : node.args) {
    TIEBREAK_TRY(column, at(arg));
    args.push_back(column);
  }
  if (std::optional<Column> column = by_loops(node, args, carrier)) return std::move(*column);
  const bool exact_arg = std::ranges::any_of(args, [](const Column* arg) { return arg->carrier == Carrier::exact; });
  switch (node.op) {
    using enum NodeOp;
    case conditional: return lane_conditional(*args[0], *args[1], *args[2], carrier);
    case is_nan:
      if (!exact_arg) return lane_is_nan(*args[0]);
      break;
    case NodeOp::round_whole: return carrier == Carrier::exact ? lane_apply(node, args) : Result<Column>(lane_round_whole(node, *args[0], carrier));
    case round_float:
      // Whole numbers that no double holds: the processor's own conversions round them once, everything else would round twice.
      if (!exact_arg && carrier == Carrier::real && (fits_double(bounds_.of(node.args[0])) || is_conversion(node))) return lane_round_float(node, *args[0]);
      break;
    case saturate:
    case wrap:
    case trap: {
      const Bounds& arg = bounds_.of(node.args[0]);
      // Ends beyond 2^53 are no doubles: they are left to exact values.
      auto low = node.low.to_int64(), high = node.high.to_int64();
      const bool real_ends = low && high && *low >= -double_limit && *high <= double_limit;
      const bool whole = arg.carrier == Carrier::integer || (arg.carrier == Carrier::real && arg.whole && node.op != NodeOp::wrap && real_ends);
      if (whole && carrier == Carrier::integer) return lane_to_integer(node, *args[0]);
      break;
    }
    default: break;
  }
  TIEBREAK_TRY(applied, lane_apply(node, args));
  if (carrier == Carrier::exact) return std::move(applied);
  // The operation was exact, its result fits the carrier.
  Column column{.carrier = carrier, .uniform = applied.uniform};
  column.resize(applied.values.size());
  for (std::size_t i = 0; i < applied.values.size(); ++i) {
    const Value& value = applied.values[i];
    if (value.is_undefined()) {
      if (column.undefined.empty()) column.undefined.resize(applied.values.size());
      column.undefined[i] = 1;
    } else if (carrier == Carrier::integer) {
      column.integers[i] = *value.number().to_int64();
    } else if (carrier == Carrier::real) {
      column.reals[i] = value.number().to_double();
    } else {
      column.truths[i] = value.truth() ? 1 : 0;
    }
  }
  return column;
}

}  // namespace tiebreak
