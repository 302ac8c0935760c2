// SPDX-License-Identifier: Apache-2.0
// A sum of products a * b of integers as rows against columns: at each place of the cell coordinates that both factors see, a row of items for each
// place that only the left one sees meets a row for each place, a column, that only the right one sees.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "interpreter/formula/cell_space.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {

class FactorRows {
 public:
  /// Nothing where the aggregate is no such sum, where a factor needs more than 32 bits, or where no factor sees the cells by which items are missing.
  static std::optional<FactorRows> of(const Formula& formula, BoundsTable& bounds, NodeId sum);

  NodeId left() const { return left_; }
  NodeId right() const { return right_; }
  std::int64_t items() const { return items_; }
  std::int64_t places() const { return shared_.size; }
  std::int64_t rows() const { return own_left_.size; }
  const CellSpace& columns() const { return own_right_; }
  /// The cell coordinates that one factor or the other sees.
  std::uint64_t rate() const;

  /// Reads both factors at a place of what both see; the accessors below are of that place. What is in no bag is zero in the left rows. False where a
  /// factor is undefined somewhere: the rows have no place for that.
  Result<bool> read(std::int64_t place);
  std::span<const std::int32_t> row(std::int64_t number) const { return line(left_rows_, number); }
  std::span<const std::int32_t> column(std::int64_t number) const { return line(right_rows_, number); }
  std::span<const std::int32_t> all_columns() const { return right_rows_; }
  /// A cell of this row; columns() sets its other coordinates.
  std::vector<std::int64_t> cell_of_row(std::int64_t number) const;

 private:
  FactorRows(const Formula& formula, NodeId left, NodeId right);
  /// Nothing where an item in the bag is undefined.
  Result<std::optional<std::vector<std::int32_t>>> rows_of(NodeId factor, const CellSpace& own) const;
  std::span<const std::int32_t> line(const std::vector<std::int32_t>& rows, std::int64_t number) const {
    return std::span(rows).subspan(static_cast<std::size_t>(number * items_), static_cast<std::size_t>(items_));
  }

  const Formula* formula_;
  NodeId left_, right_;
  std::int64_t items_;
  Holes holes_;
  CellSpace shared_, own_left_, own_right_;
  std::vector<std::int64_t> cell_;
  std::vector<std::int32_t> left_rows_{}, right_rows_{};
};

}  // namespace tiebreak
