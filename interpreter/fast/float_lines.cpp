// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/float_lines.hpp"

#include <algorithm>
#include <numeric>

#include "interpreter/fast/fast_evaluator.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t rows_read_together = 256;

/// One factor: on a grid, or, where it has none, read row by row.
template <class Number>
class Side {
 public:
  Side(const Formula& formula, NodeId factor, const CellSpace& shared, const CellSpace& own, const CellSpace& table)
      : formula_(formula), factor_(factor), own_(own), grid_(FactorGrid<Number>::of(formula, factor)) {
    if (grid_) {
      steps_ = steps_on_grid(*grid_, shared, own, table, formula.geometry);
      return;
    }
    steps_.keys = keys_of(own, table, formula.geometry.cell_extents);
    steps_.items.resize(static_cast<std::size_t>(formula.geometry.items()));
    std::iota(steps_.items.begin(), steps_.items.end(), 0);
  }

  bool on_grid() const { return grid_.has_value(); }
  const SideSteps& steps() const { return steps_; }

  /// Makes some lines of a shared place readable; `cell` has the shared coordinates. False where an element is undefined.
  Result<bool> read(std::size_t place, std::vector<std::int64_t>& cell, std::int64_t first, std::int64_t count) {
    first_ = first;
    count_ = static_cast<std::size_t>(count);
    if (grid_) {
      data_ = grid_->data() + steps_.places[place];
      return true;
    }
    const std::size_t items = steps_.items.size();
    numbers_.resize(items * count_ + 2 * simd::slack);
    steps_.lines.resize(count_);
    data_ = numbers_.data() + simd::slack;
    if (!evaluator_) evaluator_ = std::make_unique<FastEvaluator>(formula_);
    for (std::size_t line = 0; line < count_; ++line) {
      steps_.lines[line] = static_cast<std::int64_t>(line * items);
      own_.place(first + static_cast<std::int64_t>(line), cell);
      evaluator_->set_items(cell_number(cell, formula_.geometry.cell_extents), 0, items);
      TIEBREAK_TRY(column, evaluator_->at(factor_));
      if (column->may_be_undefined()) return false;
      Number* out = numbers_.data() + simd::slack + line * items;
      for (std::size_t i = 0; i < items; ++i) out[i] = static_cast<Number>(column->real(i));
    }
    return true;
  }

  /// Of those that were read.
  simd::Lines<Number> lines(std::int64_t first, std::int64_t count) const {
    const auto from = static_cast<std::size_t>(grid_ ? first : first - first_);
    return {data_, std::span(steps_.lines).subspan(from, static_cast<std::size_t>(count)), steps_.items};
  }
  std::span<const std::int64_t> keys(std::int64_t first, std::int64_t count) const {
    return std::span(steps_.keys).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  }

 private:
  const Formula& formula_;
  NodeId factor_;
  const CellSpace& own_;
  std::optional<FactorGrid<Number>> grid_;
  std::unique_ptr<FastEvaluator> evaluator_{};
  SideSteps steps_{};
  const Number* data_ = nullptr;
  std::vector<Number> numbers_{};
  std::int64_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

FloatProducts::FloatProducts(const Formula& formula, NodeId left, NodeId right)
    : formula_(formula),
      left_(left),
      right_(right),
      items_(formula.geometry.items()),
      shared_(formula[left].rate & formula[right].rate & cell_bits, formula.geometry.cell_extents),
      own_left_(formula[left].rate & ~formula[right].rate & cell_bits, formula.geometry.cell_extents),
      own_right_(formula[right].rate & ~formula[left].rate & cell_bits, formula.geometry.cell_extents),
      table_((formula[left].rate | formula[right].rate) & cell_bits, formula.geometry.cell_extents) {}

bool FloatProducts::are_single() const {
  return items_ <= few_items && shared_.size > 1 && shared_.size == product(formula_.geometry.cell_extents, 0, formula_.geometry.cell_extents.size());
}

template <class Number>
Result<bool> FloatProducts::each_block(const std::function<Status(const FloatBlock<Number>&)>& f) const {
  Side<Number> left(formula_, left_, shared_, own_left_, table_), right(formula_, right_, shared_, own_right_, table_);
  bool swapped = false;
  if (left.on_grid() && right.on_grid()) swapped = effort(right.steps(), left.steps()) < effort(left.steps(), right.steps());
  else swapped = own_right_.size < 16 && own_left_.size > own_right_.size;
  Side<Number>&rows = swapped ? right : left, &columns = swapped ? left : right;
  const std::int64_t row_count = (swapped ? own_right_ : own_left_).size, column_count = (swapped ? own_left_ : own_right_).size;
  const std::int64_t some_rows = rows.on_grid() ? row_count : std::min(row_count, rows_read_together);
  const std::vector<std::int64_t> keys = keys_of(shared_, table_, formula_.geometry.cell_extents);
  std::vector<std::int64_t> cell(formula_.geometry.cell_extents.size(), 0);
  for (std::int64_t place = 0; place < shared_.size; ++place) {
    shared_.place(place, cell);
    TIEBREAK_TRY(has_columns, columns.read(static_cast<std::size_t>(place), cell, 0, column_count));
    if (!has_columns) return false;
    for (std::int64_t row = 0; row < row_count; row += some_rows) {
      const std::int64_t height = std::min(some_rows, row_count - row);
      TIEBREAK_TRY(has_rows, rows.read(static_cast<std::size_t>(place), cell, row, height));
      if (!has_rows) return false;
      for (const auto& [some, against] :
           sums_between_stops(static_cast<std::size_t>(height), static_cast<std::size_t>(column_count), static_cast<std::size_t>(items_))) {
        const std::int64_t first = row + static_cast<std::int64_t>(some.first), count = static_cast<std::int64_t>(some.count);
        const std::int64_t column = static_cast<std::int64_t>(against.first), breadth = static_cast<std::int64_t>(against.count);
        TIEBREAK_CHECK(formula_.stop.check());
        TIEBREAK_CHECK(f({rows.lines(first, count), columns.lines(column, breadth), keys[static_cast<std::size_t>(place)], rows.keys(first, count),
                          columns.keys(column, breadth)}));
      }
    }
  }
  return true;
}

template Result<bool> FloatProducts::each_block(const std::function<Status(const FloatBlock<float>&)>& f) const;
template Result<bool> FloatProducts::each_block(const std::function<Status(const FloatBlock<double>&)>& f) const;

bool fits_single(const Bounds& bounds) {
  const Bounds real = as_real(bounds);
  return fits_double(bounds) && real.precision <= 24 && real.top <= 127 && real.bottom >= -149;
}

}  // namespace tiebreak
