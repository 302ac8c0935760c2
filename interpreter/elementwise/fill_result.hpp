// SPDX-License-Identifier: Apache-2.0
// Large elementwise results by tables of codes, by stairs or by the processor's float operations, where one of these is proved to give the formula's values.
#pragma once
#include "interpreter/formula/call.hpp"
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// Fills a result of zeros, what the page requires included; false where the formula is to be run cell by cell. An error ends the computation.
Result<bool> fill_elementwise(const Formula& formula, const FormulaResult& declared, ResultTensor& result);

}  // namespace tiebreak
