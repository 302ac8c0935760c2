// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// Whether two formulas are the same from node to node, of the same sources: then they have the same values. Others may, too.
bool same_nodes(const Formula& a, const Formula& b);

}  // namespace tiebreak
