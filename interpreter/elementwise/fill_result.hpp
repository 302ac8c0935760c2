// SPDX-License-Identifier: Apache-2.0
// Large results at once: elementwise ones by tables of codes, by stairs or by the processor's float operations, where one of these is proved to give the
// formula's values; and what follows an accumulator, likewise.
#pragma once
#include "interpreter/elementwise/fill_plan.hpp"

namespace tiebreak {

Result<FillPlan> plan_elementwise(const Formula& formula, const FormulaResult& declared);

/// Fills a result of zeros, what the page requires included; false where the formula is to be run cell by cell. An error ends the computation.
Result<bool> fill_at_once(const Formula& formula, const FormulaResult& declared, ResultTensor& result);

}  // namespace tiebreak
