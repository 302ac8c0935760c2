// SPDX-License-Identifier: Apache-2.0
// R(if c then a else b) is if c then R(a) else R(b): so that each branch keeps its own carrier in the fast engine.
#pragma once
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// An equal node with roundings and saturations moved into the branches of conditionals. Adds what it needs to the formula.
NodeId distribute(Formula& formula, NodeId node);

}  // namespace tiebreak
