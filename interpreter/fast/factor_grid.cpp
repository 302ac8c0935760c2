// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/factor_grid.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/fast/code_table.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/geometry/grid_places.hpp"
#include "interpreter/large_pages.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t chunk_of_grid = 4096;  // lanes at once: columns stay in the cache

/// The sources that a factor reads; nothing where it has nodes whose value does not follow from what they read.
bool find_sources(const Formula& formula, NodeId id, std::set<NodeId>& seen, std::set<int>& sources) {
  if (!seen.insert(id).second) return true;
  const Node& node = formula[id];
  if (node.op == NodeOp::aggregate || node.op == NodeOp::carried) return false;  // an aggregate may be of this very operand, in whose place codes are put
  if (node.rate != 0 && (node.op == NodeOp::index || node.op == NodeOp::count)) return false;
  if (node.op == NodeOp::element) sources.insert(node.source);
  return std::ranges::all_of(node.args, [&](NodeId arg) { return find_sources(formula, arg, seen, sources); });
}

bool varies(const Source& source) { return source.access.cell_rate() != 0 || source.access.varies_over_items(); }

/// What a factor reads: the operand with the most elements carries the grid, all others are read where its positions say.
struct GridSources {
  int carrying = -1;
  std::vector<std::optional<GridOffsets>> offsets{};  ///< by source; nothing: read at one place, or not at all
  bool alone = true;                                  ///< no other operand varies
};

std::optional<GridPlaces> find_places(const Formula& formula, NodeId factor, GridSources& read) {
  std::set<NodeId> seen;
  std::set<int> sources;
  if (!find_sources(formula, factor, seen, sources)) return std::nullopt;
  auto source_of = [&](int number) -> const Source& { return formula.sources[static_cast<std::size_t>(number)]; };
  for (const int number : sources)
    if (varies(source_of(number)) && (read.carrying < 0 || source_of(number).size() > source_of(read.carrying).size())) read.carrying = number;
  if (read.carrying < 0) return std::nullopt;
  const Source& carrying = source_of(read.carrying);
  const auto places = GridPlaces::of(carrying.access, formula.geometry);
  if (!places || places->size() > 8 * std::max(carrying.size(), chunk_of_grid)) return std::nullopt;
  read.offsets.resize(formula.sources.size());
  for (const int number : sources) {
    if (!varies(source_of(number))) continue;
    auto& offsets = read.offsets[static_cast<std::size_t>(number)];
    offsets = places->offsets_of(source_of(number).access, formula.geometry);
    if (!offsets || (number != read.carrying && source_of(number).access.may_miss)) return std::nullopt;
    read.alone &= number == read.carrying;
  }
  return places;
}

bool is_carried(const Column& column, std::int16_t) { return column.carrier == Carrier::integer; }
template <class Number>
bool is_carried(const Column& column, Number) {
  return column.carrier == Carrier::integer || column.carrier == Carrier::real;
}

bool convert(const Column& column, std::size_t lane, std::int16_t& number) {
  const std::int64_t value = column.integers[column.at(lane)];
  number = static_cast<std::int16_t>(value);
  return number == value;
}

template <class Number>
bool convert(const Column& column, std::size_t lane, Number& number) {
  number = static_cast<Number>(column.real(lane));  // the caller knows that it is one
  return true;
}

/// A factor that is an operand's floats, as they are: copied. False where it is none, or where what lies outside is no number.
template <class Number>
bool copy_floats(const Formula& formula, NodeId factor, const GridOffsets& offsets, bool holes, std::span<Number> grid) {
  const Node& node = formula[factor];
  if (node.op != NodeOp::element) return false;
  const Source& source = formula.sources[static_cast<std::size_t>(node.source)];
  if (source.tensor == nullptr || source.undefined != nullptr || !source.tensor->element().is_float() || !is_binary32(source.tensor->element().floating()))
    return false;
  Number outside = 0;
  if (!node.args.empty()) {
    const Node& pad = formula[node.args[0]];
    if (pad.op != NodeOp::constant || !pad.constant.is_number()) return false;
    outside = static_cast<Number>(pad.constant.number().to_double());
  } else if (source.access.may_miss && !holes) {
    return false;
  }
  const auto* data = reinterpret_cast<const float*>(source.tensor->bytes().data());
  offsets.for_each_run([&](std::int64_t place, std::int64_t offset, std::int64_t count) {
    Number* out = grid.data() + place;
    if (offset < 0) std::fill_n(out, count, outside);
    else std::copy_n(data + offset, count, out);
  });
  return true;
}

/// The factor at every place of a grid by the columns of an evaluator; false where a value is undefined or no such number.
template <class Number>
bool fill_by_columns(const Formula& formula, NodeId factor, const GridSources& read, bool holes, std::span<Number> grid) {
  FastEvaluator evaluator(formula);
  std::vector<std::vector<std::int64_t>> offsets(formula.sources.size());
  for (std::size_t first = 0; first < grid.size(); first += chunk_of_grid) {
    const std::size_t count = std::min(static_cast<std::size_t>(chunk_of_grid), grid.size() - first);
    for (std::size_t s = 0; s < offsets.size(); ++s) {
      offsets[s].resize(read.offsets[s] ? count : 0);
      if (read.offsets[s]) read.offsets[s]->fill(static_cast<std::int64_t>(first), offsets[s]);
    }
    evaluator.set_offsets(count, std::move(offsets));
    const Result<const Column*> column = evaluator.at(factor);
    offsets = evaluator.take_offsets();
    if (!column || !is_carried(**column, Number{})) return false;  // no cell may read this place: the errors that count come from the other way
    const std::vector<std::int64_t>& carried = offsets[static_cast<std::size_t>(read.carrying)];
    for (std::size_t i = 0; i < count; ++i) {
      if (holes && carried[i] < 0) continue;  // in no bag: zero
      if ((*column)->is_undefined(i) || !convert(**column, i, grid[first + i])) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::int64_t> steps_of(const Shape& extents, const std::vector<std::int64_t>& coordinate_steps) {
  std::vector<std::int64_t> steps{0};
  for (std::size_t d = 0; d < extents.size(); ++d) {
    std::vector<std::int64_t> finer(steps.size() * static_cast<std::size_t>(extents[d]));
    std::int64_t* out = finer.data();
    for (const std::int64_t step : steps)
      for (std::int64_t i = 0; i < extents[d]; ++i) *out++ = step + i * coordinate_steps[d];
    steps = std::move(finer);
  }
  return steps;
}

template <class Number>
std::optional<FactorGrid<Number>> FactorGrid<Number>::of(const Formula& formula, NodeId factor) {
  GridSources read;
  const std::optional<GridPlaces> places = find_places(formula, factor, read);
  if (!places) return std::nullopt;
  FactorGrid grid;
  grid.source_ = read.carrying;
  grid.origin_ = places->origin();
  grid.cell_steps_ = places->cell_steps();
  grid.item_steps_ = places->item_steps();
  make_zeros(grid.values_, static_cast<std::size_t>(places->size() + 2 * simd::slack));
  const bool holes = Holes(formula).of(read.carrying);
  const std::span values = std::span(grid.values_).subspan(simd::slack, static_cast<std::size_t>(places->size()));
  const GridOffsets& offsets = *read.offsets[static_cast<std::size_t>(read.carrying)];
  if constexpr (std::is_integral_v<Number>) {
    const auto table = read.alone ? CodeTable::of(formula, factor, read.carrying) : std::nullopt;
    constexpr bool of_bytes = std::is_same_v<Number, std::uint8_t>;
    if (of_bytes) {
      const auto base = table ? table->byte_base() : std::nullopt;
      if (!base || (holes && (*base > 0 || *base < -255))) return std::nullopt;  // a hole is zero
      grid.base_ = *base;
    }
    if (table) {
      offsets.for_each_run([&](std::int64_t place, std::int64_t offset, std::int64_t count) {
        if (holes && offset < 0) std::fill_n(values.data() + place, count, static_cast<Number>(-grid.base_));
        else table->look_up(offset, static_cast<std::size_t>(count), values.data() + place);
      });
      return grid;
    }
  } else if (read.alone && copy_floats(formula, factor, offsets, holes, values)) {
    return grid;
  }
  if constexpr (!std::is_same_v<Number, std::uint8_t>)
    if (fill_by_columns(formula, factor, read, holes, values)) return grid;
  return std::nullopt;
}

template <class Number>
std::vector<std::int64_t> FactorGrid<Number>::steps_of_cells(const CellSpace& space) const {
  std::vector<std::int64_t> steps;
  for (const std::size_t coordinate : space.coordinates) steps.push_back(cell_steps_[coordinate]);
  return steps_of(space.extents, steps);
}

template <class Number>
std::vector<std::int64_t> FactorGrid<Number>::steps_of_items(const Shape& item_extents) const {
  return steps_of(item_extents, item_steps_);
}

template class FactorGrid<std::int16_t>;
template class FactorGrid<std::uint8_t>;
template class FactorGrid<float>;
template class FactorGrid<double>;

}  // namespace tiebreak
