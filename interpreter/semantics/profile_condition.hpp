// SPDX-License-Identifier: Apache-2.0
// Conditions of profiles: what they may see, and in which ops they speak at all.
#pragma once
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak {

/// N11 for a condition that looks at values: `op` is the one the key is about, nullptr for `module/choice`.
void check_condition(const notation::Expr& condition, const notation::Op* op, const std::string& where, std::vector<Error>& findings);

/// Whether the op has all operands, results, attributes and types that the condition names. A condition on a module's choice is evaluated in every
/// op that uses the module; it does not hold in one of which it does not speak.
bool speaks_of(const notation::Expr& condition, const notation::Op& op);

}  // namespace tiebreak
