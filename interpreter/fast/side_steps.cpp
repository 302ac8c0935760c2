// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/side_steps.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak {
namespace {

/// The share of entries that follow the one before.
double neighbours(const std::vector<std::int64_t>& steps) {
  std::size_t following = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) following += steps[i] == steps[i - 1] + 1 ? 1 : 0;
  return static_cast<double>(following + 1) / static_cast<double>(steps.size());
}

}  // namespace

std::vector<std::int64_t> keys_of(const CellSpace& space, const CellSpace& table, const Shape& cell_extents) {
  std::vector<std::int64_t> steps, cell(cell_extents.size());  // the number that a table gives to a cell is linear in its coordinates
  for (const std::size_t coordinate : space.coordinates) {
    cell[coordinate] = 1;
    steps.push_back(table.key(cell));
    cell[coordinate] = 0;
  }
  return steps_of(space.extents, steps);
}

double effort(const SideSteps& rows, const SideSteps& columns) {
  const auto row_count = static_cast<double>(rows.lines.size()), column_count = static_cast<double>(columns.lines.size());
  const auto items = static_cast<double>(rows.items.size()), panels = std::ceil(static_cast<double>(columns.lines.size()) / 16);
  return row_count * panels * items * 0.7 + row_count * items * (1.1 - neighbours(rows.items)) + column_count * items * (1.3 - neighbours(columns.lines)) +
         row_count * column_count * (neighbours(columns.keys) > 0.9 ? 0.3 : 2);
}

std::vector<SumsBetweenStops> sums_between_stops(std::size_t rows, std::size_t columns, std::size_t items) {
  constexpr std::size_t most_products = std::size_t{1} << 30, most_sums = std::size_t{1} << 17, least = 64;
  const std::size_t sums = std::min(most_sums, most_products / std::max<std::size_t>(1, items));
  const auto some_of = [](std::size_t count) { return std::max<std::size_t>(1, count / least) * least; };
  const std::size_t some_rows = std::min(rows, some_of(static_cast<std::size_t>(std::sqrt(static_cast<double>(sums)))));
  const std::size_t some_columns = std::min(columns, some_of(sums / std::max<std::size_t>(1, some_rows)));
  std::vector<SumsBetweenStops> all;
  for (std::size_t r = 0; r < rows; r += some_rows)
    for (std::size_t c = 0; c < columns; c += some_columns) all.push_back({{r, std::min(some_rows, rows - r)}, {c, std::min(some_columns, columns - c)}});
  return all;
}

}  // namespace tiebreak
