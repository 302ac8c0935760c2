// SPDX-License-Identifier: Apache-2.0
// Which sources the results of a formula are functions of: those with an element for each cell, and parameters, the same in many cells.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// Cells that are filled between two looks at whether the result is still wanted.
constexpr std::int64_t cells_between_looks = std::int64_t{1} << 20;

struct CellInputs {
  std::vector<std::size_t> cellwise{};    ///< sources whose elements are read one after another, in the order of the cells
  std::vector<std::size_t> parameters{};  ///< sources that are read at fewer places
  std::uint64_t rate = 0;                 ///< the cell coordinates that parameters vary over
};

/// Of a result and of what the page requires. Nothing where one sees many elements of an operand, its own place, a hole, or elements in another order.
std::optional<CellInputs> cell_inputs(const Formula& formula, NodeId result);

/// The sets of parameters of a formula: one for each combination of the coordinates that parameters vary over, counted row-major.
class ParameterSets {
 public:
  ParameterSets(const Shape& extents, std::uint64_t rate);
  std::int64_t count() const { return count_; }
  /// Coordinates of the first cell that has the set.
  std::vector<std::int64_t> cell_of(std::int64_t set) const;

  /// Consecutive cells: the first has this set, each one after it the set that lies `step` further, 0 or 1.
  struct Run {
    std::int64_t first, count, set, step;
  };
  Status for_each_run(const std::function<Status(const Run&)>& f) const;

 private:
  Shape extents_;
  std::vector<std::int64_t> strides_;  ///< from one set to the next, by coordinate; 0 where parameters do not vary
  std::int64_t count_ = 1;
};

}  // namespace tiebreak
