// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/legal_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/formula/operand_sources.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/orders/interval_evaluator.hpp"
#include "interpreter/orders/stated_set.hpp"
#include "interpreter/orders/sum_interval.hpp"
#include "interpreter/ranges/accumulator.hpp"
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

LegalResults from_interval(SumInterval interval, ResultTensor computed) {
  LegalResults legal{.why = fmt::format("any order of {} terms, rounded to {}", interval.terms, interval.format)};
  legal.computed.push_back(std::move(computed));
  legal.elements = LegalElements(std::move(interval.low), std::move(interval.high));
  return legal;
}

Result<LegalElement> enclosed(IntervalEvaluator& evaluator, NodeId node) {
  TIEBREAK_TRY(range, evaluator.at(node));
  if (!range) return LegalElement{.kind = Kind::unknown};
  if (range->is_point() || !range->low.is_number() || !range->high.is_number()) return range->is_point() ? LegalElement{} : LegalElement{.kind = Kind::unknown};
  return interval_element(range->low.number(), range->high.number());
}

/// The formula over intervals, element by element. What is undefined anyway has no interval.
Result<LegalResults> from_formula(const Formula& formula, const FormulaResult& declared, const ResultTensor& computed, IntervalEvaluator& evaluator) {
  LegalResults legal{.computed = {computed}};
  std::vector<LegalElement> elements(static_cast<std::size_t>(computed.tensor.size()));
  if (!evaluator.is_open(declared.node)) {
    legal.elements = std::move(elements);
    return legal;
  }
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
      elements[static_cast<std::size_t>(element)] = std::move(range);
    }
  }
  legal.elements = std::move(elements);
  if (legal.elements.any_unknown()) legal.why = "a sum may overflow, a divisor may be zero, or what follows a sum or a set is not known to be monotone";
  return legal;
}

/// A result that is a set any.F(a, b) with nothing behind it: both ends of many cells at a time. Nothing where it is more than that.
Result<std::optional<LegalResults>> from_ends(const Formula& formula, const FormulaResult& declared, const ResultTensor& computed) {
  if (!is_set_alone(formula, declared)) return std::optional<LegalResults>();
  LegalResults legal{.computed = {computed}, .why = "a set that the text states"};
  std::vector<LegalElement> elements(static_cast<std::size_t>(computed.tensor.size()));
  constexpr std::int64_t together = 4096;
  FastEvaluator evaluator(formula);
  for (std::int64_t first = 0; first < formula.geometry.cells(); first += together) {
    const std::int64_t count = std::min(together, formula.geometry.cells() - first);
    evaluator.set_cells(first, static_cast<std::size_t>(count));
    TIEBREAK_TRY(lows, evaluator.at(formula[declared.node].args[0]));
    TIEBREAK_TRY(highs, evaluator.at(formula[declared.node].set_end));
    for (std::int64_t i = 0; i < count; ++i) {
      if (computed.is_undefined(first + i)) continue;
      elements[static_cast<std::size_t>(first + i)] = set_element(lows->value(static_cast<std::size_t>(i)), highs->value(static_cast<std::size_t>(i)));
    }
  }
  legal.elements = std::move(elements);
  return std::optional(std::move(legal));
}

std::vector<LegalResults> all_unknown(std::vector<ResultTensor>& computed, const std::string& why) {
  std::vector<LegalResults> all;
  for (ResultTensor& one : computed) {
    const auto size = static_cast<std::size_t>(one.tensor.size());
    all.push_back({.computed = {std::move(one)}, .elements = LegalElements::unknown(size), .why = why});
  }
  return all;
}

bool is_open_operand(const OpenOperands& operands, int operand) {
  return static_cast<std::size_t>(operand) < operands.size() && operands[static_cast<std::size_t>(operand)] != nullptr;
}

/// Whether each open operand is read element by element: what steers places or shapes is read by no result.
bool all_are_read(const Formula& formula, const std::vector<int>& operand_of, const OpenOperands& operands) {
  std::set<std::string> names;
  for (const FormulaResult& result : formula.results) names.merge(sources_below(formula, result.node));
  for (std::size_t operand = 0; operand < operands.size(); ++operand) {
    bool read = operands[operand] == nullptr;
    for (std::size_t s = 0; s < operand_of.size(); ++s) read |= operand_of[s] == static_cast<int>(operand) && names.contains(formula.sources[s].name);
    if (!read) return false;
  }
  return true;
}

/// Of members as they are stored.
std::optional<IntervalEvaluator::Range> range_of(const LegalElement& element, const OpCall& call, std::size_t operand, std::int64_t offset) {
  const Tensor& tensor = *call.operands[operand];
  if (element.kind == Kind::interval) return IntervalEvaluator::Range{element.low, element.high};
  if (element.kind == Kind::unknown || element.may_be_undefined) return std::nullopt;
  if (element.kind == Kind::unique) {
    const bool undefined =
        operand < call.undefined.size() && !call.undefined[operand].empty() && call.undefined[operand][static_cast<std::size_t>(offset)] != 0;
    const Value value = undefined ? Value() : Value(tensor.value(offset));
    return IntervalEvaluator::Range{value, value};
  }
  Real low = tensor.element().decode(element.members.front().front()), high = low;
  for (const auto& member : element.members) {
    const Real value = tensor.element().decode(member.front());
    if (!value.is_finite()) return std::nullopt;
    low = min(low, value);
    high = max(high, value);
  }
  return IntervalEvaluator::Range{low, high};
}

}  // namespace

Result<std::vector<LegalResults>> legal_sums(const Semantics& semantics, const OpCall& call, bool any_order) {
  std::vector<LegalResults> all;
  TIEBREAK_TRY(formula, bind(semantics, call));
  const bool sums_open = any_order || leaves_open(semantics.library, formula);
  if (!sums_open && !holds_sets(formula)) return all;
  IntervalEvaluator open(formula, sums_open);
  const bool any_open = std::ranges::any_of(formula.results, [&](const FormulaResult& result) { return open.is_open(result.node); });
  TIEBREAK_TRY(computed, evaluate(semantics, call));
  if (sums_open && formula.results.size() == 1) {
    TIEBREAK_TRY(interval, sum_interval(semantics, call));
    if (interval) {
      all.push_back(from_interval(*std::move(interval), std::move(computed.front())));
      return all;
    }
  }
  for (std::size_t r = 0; any_open && r < formula.results.size(); ++r) {
    TIEBREAK_TRY(ends, sums_open ? Result<std::optional<LegalResults>>() : from_ends(formula, formula.results[r], computed[r]));
    if (ends) {
      all.push_back(std::move(*ends));
      continue;
    }
    TIEBREAK_TRY(legal, from_formula(formula, formula.results[r], computed[r], open));
    if (legal.why.empty()) legal.why = sums_open ? "an enclosure of every order of the sums, through all that follows them" : "a set that the text states";
    all.push_back(std::move(legal));
  }
  return all;
}

Result<std::vector<LegalResults>> legal_consequences(const Semantics& semantics, const OpCall& call, const OpenOperands& operands, bool any_order) {
  TIEBREAK_TRY(computed, evaluate(semantics, call));
  TIEBREAK_TRY(place, semantics.library.find_op(call.op));
  if (notation::is_run(*place.op) || gives_parts(*place.op))
    return all_unknown(computed, "what runs on results that are not unique is no formula of single elements");
  TIEBREAK_TRY(formula, bind(semantics, call));
  const std::vector<int> operand_of = operands_of_sources(formula, call);
  if (!formula.stages.empty() || !all_are_read(formula, operand_of, operands))
    return all_unknown(computed, "results that are not unique may say where elements lie");
  std::vector<bool> open_sources;
  for (const int operand : operand_of) open_sources.push_back(operand >= 0 && is_open_operand(operands, operand));
  const auto read = [&](std::size_t source, std::int64_t offset) {
    const auto operand = static_cast<std::size_t>(operand_of[source]);
    return range_of((*operands[operand])[static_cast<std::size_t>(offset)], call, operand, offset);
  };
  IntervalEvaluator evaluator(formula, any_order || leaves_open(semantics.library, formula), open_sources, read);
  std::vector<LegalResults> all;
  for (std::size_t r = 0; r < formula.results.size(); ++r) {
    TIEBREAK_TRY(legal, from_formula(formula, formula.results[r], computed[r], evaluator));
    if (legal.why.empty()) legal.why = "an enclosure of what follows from results that are not unique";
    all.push_back(std::move(legal));
  }
  return all;
}

}  // namespace tiebreak
