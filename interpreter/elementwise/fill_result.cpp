// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/fill_result.hpp"

#include "interpreter/elementwise/behind_sums.hpp"
#include "interpreter/elementwise/code_table.hpp"
#include "interpreter/elementwise/float_operations.hpp"
#include "interpreter/elementwise/plan_by_stairs.hpp"
#include "interpreter/elementwise/within_rows.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t few_cells = 1024;  // whatever is prepared for these takes longer than they do

}  // namespace

Result<FillPlan> plan_elementwise(const Formula& formula, const FormulaResult& declared) {
  const FillPlan none;
  const std::optional<CellInputs> inputs = cell_inputs(formula, declared.node);
  if (!inputs) return none;
  for (const auto plan_by : {plan_by_codes, plan_by_stairs, plan_by_float_operations}) {
    TIEBREAK_TRY(plan, plan_by(formula, declared, *inputs));
    if (plan) return std::move(plan);
  }
  return none;
}

Result<bool> fill_at_once(const Formula& formula, const FormulaResult& declared, ResultTensor& result) {
  const Geometry& geometry = formula.geometry;
  const std::int64_t elements = declared.per_item ? geometry.cells() * geometry.items() : geometry.cells();
  if (declared.single || result.tensor.size() < few_cells || result.tensor.size() != elements) return false;
  const auto plan_for = declared.per_item ? plan_within_rows : geometry.has_bag ? plan_behind_sums : plan_elementwise;
  TIEBREAK_TRY(plan, plan_for(formula, declared));
  return plan ? plan(result) : false;
}

}  // namespace tiebreak
