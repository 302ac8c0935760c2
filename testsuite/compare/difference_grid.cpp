// SPDX-License-Identifier: Apache-2.0
#include "testsuite/compare/difference_grid.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

/// floor(position * cells / extent) without overflow: cells are few, extents are not.
std::int64_t cell_of_position(std::int64_t position, std::int64_t extent, std::int64_t cells) {
  const std::int64_t size = extent / cells, longer = extent % cells;  // the first `longer` cells have one element more
  return position < longer * (size + 1) ? position / (size + 1) : longer + (position - longer * (size + 1)) / size;
}

}  // namespace

Places places_of(const Shape& shape) {
  Places places;
  places.outer = 1;
  // Dimensions of extent 1 at the end are no place to look at: [1, 6, 1] is a row of six.
  std::size_t last = shape.size();
  while (last > 1 && shape[last - 1] == 1) --last;
  places.inner = last == 0 ? 1 : shape[last - 1];
  for (std::size_t i = 0; i + 1 < last; ++i) {
    if (__builtin_mul_overflow(places.outer, shape[i], &places.outer)) return {};
  }
  if (places.outer <= 0 || places.inner <= 0) return {};
  places.rows = std::min(places.outer, most_place_rows);
  places.columns = std::min(places.inner, most_place_columns);
  places.counts.assign(static_cast<std::size_t>(places.rows * places.columns), 0);
  return places;
}

void note_place(Places& places, std::int64_t index) {
  if (places.counts.empty() || index < 0 || index / places.inner >= places.outer) return;
  const std::int64_t row = cell_of_position(index / places.inner, places.outer, places.rows);
  const std::int64_t column = cell_of_position(index % places.inner, places.inner, places.columns);
  ++places.counts[static_cast<std::size_t>(row * places.columns + column)];
}

PlaceCounter::PlaceCounter(Places& places) : places_(places) {
  if (places.counts.empty()) return;
  cell_size_ = places.inner / places.columns;
  longer_ = places.inner % places.columns;
}

void PlaceCounter::add(std::int64_t index) {
  if (places_.counts.empty()) return;
  if (index >= row_end_) enter_row(index);
  while (index >= cell_end_) cell_end_ += cell_size_ + (++column_ < longer_ ? 1 : 0);
  ++places_.counts[static_cast<std::size_t>(row_of_cells_ + column_)];
}

void PlaceCounter::enter_row(std::int64_t index) {
  const std::int64_t row = index / places_.inner;
  row_end_ = (row + 1) * places_.inner;
  row_of_cells_ = cell_of_position(row, places_.outer, places_.rows) * places_.columns;
  column_ = 0;
  cell_end_ = row * places_.inner + cell_size_ + (longer_ > 0 ? 1 : 0);
}

}  // namespace tiebreak
