// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/stated_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "interpreter/bind/binder.hpp"
#include "interpreter/exact/machine_formats.hpp"

namespace tiebreak {
namespace {

/// An element of a tensor of f32 or f64.
double machine_number(const Tensor& tensor, std::int64_t index) {
  const auto number = [&]<class Number>(Number value) {
    std::memcpy(&value, tensor.bytes().data() + static_cast<std::size_t>(index) * sizeof value, sizeof value);
    return static_cast<double>(value);
  };
  return tensor.element().storage_bytes() == 4 ? number(0.0F) : number(0.0);
}

}  // namespace

bool is_set_alone(const Formula& formula, const FormulaResult& result) {
  const auto sets = std::ranges::count_if(formula.nodes, [](const Node& node) { return node.set_end >= 0; });
  return sets == 1 && formula[result.node].set_end >= 0 && !result.per_item && !result.single;
}

LegalElement set_element(const Value& low, const Value& high) {
  if (!low.is_number() || !high.is_number() || low.number().is_nan() || high.number().is_nan()) return {.kind = LegalElement::Kind::unknown};
  if (low.number() == high.number() && !low.number().is_zero()) return {};
  return {.kind = LegalElement::Kind::interval, .low = low.number(), .high = high.number()};
}

Result<std::shared_ptr<StatedSet>> StatedSet::of(const Semantics& semantics, OpCall call) {
  std::shared_ptr<StatedSet> set(new StatedSet);
  set->call_ = std::move(call);
  TIEBREAK_TRY(formula, bind(semantics, set->call_));
  set->formula_ = std::move(formula);
  if (set->formula_.results.size() != 1 || !is_set_alone(set->formula_, set->formula_.results.front())) return std::shared_ptr<StatedSet>();
  set->evaluator_ = std::make_unique<FastEvaluator>(set->formula_);
  return set;
}

bool StatedSet::compute(std::int64_t first, std::int64_t count) {
  ends_ = {};
  evaluator_->set_cells(first, static_cast<std::size_t>(count));
  const Node& node = formula_[formula_.results.front().node];
  const auto low = evaluator_->at(node.args[0]), high = evaluator_->at(node.set_end);
  if (low && high) ends_ = {first, count, *low, *high};
  return low && high;
}

/// Puts the element's ends among those that are known. False where they cannot be computed. What is computed beside it costs as much and may not be asked for:
/// of elements of which all or most were asked for, twice as many come next.
bool StatedSet::find(std::int64_t element) {
  constexpr std::int64_t most = 4096;
  const bool is_new = element != asked_;
  asked_ = element;
  if (element >= ends_.first && element < ends_.first + ends_.count) {
    asked_count_ += is_new ? 1 : 0;
    return true;
  }
  if (4 * asked_count_ >= 3 * ends_.count) ahead_ = std::min(most, 2 * ahead_);
  else if (2 * asked_count_ <= ends_.count) ahead_ = std::max<std::int64_t>(1, ahead_ / 2);
  asked_count_ = 1;
  const std::int64_t count = std::min(ahead_, formula_.geometry.cells() - element);
  return (count > 1 && compute(element, count)) || compute(element, 1);
}

LegalElement StatedSet::at(std::int64_t element) {
  if (!find(element)) return {.kind = LegalElement::Kind::unknown};
  const auto lane = static_cast<std::size_t>(element - ends_.first);
  return set_element(ends_.low->value(lane), ends_.high->value(lane));
}

std::optional<bool> StatedSet::holds(const Tensor& answer, std::int64_t element) {
  const ElementType& type = answer.element();
  if (!type.is_float() || !(is_binary32(type.floating()) || is_binary64(type.floating())) || !find(element)) return std::nullopt;
  const auto is_plain = [](const Column& column) { return column.carrier == Carrier::real && column.undefined.empty(); };
  if (!is_plain(*ends_.low) || !is_plain(*ends_.high)) return std::nullopt;
  const auto lane = static_cast<std::size_t>(element - ends_.first);
  const double low = ends_.low->real(lane), high = ends_.high->real(lane), value = machine_number(answer, element);
  if (std::isnan(low) || std::isnan(high)) return std::nullopt;
  const bool is_unique = low == high && low != 0;
  return !is_unique && low <= value && value <= high;
}

}  // namespace tiebreak
