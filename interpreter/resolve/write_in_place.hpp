// SPDX-License-Identifier: Apache-2.0
// The second stage of resolve_op: formulas that are named once, and those that are hardly longer than their name, stand where they are named.
// Inside resolve/ only.
#pragma once
#include "interpreter/resolve/formula_graph.hpp"

namespace tiebreak {

/// Nothing is written in place where the row would be longer than this.
inline constexpr std::size_t longest_row = 100;

void write_in_place(FormulaGraph& graph);

}  // namespace tiebreak
