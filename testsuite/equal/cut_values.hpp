// SPDX-License-Identifier: Apache-2.0
// Values that both programs compute alike, as inputs of what follows: what lies before them does not stand in the way of deciding the rest.
#pragma once
#include <string>
#include <vector>

#include "testsuite/equal/shared_values.hpp"
#include "testsuite/equal/value_facts.hpp"

namespace tiebreak {

struct CutValues {
  Cuts first{}, second{};
  std::vector<ValueId> of_first{}, of_second{};  ///< by number
  std::vector<LeafDomain> domains{};             ///< by number: its whole type, or the range that the operands leave
  std::vector<std::string> names{};              ///< `acc`, `acc from -32512 to 32512`
  bool empty() const { return names.empty(); }
};

/// Values that both compute by an operation on what varies, and that their operands settle. With `heavy_only` only those of operations that read many
/// elements, or are no formula of single ones: what follows these may know more of its input.
CutValues cuts_of(const ProgramSide& side, const ProgramFormulas& first, const ValueFacts& first_facts, const ProgramFormulas& second,
                  const ValueFacts& second_facts, const SharedValues& shared, bool heavy_only);

}  // namespace tiebreak
