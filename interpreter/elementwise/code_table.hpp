// SPDX-License-Identifier: Apache-2.0
// An elementwise result of operands of few bits as a table: computed once for each combination of codes, then looked up.
#pragma once
#include "interpreter/elementwise/fill_plan.hpp"

namespace tiebreak {

/// A plan where one or two operands of 8-bit codes are all that differs from cell to cell, and cells are many more than their combinations; none where it is
/// not so, or where a code that may not occur is an error.
Result<FillPlan> plan_by_codes(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs);

}  // namespace tiebreak
