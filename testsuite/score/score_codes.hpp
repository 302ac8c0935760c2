// SPDX-License-Identifier: Apache-2.0
// A call on every tuple of codes that its operands can have: of elementwise ops, and of those that share out bits.
#pragma once
#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// Operands with more bits than this have too many tuples.
constexpr int most_code_bits = 17;

/// An error where a result sees something else than the tuple of its place, or where there are too many.
Result<OpCall> with_all_codes(const Library& library, OpCall call);

}  // namespace tiebreak
