// SPDX-License-Identifier: Apache-2.0
// Equality of trees up to places: what printing and reading again must keep.
#pragma once
#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

bool same_tree(const Expr& a, const Expr& b);
bool same_tree(const Op& a, const Op& b);
bool same_tree(const Module& a, const Module& b);

}  // namespace tiebreak::notation
