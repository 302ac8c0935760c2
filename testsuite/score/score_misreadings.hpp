// SPDX-License-Identifier: Apache-2.0
// Mutants that change no formula: an attribute or an index read wrongly, a structure gone through wrongly. Whether they count goes by the call, not by
// the types: what leaves every call of a cell as it was is not reached, what gives no legal call is ill-formed.
#pragma once
#include "testsuite/score/page_mutants.hpp"
#include "testsuite/score/score_cells.hpp"

namespace tiebreak {

/// One such mutant against one cell, under the semantics that are misread.
ScoredMutant judge_misreading(const PageMutant& mutant, const Semantics& semantics, const CellPlan& cell);

}  // namespace tiebreak
