// SPDX-License-Identifier: Apache-2.0
// Two functions of shared values differ somewhere: whether inputs of the programs lead there.
#pragma once
#include <optional>
#include <string>

#include "testsuite/equal/cut_values.hpp"

namespace tiebreak {

struct ComparedPrograms;

/// Values of cuts, and of inputs, at which an element of an output differs.
struct CutWitness {
  const CutValues* cuts = nullptr;
  ElementWitness witness{};
  std::int64_t element = 0;
  std::string way{};
};

/// Changes inputs one element at a time as long as the cuts' values come nearer to those wanted, and runs both programs on what is reached. Nothing where no
/// run differs: that proves nothing.
Result<std::optional<ElementWitness>> inputs_at(const ComparedPrograms& programs, std::size_t output, const CutWitness& wanted);

}  // namespace tiebreak
