// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/score.hpp"

#include <algorithm>
#include <mutex>

#include "interpreter/notation/rewrite.hpp"
#include "interpreter/notation/same_tree.hpp"
#include "interpreter/semantics/mutants.hpp"
#include "testsuite/harness/parallel.hpp"
#include "testsuite/harness/score_cells.hpp"
#include "testsuite/harness/score_proof.hpp"

namespace tiebreak {
namespace {

/// An op with its cells; `first` counts its mutants among all.
struct OpPlan {
  std::string op;
  std::vector<CellPlan> cells{};
  std::vector<PageMutant> mutants{};
  std::size_t first = 0;
};

class Scorer {
 public:
  Scorer(const Library& library, const Profile& profile) : library_(library), profile_(profile) {}

  /// One mutant against one cell. Which case kills it is the first in the cell's order.
  ScoredMutant judge(const PageMutant& mutant, const Library& changed, const CellPlan& cell) const {
    ScoredMutant out{mutant.change.rule, mutant.place, mutant.change.before, mutant.change.after};
    bool reached = false, all_same = true, fits = true;
    std::vector<std::shared_ptr<const BoundCall>> calls;
    for (const ScoredCase* one : cell.cases) {
      const Likeness likeness = likeness_of(*one, changed, fits);
      if (likeness == Likeness::identical) continue;
      reached = true;
      if (likeness == Likeness::same) continue;
      all_same = false;
      if (one->call) calls.push_back(one->call);
      Result<std::vector<ResultTensor>> outputs = evaluate(changed, profile_, one->test->program, one->test->inputs);
      fits &= outputs.has_value();
      if (!outputs || !results_differ(one->outputs, *outputs)) continue;
      out.state = MutantState::killed;
      out.killed_by = one->test->id;
      return out;
    }
    conclude(mutant, out, changed, calls, !reached, all_same, fits);
    return out;
  }

 private:
  Likeness likeness_of(const ScoredCase& one, const Library& changed, bool& fits) const {
    if (!one.call) return Likeness::unknown;
    const Result<Likeness> found = one.call->likeness(changed, profile_);
    fits &= found.has_value();
    return found.value_or(Likeness::unknown);
  }

  void conclude(const PageMutant& mutant, ScoredMutant& out, const Library& changed, const std::vector<std::shared_ptr<const BoundCall>>& calls, bool unreached, bool all_same,
                bool fits) const {
    if (!fits) {
      out.state = MutantState::ill_formed;
    } else if (unreached) {
      out.state = MutantState::not_reached;
    } else if (all_same) {
      out.state = MutantState::equivalent;
      out.proof = "formula";
    } else if (mutant.change.rule != notation::rule_first_channel) {  // one number has one channel: nothing to compare
      StairVerdict verdict = compare_by_stairs(library_, changed, profile_, calls);
      out.state = verdict.equal ? MutantState::equivalent : MutantState::surviving;
      out.proof = std::move(verdict.proof);
      out.witness = std::move(verdict.witness);
      out.unproved = std::move(verdict.reason);
    }
  }

  const Library& library_;
  const Profile& profile_;
};

Result<std::vector<OpPlan>> plan(const Library& library, const Profile& profile, std::vector<CellPlan> cells) {
  std::vector<OpPlan> plans;
  for (CellPlan& cell : cells) {
    if (plans.empty() || plans.back().op != cell.op) {
      OpPlan next{cell.op};
      if (!plans.empty()) next.first = plans.back().first + plans.back().mutants.size();
      TIEBREAK_TRY(mutants, mutants_of(library, profile, cell.op));
      next.mutants = std::move(mutants);
      plans.push_back(std::move(next));
    }
    plans.back().cells.push_back(std::move(cell));
  }
  return plans;
}

/// `each` written out everywhere, as mutants have it: what is not changed is the same graph.
std::shared_ptr<const Library> expanded(const Library& library) {
  std::shared_ptr<const Library> other;
  for (const auto& [name, page] : library.pages()) {
    notation::Module module = notation::expand_each(page.module);
    if (!notation::same_tree(module, page.module)) other = (other ? *other : library).with_module(std::move(module));
  }
  return other ? other : library.with_module({});
}

bool counts(const ScoredMutant& one) { return one.state != MutantState::ill_formed && one.state != MutantState::not_reached; }

/// judged[m][c]: mutant m of the op in its cell c.
void gather(const OpPlan& plan, const std::vector<std::vector<ScoredMutant>>& judged, ScoreReport& report) {
  report.mutants_of_op[plan.op] = plan.mutants.size();
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    ScoreCell cell{plan.cells[c].op, plan.cells[c].inputs, plan.cells[c].outputs, plan.cells[c].cases.size()};
    for (std::size_t m = 0; m < plan.mutants.size(); ++m) {
      const auto& of_mutant = judged[plan.first + m];
      if (c < of_mutant.size() && counts(of_mutant[c])) cell.mutants.push_back(of_mutant[c]);
    }
    report.cells.push_back(std::move(cell));
  }
  for (std::size_t m = 0; m < plan.mutants.size(); ++m) {
    const auto& of_mutant = judged[plan.first + m];
    const auto unreached = [](const ScoredMutant& one) { return one.state == MutantState::not_reached; };
    if (!of_mutant.empty() && std::ranges::all_of(of_mutant, unreached)) report.not_reached[plan.op].push_back(of_mutant.front());
  }
}

}  // namespace

const char* to_word(MutantState state) {
  switch (state) {
    using enum MutantState;
    case killed: return "killed";
    case surviving: return "surviving";
    case equivalent: return "equivalent";
    case ill_formed: return "ill-formed";
    case not_reached: return "not reached";
  }
  return "?";
}

std::size_t ScoreCell::count(MutantState state) const {
  return static_cast<std::size_t>(std::ranges::count(mutants, state, &ScoredMutant::state));
}

std::size_t ScoreReport::count(MutantState state) const {
  std::size_t total = 0;
  for (const ScoreCell& cell : cells) total += cell.count(state);
  return total;
}

int ScoreReport::exit_code() const {
  if (cells.empty()) return 4;
  return count(MutantState::surviving) > 0 ? 1 : 0;
}

Result<ScoreReport> score(const Library& library, const std::vector<Case>& cases, const ScoreOptions& options) {
  TIEBREAK_TRY(profile, library.find_profile(options.profile));
  if (!options.op.empty()) TIEBREAK_CHECK(library.find_op(options.op));
  ScoreReport report;
  report.context["profile"] = profile->name;
  report.context["spec_hash"] = library.hash();
  report.context["tool_version"] = TIEBREAK_VERSION;
  const std::shared_ptr<const Library> base = expanded(library);
  const std::vector<ScoredCase> ready = prepare_cases(*base, *profile, cases, options);
  for (const ScoredCase& one : ready)
    if (!one.left_out.empty()) ++report.left_out[one.left_out];
  TIEBREAK_TRY(plans, plan(*base, *profile, cells_of(ready, options.op)));
  std::vector<std::pair<const OpPlan*, const PageMutant*>> work;
  for (const OpPlan& one : plans)
    for (const PageMutant& mutant : one.mutants) work.emplace_back(&one, &mutant);
  std::vector<std::vector<ScoredMutant>> judged(work.size());
  const Scorer scorer(*base, *profile);
  std::mutex progress;
  std::size_t done = 0;
  const auto stop = [&] { return options.interrupted && options.interrupted(); };
  for_each_index(options.jobs, work.size(), stop, [&](std::size_t i) {
    const std::shared_ptr<const Library> changed = base->with_module(work[i].second->changed());
    for (const CellPlan& cell : work[i].first->cells) judged[i].push_back(scorer.judge(*work[i].second, *changed, cell));
    if (!options.progress) return;
    const std::lock_guard lock(progress);
    options.progress(++done, work.size());
  });
  report.incomplete = stop();
  for (const OpPlan& one : plans) gather(one, judged, report);
  return report;
}

}  // namespace tiebreak
