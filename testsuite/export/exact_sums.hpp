// SPDX-License-Identifier: Apache-2.0
// The accumulator behind each element of a result, exactly: before anything wraps, saturates or is scaled.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

struct ExactSums {
  Tensor tensor;  ///< of the result's shape; i32, or i64 where a sum needs it
  std::vector<std::string> notes{};
};
/// Nothing where no sum of whole numbers leads to the result: it sees one element of each operand, several sums lead to it, or what is summed is no whole
/// number times what all terms share (scales, which a note names). An error is an interrupt.
Result<std::optional<ExactSums>> exact_sums(const Formula& formula, std::size_t result);

}  // namespace tiebreak
