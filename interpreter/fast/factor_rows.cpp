// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/factor_rows.hpp"

#include <limits>
#include <utility>

#include "interpreter/fast/fast_evaluator.hpp"

namespace tiebreak {
namespace {

bool fits_32_bits(BoundsTable& bounds, NodeId id) {
  const Bounds& range = bounds.of(id);
  return range.carrier == Carrier::integer && range.low >= std::numeric_limits<std::int32_t>::min() && range.high <= std::numeric_limits<std::int32_t>::max();
}

std::uint64_t cell_rate(const Formula& formula, NodeId id) { return formula[id].rate & cell_bits; }

}  // namespace

std::optional<FactorRows> FactorRows::of(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const Node& sum = formula[id];
  if (sum.aggregate.kind != AggregateKind::sum || sum.aggregate.step >= 0 || sum.args.size() > 1) return std::nullopt;
  const Node& body = formula[sum.args[0]];
  if (body.op != NodeOp::multiply) return std::nullopt;
  NodeId left = body.args[0], right = body.args[1];
  if (!fits_32_bits(bounds, left) || !fits_32_bits(bounds, right)) return std::nullopt;
  const std::uint64_t holes = Holes(formula).cell_rate();
  auto sees_holes = [&](NodeId factor) { return (holes & ~formula[factor].rate) == 0; };
  if (!sees_holes(left)) std::swap(left, right);
  if (!sees_holes(left)) return std::nullopt;
  return FactorRows(formula, left, right);
}

FactorRows::FactorRows(const Formula& formula, NodeId left, NodeId right)
    : formula_(&formula),
      left_(left),
      right_(right),
      items_(formula.geometry.items()),
      holes_(formula),
      shared_(cell_rate(formula, left) & cell_rate(formula, right), formula.geometry.cell_extents),
      own_left_(cell_rate(formula, left) & ~cell_rate(formula, right), formula.geometry.cell_extents),
      own_right_(cell_rate(formula, right) & ~cell_rate(formula, left), formula.geometry.cell_extents),
      cell_(formula.geometry.cell_extents.size(), 0) {}

std::uint64_t FactorRows::rate() const { return cell_rate(*formula_, left_) | cell_rate(*formula_, right_); }

Result<bool> FactorRows::read(std::int64_t place) {
  shared_.place(place, cell_);
  TIEBREAK_TRY(lefts, rows_of(left_, own_left_));
  TIEBREAK_TRY(rights, rows_of(right_, own_right_));
  if (!lefts || !rights) return false;
  left_rows_ = std::move(*lefts);
  right_rows_ = std::move(*rights);
  return true;
}

std::vector<std::int64_t> FactorRows::cell_of_row(std::int64_t number) const {
  std::vector<std::int64_t> cell = cell_;
  own_left_.place(number, cell);
  return cell;
}

Result<std::optional<std::vector<std::int32_t>>> FactorRows::rows_of(NodeId factor, const CellSpace& own) const {
  const auto items = static_cast<std::size_t>(items_);
  std::vector<std::int32_t> rows;
  rows.reserve(static_cast<std::size_t>(own.size) * items);  // filled row by row, so that no long time passes without a look at whether to stop
  FastEvaluator evaluator(*formula_);
  std::vector<std::int64_t> cell = cell_;
  for (std::int64_t row = 0; row < own.size; ++row) {
    own.place(row, cell);
    evaluator.set_items(cell_number(cell, formula_->geometry.cell_extents), 0, items);
    TIEBREAK_TRY(column, evaluator.at(factor));
    rows.resize(rows.size() + items);
    std::int32_t* out = rows.data() + static_cast<std::size_t>(row) * items;
    for (std::size_t i = 0; i < items; ++i) out[i] = static_cast<std::int32_t>(column->integers[column->at(i)]);
    const bool has_holes = factor == left_ && !holes_.empty(), may_be_undefined = column->may_be_undefined();
    for (std::size_t i = 0; (has_holes || may_be_undefined) && i < items; ++i) {
      if (has_holes && holes_.at(evaluator.lanes().cell(i), evaluator.lanes().item(i))) out[i] = 0;  // what is not in the bag adds nothing
      else if (may_be_undefined && column->is_undefined(i)) return std::optional<std::vector<std::int32_t>>();
    }
  }
  return std::optional(std::move(rows));
}

}  // namespace tiebreak
