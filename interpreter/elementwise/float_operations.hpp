// SPDX-License-Identifier: Apache-2.0
// An elementwise result in binary32 by IEEE 754's own operations, which the processor has.
#pragma once
#include "interpreter/elementwise/inputs.hpp"
#include "interpreter/formula/call.hpp"

namespace tiebreak {

/// Fills the result where the formula is a FloatProgram; false where it is not.
Result<bool> fill_by_float_operations(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs, ResultTensor& result);

}  // namespace tiebreak
