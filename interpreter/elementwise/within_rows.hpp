// SPDX-License-Identifier: Apache-2.0
// A result with an element for each item of rows is an elementwise formula of the items, with what each row gives as parameters.
#pragma once
#include "interpreter/elementwise/fill_plan.hpp"

namespace tiebreak {

/// A plan where items and results lie row after row, results are bytes, and plan_elementwise() has a plan once the numbers of each row are known, which are
/// computed for it.
Result<FillPlan> plan_within_rows(const Formula& formula, const FormulaResult& declared);

}  // namespace tiebreak
