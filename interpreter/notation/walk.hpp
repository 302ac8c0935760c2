// SPDX-License-Identifier: Apache-2.0
// A look into a tree: every expression, parents before their parts; the structure line of an op, and whether the op is run.
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
/// The op is no formula: it runs regions, or its structure is `control`.
bool is_run(const Op& op);

}  // namespace tiebreak::notation
