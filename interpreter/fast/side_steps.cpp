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
  std::vector<std::int64_t> keys, cell(cell_extents.size());
  keys.reserve(static_cast<std::size_t>(space.size));
  for (std::int64_t number = 0; number < space.size; ++number) {
    space.place(number, cell);
    keys.push_back(table.key(cell));
  }
  return keys;
}

double effort(const SideSteps& rows, const SideSteps& columns) {
  const auto row_count = static_cast<double>(rows.lines.size()), column_count = static_cast<double>(columns.lines.size());
  const auto items = static_cast<double>(rows.items.size()), panels = std::ceil(static_cast<double>(columns.lines.size()) / 16);
  return row_count * panels * items * 0.7 + row_count * items * (1.1 - neighbours(rows.items)) + column_count * items * (1.3 - neighbours(columns.lines)) +
         row_count * column_count * (neighbours(columns.keys) > 0.9 ? 0.3 : 2);
}

std::size_t columns_between_stops(std::size_t rows, std::size_t items) {
  constexpr std::size_t products = std::size_t{1} << 30;
  return std::max<std::size_t>(64, products / std::max<std::size_t>(1, items * rows) / 64 * 64);
}

}  // namespace tiebreak
