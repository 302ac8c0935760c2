// SPDX-License-Identifier: Apache-2.0
// Every expression of a tree, parents before their parts.
#pragma once
#include <functional>

#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

using Visitor = std::function<void(const Expr&)>;

void walk(const Expr& expression, const Visitor& visit);
void walk(const Body& body, const Visitor& visit);
void walk(const Op& op, const Visitor& visit);
void walk(const Module& module, const Visitor& visit);

}  // namespace tiebreak::notation
