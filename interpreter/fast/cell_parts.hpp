// SPDX-License-Identifier: Apache-2.0
// Where an operand is read at consecutive cells, all of them at one item: the sum of a part for each coordinate of the cell, so that no address is computed for
// each of them.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "interpreter/geometry/geometry.hpp"

namespace tiebreak {

class CellParts {
 public:
  /// Nothing where a dimension of the operand depends on several coordinates of the cell, or there are no cells.
  static std::optional<CellParts> of(const Access& access, const Geometry& geometry, std::span<const std::int64_t> item);
  /// Offsets at the cells from `first` on; -1 where there is no element.
  void fill(std::int64_t first, std::vector<std::int64_t>& offsets) const;

 private:
  Shape extents_{};
  std::vector<std::vector<std::int64_t>> parts_{};  ///< by coordinate and its value; -1: outside
};

}  // namespace tiebreak
