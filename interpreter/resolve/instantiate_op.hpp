// SPDX-License-Identifier: Apache-2.0
// The first stage of resolve_op: which formulas an op needs under a profile, each name looked up, each choice taken. Inside resolve/ only.
#pragma once
#include "interpreter/resolve/formula_graph.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

FormulaGraph instantiate_op(const Semantics& semantics, const Library::OpPlace& place);

}  // namespace tiebreak
