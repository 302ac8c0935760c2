// SPDX-License-Identifier: Apache-2.0
// Conversions to a float format of what no column carries.
#include <cmath>

#include "interpreter/fast/cell_space.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/float_sum_table.hpp"

namespace tiebreak {

/// A conversion of an exact sum: the table is the conversion's.
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
  if (!has_cells || node.format->precision() > 40 || !enclosures_.encloses(node.args[0])) return none;
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
  } else {
    const auto cell = lanes().cell(0);
    exact_->set_cell(cell_number({cell.begin(), cell.end()}, formula_.geometry.cell_extents));
    exact_->set_item(lanes_.first_item + number);
  }
  return exact_->at(id);
}

}  // namespace tiebreak
