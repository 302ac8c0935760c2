// SPDX-License-Identifier: Apache-2.0
// A sum of products of floats as blocks of rows and columns: at each place of the cell coordinates that both factors see, the rows that only one of them
// sees meet the columns that only the other one sees.
#pragma once
#include <functional>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/fast/side_steps.hpp"
#include "interpreter/formula/sum_factors.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {

/// Some rows against some columns. The sum of row r and column c belongs at place key + row_keys[r] + column_keys[c] of the table.
template <class Number>
struct FloatBlock {
  simd::Lines<Number> rows{}, columns{};
  std::int64_t key = 0;
  std::span<const std::int64_t> row_keys{}, column_keys{};

  simd::Sums<double> sums(std::vector<double>& table) const { return {table.data() + key, row_keys, column_keys}; }
  std::size_t key_of(std::size_t row, std::size_t column) const { return static_cast<std::size_t>(key + row_keys[row] + column_keys[column]); }
};

/// The two factors, and the table of their sums: a place for each combination of the cell coordinates that they see, in row-major order.
class FloatProducts {
 public:
  FloatProducts(const Formula& formula, NodeId left, NodeId right);

  NodeId left() const { return left_; }
  NodeId right() const { return right_; }
  const CellSpace& table() const { return table_; }
  std::int64_t items() const { return items_; }
  /// Both factors vary over all cells, and items are few: no row meets several columns, and cell after cell is quicker.
  bool are_single() const;

  /// f(block) for blocks that together hold every sum once; each is a moment's work. False where an element is undefined. Floats hold every value of both
  /// factors, or doubles do. A status of f that is an error ends it.
  template <class Number>
  Result<bool> each_block(const std::function<Status(const FloatBlock<Number>&)>& f) const;

 private:
  const Formula& formula_;
  NodeId left_, right_;
  std::int64_t items_;
  CellSpace shared_, own_left_, own_right_, table_;
};

extern template Result<bool> FloatProducts::each_block(const std::function<Status(const FloatBlock<float>&)>& f) const;
extern template Result<bool> FloatProducts::each_block(const std::function<Status(const FloatBlock<double>&)>& f) const;

/// Whether floats hold every value.
bool fits_single(const Bounds& bounds);

}  // namespace tiebreak
