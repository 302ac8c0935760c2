// SPDX-License-Identifier: Apache-2.0
// Cases made ready for scoring: what the original gives, and the cells they belong to. Everything here is constant once it is made.
#pragma once
#include <memory>

#include "testsuite/candidates/legal_outputs.hpp"
#include "testsuite/prove/same_formula.hpp"
#include "testsuite/score/score.hpp"

namespace tiebreak {

struct ScoredCase {
  const Case* test = nullptr;
  std::vector<ResultTensor> outputs{};
  std::shared_ptr<const BoundCall> call{};          ///< of a program of one operation, else nullptr
  std::vector<OpCall> calls{};                      ///< of every operation, where `call` is none
  std::vector<std::optional<LegalOutput>> legal{};  ///< of ops with bodies: what else is right
  std::string left_out{};                           ///< why it has no score
  std::int64_t elements() const;
};

struct CellPlan {
  std::string op, inputs, outputs;
  std::vector<const ScoredCase*> cases{};  ///< small ones first: most mutants die there
};

/// Whether the case's program has that op; "" is any.
bool has_op(const Case& test, const std::string& op);

/// The original's results of every case, in their order; of cases with another op than the only one, nothing.
std::vector<ScoredCase> prepare_cases(const Semantics& semantics, const std::vector<Case>& cases, const ScoreOptions& options);
std::vector<CellPlan> cells_of(const std::vector<ScoredCase>& cases, const std::string& only_op);

/// Whether a profile that leaves an order open leaves these right, or not known to be wrong.
bool all_right(const ScoredCase& one, const std::vector<ResultTensor>& mutant);

/// Whether a shape or an element of a result differs. What one side leaves undefined and the other does not, differs.
bool results_differ(const std::vector<ResultTensor>& original, const std::vector<ResultTensor>& mutant);

}  // namespace tiebreak
