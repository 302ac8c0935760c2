// SPDX-License-Identifier: Apache-2.0
// What follows the accumulator of a contraction is an elementwise formula of it.
#pragma once
#include "interpreter/elementwise/fill_plan.hpp"

namespace tiebreak {

/// A plan where all that the result takes from the bag is one whole number of 32 bits, for which plan_elementwise() has a plan: the sums are computed as a
/// tensor, then what follows is filled.
Result<FillPlan> plan_behind_sums(const Formula& formula, const FormulaResult& declared);

}  // namespace tiebreak
