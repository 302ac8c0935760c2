// SPDX-License-Identifier: Apache-2.0
// Values that two programs both compute: the same operations on the same values, whatever the inputs and the sizes, or values that are shown to be equal.
#pragma once
#include <functional>
#include <vector>

#include "testsuite/equal/compare_programs.hpp"

namespace tiebreak {

/// A number for each value: what has the same number is equal wherever both are defined, for all inputs.
struct SharedValues {
  std::vector<int> first{}, second{};
  bool shown = false;  ///< some are no same operations, and were shown to be equal
  bool same(ValueId of_first, ValueId of_second) const { return first[static_cast<std::size_t>(of_first)] == second[static_cast<std::size_t>(of_second)]; }
};

/// Whether a value of the first program and one of the second are equal on all inputs, given what is shared so far.
using EqualValues = std::function<Result<bool>(const SharedValues& so_far, ValueId of_first, ValueId of_second)>;

/// Operations count as the same if the profiles read them alike (identical formulas, or formulas proved to give the same). Inputs are the same by their
/// order. `equal` is asked of results that are no same operations, in the order of the second program; it may be empty.
Result<SharedValues> shared_values(const ProgramSide& first, const ProgramFormulas& first_formulas, const ProgramSide& second,
                                   const ProgramFormulas& second_formulas, const EqualValues& equal);

}  // namespace tiebreak
