// SPDX-License-Identifier: Apache-2.0
// The cell coordinates that a rate names, as a row-major space of their own.
#pragma once
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

constexpr std::uint64_t cell_bits = ~(rate_item | rate_block | rate_carried);

struct CellSpace {
  std::vector<std::size_t> coordinates{};
  Shape extents{};
  std::int64_t size = 1;

  CellSpace(std::uint64_t rate, const Shape& cell_extents) {
    for (std::size_t c = 0; c < cell_extents.size(); ++c)
      if ((rate >> c & 1) != 0) {
        coordinates.push_back(c);
        extents.push_back(cell_extents[c]);
        size *= cell_extents[c];
      }
  }

  /// Sets the coordinates of this space in a full cell place.
  void place(std::int64_t number, std::vector<std::int64_t>& cell) const {
    for (std::size_t i = extents.size(); i-- > 0;) {
      cell[coordinates[i]] = number % extents[i];
      number /= extents[i];
    }
  }

  std::int64_t key(const std::vector<std::int64_t>& cell) const {
    std::int64_t key = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) key = key * extents[i] + cell[coordinates[i]];
    return key;
  }
};

/// The number of a full cell place.
inline std::int64_t cell_number(const std::vector<std::int64_t>& cell, const Shape& extents) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) number = number * extents[d] + cell[d];
  return number;
}

}  // namespace tiebreak
