// SPDX-License-Identifier: Apache-2.0
// An elementwise result in binary32 by IEEE 754's own operations, which the processor has.
#pragma once
#include "interpreter/elementwise/fill_plan.hpp"

namespace tiebreak {

/// A plan where the formula is a FloatProgram; none where it is not.
Result<FillPlan> plan_by_float_operations(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs);

}  // namespace tiebreak
