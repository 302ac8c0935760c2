// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/stated_set.hpp"

#include <algorithm>

#include "interpreter/bind/binder.hpp"

namespace tiebreak {

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

LegalElement StatedSet::at(std::int64_t element) {
  const NodeId low = formula_[formula_.results.front().node].args[0], high = formula_[formula_.results.front().node].set_end;
  evaluator_->set_cells(element, 1);
  const auto lows = evaluator_->at(low), highs = evaluator_->at(high);
  if (!lows || !highs) return {.kind = LegalElement::Kind::unknown};
  return set_element((*lows)->value(0), (*highs)->value(0));
}

}  // namespace tiebreak
