// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score_misreadings.hpp"

#include <algorithm>

#include "interpreter/misread/misread_call.hpp"

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
Misreading misreading_of(const Library& changed, const std::string& op, const ScoredCase& one) {
  const Result<Library::OpPlace> place = changed.find_op(op);
  Misreading furthest = Misreading::none;
  if (!place) return furthest;
  if (one.call) return misread_call(*place->op, one.call->call()).state;
  for (const OpCall& call : one.calls)
    if (call.op == op) furthest = std::max(furthest, misread_call(*place->op, call).state);
  return furthest;
}

}  // namespace

ScoredMutant judge_misreading(const PageMutant& mutant, const Library& changed, const Profile& profile, const CellPlan& cell) {
  ScoredMutant out{mutant.change.rule, mutant.place, mutant.change.before, mutant.change.after};
  Fates fates;
  for (const ScoredCase* one : cell.cases) {
    const Misreading reading = misreading_of(changed, cell.op, *one);
    if (reading == Misreading::inapplicable) continue;
    fates.applies = true;
    if (reading == Misreading::unchanged) continue;
    if (one->call) {
      const Result<Likeness> likeness = one->call->likeness({changed, profile});
      fates.refused |= !likeness;
      fates.same_places |= likeness && *likeness == Likeness::identical && reading == Misreading::changed;
      if (!likeness || *likeness == Likeness::identical) continue;
    }
    const Result<std::vector<ResultTensor>> outputs = evaluate({changed, profile}, one->test->program, one->test->inputs);
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
