// SPDX-License-Identifier: Apache-2.0
// A tree with some of its expressions replaced. What does not change is shared with the old tree.
#pragma once
#include <functional>

#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

/// What stands in place of an expression; nullptr: itself, and its parts are looked at.
using Replace = std::function<ExprPtr(const ExprPtr&)>;

ExprPtr rewrite(const ExprPtr& expression, const Replace& replace);
/// All expressions of the module but those of constraints and claims, which say nothing of a value.
Module rewrite(Module module, const Replace& replace);

/// The module with every `each.F(e)` written out: F around every operation, function and leaf. It means the same.
Module expand_each(Module module);

}  // namespace tiebreak::notation
