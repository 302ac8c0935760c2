// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score_misreadings.hpp"

#include <algorithm>

#include "testsuite/prove/formula_comparison.hpp"

namespace tiebreak {
namespace {

/// What became of the cases of a cell so far.
struct Fates {
  bool applies = false;       ///< the word fits the value of some call, or is one of the structure
  bool refused = false;       ///< some call is no legal one
  bool same_places = false;   ///< some call is another, and everything is read from where it was
  bool same_results = false;  ///< some call is another, its results are the same
};

/// How a misreading takes the calls of a case: the furthest that it gets with any of them.
Reading reading_of(const notation::Op& op, const Misreading& misreading, const ScoredCase& one) {
  Reading furthest = Reading::none;
  if (one.call) return misread_call(op, misreading, one.call->call()).state;
  for (const OpCall& call : one.calls)
    if (call.op == op.path) furthest = std::max(furthest, misread_call(op, misreading, call).state);
  return furthest;
}

/// Whether the call, misread, is bound to the same formula with the same places. An error where it is no legal call.
Result<bool> reads_the_same(const Semantics& semantics, const notation::Op& op, const Misreading& misreading, const OpCall& call) {
  const MisreadCall misread = misread_call(op, misreading, call);
  TIEBREAK_TRY(original, bind(semantics, call));
  std::vector<Formula> other;
  TIEBREAK_TRY(formula, bind(semantics, misread.call ? *misread.call : call));
  other.push_back(std::move(formula));
  if (misreading.what == Misread::places) misread_places(op, misreading, call, other);
  return same_places(original.geometry, other.front().geometry) && FormulaComparison(original, other.front(), false).equal_results({});
}

}  // namespace

ScoredMutant judge_misreading(const PageMutant& mutant, const Semantics& semantics, const CellPlan& cell) {
  ScoredMutant out{mutant.change.rule, mutant.place, mutant.change.before, mutant.change.after};
  const Misreading& misreading = *mutant.change.misreading;
  const Result<Library::OpPlace> place = semantics.library.find_op(cell.op);
  if (!place) return out;
  EvaluateOptions options;
  options.kernels = std::make_shared<const Kernels>(Kernels{{cell.op, misread_kernel(misreading)}});
  Fates fates;
  for (const ScoredCase* one : cell.cases) {
    const Reading reading = reading_of(*place->op, misreading, *one);
    if (reading == Reading::inapplicable) continue;
    fates.applies = true;
    if (reading == Reading::unchanged) continue;
    if (one->call) {
      const Result<bool> same = reads_the_same(semantics, *place->op, misreading, one->call->call());
      fates.refused |= !same;
      fates.same_places |= same && *same && reading == Reading::changed;
      if (!same || *same) continue;
    }
    const Result<std::vector<ResultTensor>> outputs = evaluate(semantics, one->test->program, one->test->inputs, options);
    fates.refused |= !outputs;
    if (!outputs) continue;
    if (results_differ(one->outputs, *outputs)) {
      out.state = MutantState::killed;
      out.killed_by = one->test->id;
      return out;
    }
    fates.same_results = true;
  }
  if (fates.same_results) {
    out.unproved = "no case shows the misreading";
  } else if (fates.same_places) {
    out.state = MutantState::equivalent;
    out.proof = "same places";
  } else {
    out.state = fates.refused ? MutantState::ill_formed : fates.applies ? MutantState::not_reached : MutantState::inapplicable;
  }
  return out;
}

}  // namespace tiebreak
