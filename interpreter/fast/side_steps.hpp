// SPDX-License-Identifier: Apache-2.0
// The two sides of a sum of products on grids: where the lines of a side lie, and where the sums of a line belong.
#pragma once
#include <span>
#include <vector>

#include "interpreter/fast/factor_grid.hpp"
#include "interpreter/formula/cell_space.hpp"

namespace tiebreak {

/// Where lines of one side begin at each place that both sides see, where their items follow, and what a line adds to the number of its sum.
struct SideSteps {
  std::vector<std::int64_t> places{}, lines{}, items{}, keys{};
};

/// What each place of a space adds to the number that `table` gives to a cell.
std::vector<std::int64_t> keys_of(const CellSpace& space, const CellSpace& table, const Shape& cell_extents);

template <class Number>
SideSteps steps_on_grid(const FactorGrid<Number>& grid, const CellSpace& shared, const CellSpace& own, const CellSpace& table, const Geometry& geometry) {
  return {grid.steps_of_cells(shared), grid.steps_of_cells(own), grid.steps_of_items(geometry.item_extents), keys_of(own, table, geometry.cell_extents)};
}

/// About how long it takes, in additions of one number, with these as rows and columns of a kernel: it multiplies some columns at once, and reads rows along
/// their items and columns across their lines.
double effort(const SideSteps& rows, const SideSteps& columns);

/// Some lines of a side.
struct LineRange {
  std::size_t first = 0, count = 0;
  std::span<const std::int64_t> of(std::span<const std::int64_t> all) const { return all.subspan(first, count); }
};

/// Rows and columns that are multiplied between two looks at whether to stop: about 2^30 products, which are a moment's work, and no more sums
/// than stay in a second cache until they are looked at again.
struct SumsBetweenStops {
  LineRange rows{}, columns{};
};
/// Together every row meets every column once.
std::vector<SumsBetweenStops> sums_between_stops(std::size_t rows, std::size_t columns, std::size_t items);

}  // namespace tiebreak
