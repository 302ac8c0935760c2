// SPDX-License-Identifier: Apache-2.0
// What is exact only together with the conversion that follows: operations, and conversions to a float format of what no column carries.
#include <cmath>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/float_sum_table.hpp"
#include "interpreter/fast/lane_arithmetic.hpp"
#include "interpreter/formula/cell_space.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t small_integer = std::int64_t{1} << 40;

}  // namespace

/// Operations that are exact only together with what rounds or saturates them.
Result<std::optional<Column>> FastEvaluator::fused(const Node& node) {
  if (node.op != NodeOp::round_float && node.op != NodeOp::saturate && node.op != NodeOp::is_nan) return std::optional<Column>{};
  const Node& inner = formula_[node.args[0]];
  if (node.op == NodeOp::round_float && bounds_.of(node.args[0]).carrier == Carrier::exact) {
    TIEBREAK_TRY(rounded, rounded_sum(node));
    if (rounded || inner.op == NodeOp::aggregate) return std::move(rounded);
  }
  const bool sum = inner.op == NodeOp::add || inner.op == NodeOp::subtract;
  if (!sum && inner.op != NodeOp::multiply && inner.op != NodeOp::divide) return std::optional<Column>{};
  if (bounds_.of(node.args[0]).carrier != Carrier::exact) return std::optional<Column>{};
  const Bounds a = bounds_.of(inner.args[0]), b = bounds_.of(inner.args[1]);
  if (node.op == NodeOp::is_nan) {
    // A sum with an integer is nan where its other side is.
    const bool left = b.carrier == Carrier::integer;
    if (!sum || (!left && a.carrier != Carrier::integer) || !fits_double(left ? a : b)) return std::optional<Column>{};
    TIEBREAK_TRY(other, at(inner.args[left ? 0 : 1]));
    return std::optional<Column>(lane_is_nan(*other));
  }
  if (node.op == NodeOp::saturate) {
    auto low = node.low.to_int64(), high = node.high.to_int64();
    if (!sum || !low || !high || *low < -small_integer || *high > small_integer) return std::optional<Column>{};
    auto small = [](const Bounds& bounds) { return bounds.carrier == Carrier::integer && bounds.low >= -small_integer && bounds.high <= small_integer; };
    const bool straight = a.carrier == Carrier::real && a.whole && small(b);
    const bool swapped = inner.op == NodeOp::add && b.carrier == Carrier::real && b.whole && small(a);
    if (!straight && !swapped) return std::optional<Column>{};
    TIEBREAK_TRY(whole, at(inner.args[straight ? 0 : 1]));
    TIEBREAK_TRY(offset, at(inner.args[straight ? 1 : 0]));
    return std::optional<Column>(lane_saturate_sum(node, inner, *whole, *offset));
  }
  if (!fits_double(a) || !fits_double(b)) return std::optional<Column>{};
  const Bounds x = as_real(a), y = as_real(b);
  const bool native = is_binary64(*node.format) && node.rounding == Rounding::nearest_even && node.overflow == Overflow::format;
  // Rounding to odd needs room below and above, and a target of at most 51 bits.
  const bool room = node.format->precision() <= 51 && x.top <= 400 && y.top <= 400 && x.bottom >= -400 && y.bottom >= -400;
  if (!native && !room) return std::optional<Column>{};
  TIEBREAK_TRY(left, at(inner.args[0]));
  TIEBREAK_TRY(right, at(inner.args[1]));
  return std::optional<Column>(lane_round_operation(node, find_traits(inner.op)->loops, *left, *right, x, y));
}

/// A conversion of an exact sum, or of one and something else: the table is the conversion's.
Result<std::optional<Column>> FastEvaluator::rounded_sum(const Node& node) {
  const NodeId id = static_cast<NodeId>(&node - formula_.nodes.data());
  auto found = tables_.find(id);
  if (found == tables_.end()) {
    if (unfit_.contains(id)) return std::optional<Column>{};
    TIEBREAK_TRY(table, rounded_sum_table(formula_, bounds_, id));
    if (!table) return unfit_.insert(id), std::optional<Column>{};
    found = tables_.emplace(id, std::move(*table)).first;
  }
  return std::optional<Column>(from_table(found->second, formula_[node.args[0]].rate));
}

/// A conversion of what no column carries: where the ends of an enclosure round apart, that lane is computed exactly.
Result<std::optional<Column>> FastEvaluator::rounded_enclosures(const Node& node) {
  const std::optional<Column> none;
  const bool has_cells = lanes_.first_cell >= 0 || lanes_.first_item >= 0;
  if (!has_cells || node.format->precision() > most_enclosed_precision || !enclosures_.encloses(node.args[0])) return none;
  TIEBREAK_TRY(enclosure, enclosures_.of(node.args[0], *this));
  Column column{.carrier = Carrier::real, .uniform = enclosure.uniform, .reals = round_enclosures(node, enclosure)};
  for (std::size_t i = 0; i < column.reals.size(); ++i) {
    if (!std::isnan(column.reals[i])) continue;
    TIEBREAK_CHECK(formula_.stop.check());
    TIEBREAK_TRY(value, exact_lane(static_cast<NodeId>(&node - formula_.nodes.data()), i));
    if (value.is_undefined()) column.set_undefined(i);
    else column.reals[i] = value.number().to_double();
  }
  return std::optional(std::move(column));
}

Result<Value> FastEvaluator::exact_lane(NodeId id, std::size_t lane) {
  if (!exact_) exact_ = std::make_unique<ExactEvaluator>(formula_);
  const auto number = static_cast<std::int64_t>(lane);
  if (lanes_.first_cell >= 0) {
    exact_->set_cell(lanes_.first_cell + number);
    if (lanes_.first_item >= 0) exact_->set_item(lanes_.first_item);
  } else {
    const auto cell = lanes().cell(0);
    exact_->set_cell(cell_number({cell.begin(), cell.end()}, formula_.geometry.cell_extents));
    exact_->set_item(lanes_.first_item + number);
  }
  return exact_->at(id);
}

}  // namespace tiebreak
