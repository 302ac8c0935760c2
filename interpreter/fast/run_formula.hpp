// SPDX-License-Identifier: Apache-2.0
// A bound formula's results, by the engine that the options name.
#pragma once
#include "interpreter/formula/call.hpp"
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// One tensor for each result of the formula. Columns where a plan is proved to give the same values, else cell by cell. `call` is the one that was
/// bound: its place stands in messages. The formula may gain nodes, as its terms are put into another order for columns.
Result<std::vector<ResultTensor>> run_formula(Formula& formula, const OpCall& call, const EvaluateOptions& options = {});

}  // namespace tiebreak
