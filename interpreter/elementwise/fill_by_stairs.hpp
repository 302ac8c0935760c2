// SPDX-License-Identifier: Apache-2.0
// An elementwise result of few bits, of one operand of many: by its stairs.
#pragma once
#include "interpreter/elementwise/inputs.hpp"
#include "interpreter/formula/call.hpp"

namespace tiebreak {

/// Fills the result where one operand is all that differs from cell to cell, the page's formula is proved to be a staircase of it, and cells are many more than
/// what finding the stairs costs; false where it is not so.
Result<bool> fill_by_stairs(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs, ResultTensor& result);

}  // namespace tiebreak
