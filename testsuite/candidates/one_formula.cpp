// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/one_formula.hpp"

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/formula/same_nodes.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

/// The op has one formula a result, of the call as it is: no stages, no regions, no parts.
bool has_formulas_alone(const notation::Op& op) {
  const auto is_stage = [](const notation::Statement& statement) { return std::holds_alternative<notation::Stage>(statement); };
  return !notation::is_run(op) && !gives_parts(op) && std::ranges::none_of(op.results, &notation::Operand::variadic) &&
         std::ranges::none_of(op.statements, is_stage);
}

/// Whether a value, as a result of this type, is what was answered; nothing where the type does not hold it.
std::optional<bool> is_answer(const Value& value, const TensorType& type, const Tensor& answer, std::int64_t element) {
  if (value.is_undefined()) return false;
  if (value.is_truth()) return answer.code(element) == (value.truth() ? 1U : 0U);
  if (!value.is_number()) return std::nullopt;
  const auto code = type.element.encode(value.number());
  if (!code) return std::nullopt;
  return *code == answer.code(element) || (value.number().is_nan() && type.element.is_float() && answer.value(element).is_nan());
}

}  // namespace

std::shared_ptr<OneFormula> OneFormula::of(const Library& library, const Observation& observation) {
  const Program& program = observation.test.program;
  if (program.operations.size() != 1 || program.operations.front().results != program.outputs || observation.telling.empty()) return nullptr;
  const auto place = library.op_place(program.operations.front().op);
  if (!place || !has_formulas_alone(*place->op)) return nullptr;
  const Profile none;  // no other operation runs before this one
  Result<OpCall> call = reach_call({library, none}, program, 0, observation.test.inputs);
  if (!call) return nullptr;
  auto made = std::make_shared<OneFormula>();
  made->call_ = *std::move(call);
  return made;
}

std::optional<Formula> OneFormula::bind(const Semantics& semantics) const {
  Result<Formula> formula = tiebreak::bind(semantics, call_);
  if (!formula) return std::nullopt;
  return *std::move(formula);
}

const Fit* OneFormula::known(const Formula& formula, bool of_all) const {
  const auto found = std::ranges::find_if(known_, [&](const Known& one) { return (one.of_all || !of_all) && same_nodes(one.formula, formula); });
  return found == known_.end() ? nullptr : &found->fit;
}

void OneFormula::remember(Formula formula, Fit fit, bool of_all) { known_.push_back({std::move(formula), std::move(fit), of_all}); }

/// Of a result with an element a cell these are one. Of another the cells are gone through, once: places of other formulas are compared with them.
const std::vector<OneFormula::Place>& OneFormula::places_of(const Formula& formula, const Observation& observation, std::size_t output) {
  constexpr std::int64_t most_searched = std::int64_t{1} << 22;
  const auto [found, fresh] = places_.try_emplace(output);
  std::vector<Place>& places = found->second;
  if (!fresh) return places;
  const std::vector<std::int64_t>& telling = observation.telling[output];
  const Geometry& geometry = formula.geometry;
  if (!formula.results[output].per_item) {
    for (const std::int64_t element : telling) places.push_back({element, element, 0});
    return places;
  }
  if (geometry.items() > most_searched / std::max<std::int64_t>(1, geometry.cells())) return places;
  const std::set<std::int64_t> wanted(telling.begin(), telling.end());
  std::vector<std::int64_t> cell(geometry.cell_extents.size()), item(geometry.item_extents.size());
  for (std::int64_t c = 0; c < geometry.cells(); ++c) {
    unravel(c, geometry.cell_extents, cell);
    for (std::int64_t i = 0; i < geometry.items(); ++i) {
      unravel(i, geometry.item_extents, item);
      if (const std::int64_t element = geometry.item_result.offset(cell, item); wanted.contains(element)) places.push_back({element, c, i});
    }
  }
  return places;
}

bool OneFormula::is_refuted_early(const Formula& formula, const Observation& observation) {
  constexpr std::int64_t most_items = std::int64_t{1} << 15;  // of all places together
  const Geometry& geometry = formula.geometry;
  const std::int64_t items = std::max<std::int64_t>(1, geometry.has_bag ? geometry.items() : 1);
  std::int64_t left = most_items / items;
  ExactEvaluator evaluator(formula);
  std::vector<std::int64_t> cell(geometry.cell_extents.size()), item(geometry.item_extents.size());
  for (std::size_t output = 0; output < formula.results.size() && output < observation.answers.size(); ++output) {
    const FormulaResult& result = formula.results[output];
    const Tensor& answer = observation.answers[output].tensor;
    if (!(result.type.element == answer.element()) || result.type.shape != answer.shape()) return false;
    for (const Place& place : places_of(formula, observation, output)) {
      if (left-- <= 0) return false;
      if (place.cell >= geometry.cells()) return false;
      if (result.per_item) {
        if (place.item >= geometry.items()) return false;
        unravel(place.cell, geometry.cell_extents, cell);
        unravel(place.item, geometry.item_extents, item);
        if (geometry.item_result.offset(cell, item) != place.element) return false;
      } else if (!result.single && geometry.cells() != answer.size()) {
        return false;
      }
      evaluator.set_cell(place.cell);
      evaluator.set_item(place.item);
      const Result<Value> value = evaluator.at(result.node);
      if (!value) return false;
      if (const auto same = is_answer(*value, result.type, answer, place.element); same && !*same) return true;
    }
  }
  return false;
}

}  // namespace tiebreak
