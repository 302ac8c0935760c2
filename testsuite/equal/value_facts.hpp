// SPDX-License-Identifier: Apache-2.0
// What is known of each value of a program whatever its inputs: between which whole numbers it lies, and whether its operands settle it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testsuite/equal/program_inputs.hpp"

namespace tiebreak {

struct ValueFacts {
  using Interval = std::pair<std::int64_t, std::int64_t>;
  std::vector<std::optional<Interval>> bounds{};  ///< by value: of whole numbers, from those of the operands
  std::vector<std::string> open{};                ///< by value: what leads to it and is not settled by its operands; "" where nothing is
  std::vector<std::uint8_t> heavy{};              ///< by value: its operation reads many elements, or is no formula of single ones
};
Result<ValueFacts> facts_of(const Semantics& semantics, const ProgramFormulas& formulas, const ProgramInputs& inputs);

/// Why an operation's results are not settled by its operands under this profile: a choice that it leaves open, or a set of results that the page states.
struct LeftOpen {
  std::string why{};                        ///< "" where they are settled
  std::vector<std::string> alternatives{};  ///< of the choice `why`, all that the profile allows; none: of something else
};
/// Whatever the operands: a choice whose alternatives are proved to give the same is not open.
LeftOpen left_open(const Semantics& semantics, const ProgramFormulas& formulas, std::size_t operation);
/// Whether all alternatives give the same, and are defined, for what the operation's operands can be in this program.
Result<bool> settled_in_program(const Semantics& semantics, const ProgramFormulas& formulas, const ProgramInputs& inputs, std::size_t operation,
                                const LeftOpen& open);

}  // namespace tiebreak
