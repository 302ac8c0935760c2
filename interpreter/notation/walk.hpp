// SPDX-License-Identifier: Apache-2.0
// A look into a tree: every expression, parents before their parts; the structure line of an op.
#pragma once
#include <functional>

#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

using Visitor = std::function<void(const Expr&)>;

void walk(const Expr& expression, const Visitor& visit);
void walk(const Body& body, const Visitor& visit);
void walk(const Op& op, const Visitor& visit);
void walk(const Module& module, const Visitor& visit);

/// The structure line of an op; nullptr if it has none.
const Structure* structure_of(const Op& op);

}  // namespace tiebreak::notation
