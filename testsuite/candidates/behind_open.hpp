// SPDX-License-Identifier: Apache-2.0
// Programs with too many values to follow what is open through them: behind an open result nothing is known but what was computed.
#pragma once
#include <functional>

#include "testsuite/candidates/legal_outputs.hpp"

namespace tiebreak {

/// Elements of all values of a program, as far as their types are stated, through which open results are followed.
inline constexpr std::int64_t most_followed = std::int64_t{1} << 18;

/// Whether a program has several operations, more elements than that, and a stated shape for each output.
bool is_too_large_to_follow(const Program& program);

/// One entry an output: every element unknown where an operation of an op that `is_open` names leads to it, nothing where none does. What computes integers
/// from integers alone leaves nothing open by an order: not a sum, nor a region of one maximum, minimum, sum, and, or, xor. Needs the outputs' shapes.
std::vector<std::optional<LegalOutput>> unknown_behind_open(const Program& program, const std::function<bool(const std::string& op)>& is_open);

}  // namespace tiebreak
