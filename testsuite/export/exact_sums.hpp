// SPDX-License-Identifier: Apache-2.0
// The accumulator behind each element of a result, exactly: before anything wraps, saturates or is scaled.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

struct ExactSums {
  Tensor tensor;  ///< of the result's shape; i32, or i64 where a sum needs it
  std::vector<std::string> notes{};
};
/// Nothing where the op sums no whole numbers under this profile: its results see one element of each operand, or floats are summed. An error is an interrupt.
Result<std::optional<ExactSums>> exact_sums(const Semantics& semantics, const OpCall& call, std::size_t result);

}  // namespace tiebreak
