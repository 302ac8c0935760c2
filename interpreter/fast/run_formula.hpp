// SPDX-License-Identifier: Apache-2.0
// A bound formula's results, by the engine that the options name.
#pragma once
#include <functional>

#include "interpreter/formula/call.hpp"
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// Fills a result of zeros in one go, what the page requires included; false where it is to be filled cell by cell. An error ends the computation.
using FillResult = std::function<Result<bool>(const Formula&, const FormulaResult&, ResultTensor&)>;

/// One tensor for each result of the formula. Columns where a plan is proved to give the same values, else cell by cell. `call` is the one that was
/// bound: its place stands in messages. The formula may gain nodes, as its terms are put into another order for columns. `at_once` is
/// tried first, but for the exact engine.
Result<std::vector<ResultTensor>> run_formula(Formula& formula, const OpCall& call, const EvaluateOptions& options = {}, const FillResult& at_once = {});

}  // namespace tiebreak
