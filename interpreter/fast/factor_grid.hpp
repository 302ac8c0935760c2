// SPDX-License-Identifier: Apache-2.0
// A factor of a sum computed once for every place where its operand is read, padding and dilation written out: what the factor is at a cell and an item
// then lies at a sum of steps, and no address is computed for each element.
#pragma once
#include <optional>
#include <vector>

#include "interpreter/formula/cell_space.hpp"
#include "interpreter/simd/integer_product.hpp"

namespace tiebreak {

/// Steps of all places of a row-major space from its first one.
std::vector<std::int64_t> steps_of(const Shape& extents, const std::vector<std::int64_t>& coordinate_steps);

/// Of whole numbers of 16 bits or of bytes that stand for such, of floats, or of doubles; of floats where they are known to hold every value.
template <class Number>
class FactorGrid {
 public:
  /// Nothing where the factor reads several operands at places that do not follow from each other, where the grid would be much larger than its operand,
  /// or where a value is no such number or is undefined. Items that are in no bag are zero, if this factor's operand is the only one that misses any.
  static std::optional<FactorGrid> of(const Formula& formula, NodeId factor);

  /// What the numbers are more than the grid's bytes; else 0.
  std::int16_t base() const { return base_; }
  /// The operand that the grid was made of, as a source of the formula.
  int source() const { return source_; }
  /// Of cell and item 0; all other places are steps away from it. simd::slack elements lie around the grid.
  const Number* data() const { return values_.data() + simd::slack + origin_; }
  /// Of this cell and item 0.
  const Number* at(const std::vector<std::int64_t>& cell) const {
    const Number* place = data();
    for (std::size_t c = 0; c < cell.size(); ++c) place += cell[c] * cell_steps_[c];
    return place;
  }
  /// How far the places of a space of cell coordinates are from its first one.
  std::vector<std::int64_t> steps_of_cells(const CellSpace& space) const;
  std::vector<std::int64_t> steps_of_items(const Shape& item_extents) const;

 private:
  int source_ = -1;
  std::int16_t base_ = 0;
  std::int64_t origin_ = 0;
  std::vector<std::int64_t> cell_steps_{}, item_steps_{};  ///< by coordinate
  std::vector<Number> values_{};
};

}  // namespace tiebreak
