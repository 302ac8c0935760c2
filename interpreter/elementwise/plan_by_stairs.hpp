// SPDX-License-Identifier: Apache-2.0
// An elementwise result of few bits, of one operand of many: by its stairs.
#pragma once
#include "interpreter/elementwise/fill_plan.hpp"

namespace tiebreak {

/// A plan where one operand is all that differs from cell to cell, the page's formula is proved to be a staircase of it, and cells are many more than what
/// finding the stairs costs; none where it is not so.
Result<FillPlan> plan_by_stairs(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs);

}  // namespace tiebreak
