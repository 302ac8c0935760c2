// SPDX-License-Identifier: Apache-2.0
// How much a set of cases can see: mutants of every op's formula, and which of them no case tells from the original. Cases that kill
// no mutant of a rounding test no rounding, however many they are.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testsuite/case/case.hpp"

namespace tiebreak {

enum class MutantState : std::uint8_t {
  killed,        ///< an element of a result differs in some case
  surviving,     ///< no case sees it, and nothing proves it equal
  equivalent,    ///< no case sees it, and a proof shows that none of these types can
  ill_formed,    ///< it does not fit these types: no mutant
  not_reached,   ///< none of these types reaches the place that is changed
  inapplicable,  ///< a misreading that the attribute's kind of value does not have: no mutant
  not_judged,    ///< the run was interrupted before
};
const char* to_word(MutantState state);

struct ScoredMutant {
  std::string rule, place, before, after;
  MutantState state = MutantState::surviving;
  std::string killed_by{};  ///< a case
  std::string proof{};      ///< of equivalent: formula, stairs (how many parameter sets)
  std::string witness{};    ///< of surviving, where stairs find one: parameters, input and both results
  std::string unproved{};   ///< of surviving without a witness: why there is no proof
};

/// One op with the types of its inputs and outputs.
struct ScoreCell {
  std::string op, inputs, outputs;
  std::size_t cases = 0;
  std::vector<ScoredMutant> mutants{};          ///< those that count: killed, surviving, equivalent
  std::size_t ill_formed = 0, not_reached = 0;  ///< those that do not
  std::size_t count(MutantState state) const;
};

struct ScoreOptions {
  std::string profile = "reference";
  std::string op{};  ///< only this one
  int jobs = 1;
  bool proofs = true;  ///< without them whatever no case kills survives
  std::function<void(std::size_t done, std::size_t total)> progress{};
  std::function<bool()> interrupted{};
};

struct ScoreReport {
  std::map<std::string, std::string> context{};
  std::vector<ScoreCell> cells{};                                  ///< by op, inputs, outputs
  std::map<std::string, std::size_t> mutants_of_op{};              ///< made
  std::map<std::string, std::vector<ScoredMutant>> not_reached{};  ///< by op: in no cell, but one that they fit
  std::map<std::string, std::vector<ScoredMutant>> ill_formed{};   ///< by op: they fit the types of no cell
  std::map<std::string, std::size_t> left_out{};                   ///< cases without a score, by reason
  bool incomplete = false;
  std::size_t count(MutantState state) const;
  int exit_code() const;  ///< 0 without survivors, else 1; 4 without a cell
};

Result<ScoreReport> score(const Library& library, const std::vector<Case>& cases, const ScoreOptions& options);

/// `only_survivors`: without the table.
std::string score_text(const ScoreReport& report, bool only_survivors);
std::string score_json(const ScoreReport& report);  ///< tiebreak.score/1

}  // namespace tiebreak
