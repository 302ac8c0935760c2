// SPDX-License-Identifier: Apache-2.0
// Programs whose outputs are the same operations on the same values: equal whatever the inputs, and whatever the sizes.
#pragma once
#include "testsuite/equal/compare_programs.hpp"

namespace tiebreak {

/// For each output whether both programs compute it by the same operations, which the profiles read alike (identical formulas, or formulas proved to give
/// the same). Inputs are the same by their order.
std::vector<bool> same_operations(const ProgramSide& first, const ProgramFormulas& first_formulas, const ProgramSide& second,
                                  const ProgramFormulas& second_formulas);

}  // namespace tiebreak
