// SPDX-License-Identifier: Apache-2.0
// Where in a tensor the different elements lie, as a small grid of counts: faults of a vector's tail, of a channel, of a tile show as
// columns, rows and blocks. The last dimension runs across, all others downward; large extents share cells.
#pragma once
#include <cstdint>
#include <vector>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

struct Places {
  std::int64_t outer = 0, inner = 0;   ///< extents: everything but the last dimension, the last dimension; 0 if nothing is known
  std::int64_t rows = 0, columns = 0;  ///< of the grid
  std::vector<std::int64_t> counts{};  ///< different elements in each cell, row by row
};

constexpr std::int64_t most_place_rows = 8, most_place_columns = 64;

Places places_of(const Shape& shape);
/// Counts the element with this flat, row-major index; one beyond the tensor is left out.
void note_place(Places& places, std::int64_t index);

/// The same for many elements of the tensor in ascending order, without a division for each: a row is entered once, and cells follow one another.
class PlaceCounter {
 public:
  explicit PlaceCounter(Places& places);
  void add(std::int64_t index);

 private:
  void enter_row(std::int64_t index);

  Places& places_;
  std::int64_t cell_size_ = 0, longer_ = 0;     ///< elements of a row in a cell; how many cells at its start have one more
  std::int64_t row_end_ = 0, cell_end_ = 0;     ///< indices behind the row of the tensor, and behind the cell
  std::int64_t row_of_cells_ = 0, column_ = 0;  ///< first of the counts of the grid's row, and the cell in it
};

}  // namespace tiebreak
