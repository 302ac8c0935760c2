// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/legal_sums.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/orders/interval_evaluator.hpp"
#include "interpreter/orders/sum_interval.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

using Kind = LegalElement::Kind;

/// Whether an alternative that the formula has taken says `sum[..., any](...)`.
bool leaves_open(const Library& library, const Formula& formula) {
  return std::ranges::any_of(formula.readings, [&](const auto& reading) {
    const auto place = find_choice(library, reading.first);
    if (!place) return false;
    const auto taken = std::ranges::find(place->choice->alternatives, reading.second, &notation::Alternative::name);
    if (taken == place->choice->alternatives.end()) return false;
    bool open = false;
    notation::walk(*taken->body.value,
                   [&](const notation::Expr& one) { open |= std::ranges::find(one.modifiers, "any", &notation::Modifier::name) != one.modifiers.end(); });
    return open;
  });
}

bool holds_sets(const Formula& formula) {
  return std::ranges::any_of(formula.nodes, [](const Node& node) { return node.set_end >= 0; });
}

Real end_of(const ResultTensor& tensor, std::int64_t i, bool upper) { return tensor.is_undefined(i) ? Real::infinity(!upper) : tensor.tensor.value(i); }

LegalElement interval_element(const Real& low, const Real& high) {
  if (low == high && !low.is_zero()) return LegalElement{};
  return LegalElement{.kind = Kind::interval, .low = low, .high = high};
}

LegalResults from_interval(const SumInterval& interval, const ResultTensor& computed) {
  LegalResults legal{.computed = {computed}, .why = fmt::format("any order of {} terms, rounded to {}", interval.terms, interval.format)};
  for (std::int64_t i = 0; i < computed.tensor.size(); ++i)
    legal.elements.push_back(interval_element(end_of(interval.low, i, false), end_of(interval.high, i, true)));
  return legal;
}

Result<LegalElement> enclosed(IntervalEvaluator& evaluator, NodeId node) {
  TIEBREAK_TRY(range, evaluator.at(node));
  if (!range) return LegalElement{.kind = Kind::unknown};
  if (range->is_point() || !range->low.is_number() || !range->high.is_number()) return range->is_point() ? LegalElement{} : LegalElement{.kind = Kind::unknown};
  return interval_element(range->low.number(), range->high.number());
}

/// The formula over intervals, element by element. What is undefined anyway has no interval.
Result<LegalResults> from_formula(const Formula& formula, const FormulaResult& declared, const ResultTensor& computed, bool sums_open) {
  LegalResults legal{.computed = {computed},
                     .why = sums_open ? "an enclosure of every order of the sums, through all that follows them" : "a set that the text states"};
  legal.elements.resize(static_cast<std::size_t>(computed.tensor.size()));
  IntervalEvaluator evaluator(formula, sums_open);
  if (!evaluator.is_open(declared.node)) return legal;
  const Geometry& geometry = formula.geometry;
  std::vector<std::int64_t> place(geometry.cell_extents.size()), item_place(geometry.item_extents.size());
  for (std::int64_t cell = 0; cell < (declared.single ? 1 : geometry.cells()); ++cell) {
    evaluator.set_cell(cell);
    unravel(cell, geometry.cell_extents, place);
    for (std::int64_t item = 0; item < (declared.per_item ? geometry.items() : 1); ++item) {
      evaluator.set_item(item);
      unravel(item, geometry.item_extents, item_place);
      const std::int64_t element = declared.per_item ? geometry.item_result.offset(place, item_place) : cell;
      if (element < 0 || computed.is_undefined(element)) continue;
      TIEBREAK_TRY(range, enclosed(evaluator, declared.node));
      legal.elements[static_cast<std::size_t>(element)] = std::move(range);
    }
  }
  if (std::ranges::find(legal.elements, Kind::unknown, &LegalElement::kind) != legal.elements.end())
    legal.why = "a sum may overflow, a divisor may be zero, or what follows a sum or a set is not known to be monotone";
  return legal;
}

}  // namespace

Result<std::vector<LegalResults>> legal_sums(const Semantics& semantics, const OpCall& call, bool any_order) {
  std::vector<LegalResults> all;
  TIEBREAK_TRY(formula, bind(semantics, call));
  const bool sums_open = any_order || leaves_open(semantics.library, formula);
  if (!sums_open && !holds_sets(formula)) return all;
  const IntervalEvaluator open(formula, sums_open);
  const bool any_open = std::ranges::any_of(formula.results, [&](const FormulaResult& result) { return open.is_open(result.node); });
  TIEBREAK_TRY(computed, evaluate(semantics, call));
  if (sums_open && formula.results.size() == 1) {
    TIEBREAK_TRY(interval, sum_interval(semantics, call));
    if (interval) {
      all.push_back(from_interval(*interval, computed.front()));
      return all;
    }
  }
  for (std::size_t r = 0; any_open && r < formula.results.size(); ++r) {
    TIEBREAK_TRY(legal, from_formula(formula, formula.results[r], computed[r], sums_open));
    all.push_back(std::move(legal));
  }
  return all;
}

}  // namespace tiebreak
