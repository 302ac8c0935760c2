// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score.hpp"

#include <algorithm>
#include <mutex>

#include "interpreter/notation/rewrite.hpp"
#include "interpreter/notation/same_tree.hpp"
#include "testsuite/score/page_mutants.hpp"
#include "testsuite/score/score_cells.hpp"
#include "testsuite/score/score_misreadings.hpp"
#include "testsuite/score/score_proof.hpp"
#include "testsuite/text/parallel.hpp"

namespace tiebreak {
namespace {

/// An op with its cells.
struct OpPlan {
  std::string op;
  std::vector<CellPlan> cells{};
  std::vector<PageMutant> mutants{};
};

/// A mutant in a cell. Work goes cell by cell, so that what is known of a cell's original is kept no longer than needed.
struct ScoreTask {
  std::size_t mutant, cell;
  std::shared_ptr<StairReference> reference;
};

class Scorer {
 public:
  Scorer(const Profile& profile, bool proofs) : profile_(profile), proofs_(proofs) {}

  /// One mutant against one cell. Which case kills it is the first in the cell's order.
  ScoredMutant judge(const PageMutant& mutant, const Library& changed, const CellPlan& cell, StairReference& reference) const {
    ScoredMutant out{mutant.change.rule, mutant.place, mutant.change.before, mutant.change.after};
    bool reached = false, all_same = true, fits = true;
    std::vector<std::shared_ptr<const BoundCall>> calls;
    const bool of_a_fold = mutant.change.before.starts_with("fold[");  // another order may be right
    for (const ScoredCase* one : cell.cases) {
      const Likeness likeness = likeness_of(*one, changed, fits);
      if (likeness == Likeness::identical) continue;
      reached = true;
      if (likeness == Likeness::same) continue;
      all_same = false;
      if (one->call) calls.push_back(one->call);
      Result<std::vector<ResultTensor>> outputs = evaluate({changed, profile_}, one->test->program, one->test->inputs);
      fits &= outputs.has_value();
      if (!outputs || !results_differ(one->outputs, *outputs) || (of_a_fold && all_right(*one, *outputs))) continue;
      out.state = MutantState::killed;
      out.killed_by = one->test->id;
      return out;
    }
    conclude(mutant, out, changed, calls, reference, !reached, all_same, fits);
    return out;
  }

 private:
  Likeness likeness_of(const ScoredCase& one, const Library& changed, bool& fits) const {
    if (!one.call) return Likeness::unknown;
    const Result<Likeness> found = one.call->likeness({changed, profile_});
    fits &= found.has_value();
    return found.value_or(Likeness::unknown);
  }

  bool equal_by_cases(const Library& changed, const std::vector<std::shared_ptr<const BoundCall>>& calls) const {
    return !calls.empty() && std::ranges::all_of(calls, [&](const auto& call) { return call->same_by_cases({changed, profile_}).value_or(false); });
  }

  void conclude(const PageMutant& mutant, ScoredMutant& out, const Library& changed, const std::vector<std::shared_ptr<const BoundCall>>& calls,
                StairReference& reference, bool unreached, bool all_same, bool fits) const {
    if (!fits) {
      out.state = MutantState::ill_formed;
    } else if (unreached) {
      out.state = MutantState::not_reached;
    } else if (all_same) {
      out.state = MutantState::equivalent;
      out.proof = "formula";
    } else if (!proofs_) {
      out.unproved = "no proof was tried";
    } else if (mutant.change.rule != notation::rule_first_channel) {  // one number has one channel: nothing to compare
      StairVerdict verdict = compare(changed, calls, reference);
      out.state = verdict.equal ? MutantState::equivalent : MutantState::surviving;
      out.proof = std::move(verdict.proof);
      out.witness = std::move(verdict.witness);
      out.unproved = std::move(verdict.reason);
    }
  }

  /// What costs little comes first. A survivor without a witness keeps the reason that stairs give.
  StairVerdict compare(const Library& changed, const std::vector<std::shared_ptr<const BoundCall>>& calls, StairReference& reference) const {
    const auto decided = [](const StairVerdict& one) { return one.equal || !one.witness.empty(); };
    if (StairVerdict codes = reference.pairs().compare_codes(changed, calls); decided(codes)) return codes;
    if (equal_by_cases(changed, calls)) return {.equal = true, .proof = "formula, by cases"};
    StairVerdict verdict = reference.compare(changed, calls);
    if (decided(verdict)) return verdict;
    if (StairVerdict pairs = reference.pairs().compare(changed, calls); decided(pairs)) return pairs;
    return verdict;
  }

  const Profile& profile_;
  bool proofs_;
};

Result<std::vector<OpPlan>> plan(const Semantics& semantics, std::vector<CellPlan> cells) {
  std::vector<OpPlan> plans;
  for (CellPlan& cell : cells) {
    if (plans.empty() || plans.back().op != cell.op) {
      OpPlan next{cell.op};
      TIEBREAK_TRY(mutants, mutants_of(semantics, cell.op));
      next.mutants = std::move(mutants);
      plans.push_back(std::move(next));
    }
    plans.back().cells.push_back(std::move(cell));
  }
  return plans;
}

/// `each` written out everywhere, as mutants have it: what is not changed is the same graph.
std::shared_ptr<const Library> with_each_expanded(const Library& library) {
  std::shared_ptr<const Library> other;
  for (const auto& [name, page] : library.pages()) {
    notation::Module module = notation::expand_each(page.module);
    if (!notation::same_tree(module, page.module)) other = (other ? *other : library).with_module(std::move(module));
  }
  return other ? other : library.with_module({});
}

bool counts(const ScoredMutant& one) { return one.state == MutantState::killed || one.state == MutantState::surviving || one.state == MutantState::equivalent; }

/// A mutant that counts in no cell.
void gather_uncounted(const std::string& op, const std::vector<ScoredMutant>& of_mutant, ScoreReport& report) {
  const auto none = [](const ScoredMutant& one) { return !counts(one) && one.state != MutantState::not_judged; };
  if (of_mutant.empty() || !std::ranges::all_of(of_mutant, none)) return;
  if (std::ranges::all_of(of_mutant, [](const ScoredMutant& one) { return one.state == MutantState::inapplicable; })) return;
  // A formula that fits some types is not reached; a misreading that some call refuses is.
  const auto unreached = std::ranges::find(of_mutant, MutantState::not_reached, &ScoredMutant::state);
  const auto refused = std::ranges::find(of_mutant, MutantState::ill_formed, &ScoredMutant::state);
  const bool misread = of_mutant.front().rule == notation::rule_misreading;
  if (unreached != of_mutant.end() && !(misread && refused != of_mutant.end())) report.not_reached[op].push_back(*unreached);
  else report.ill_formed[op].push_back(*refused);
}

void gather_cells(const OpPlan& plan, const std::vector<std::vector<ScoredMutant>>& judged, ScoreReport& report) {
  report.mutants_of_op[plan.op] = plan.mutants.size();
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    ScoreCell cell{plan.cells[c].op, plan.cells[c].inputs, plan.cells[c].outputs, plan.cells[c].cases.size()};
    for (std::size_t m = 0; m < plan.mutants.size(); ++m) {
      const ScoredMutant& one = judged[m][c];
      if (counts(one)) cell.mutants.push_back(one);
      cell.ill_formed += one.state == MutantState::ill_formed ? 1 : 0;
      cell.not_reached += one.state == MutantState::not_reached ? 1 : 0;
    }
    report.cells.push_back(std::move(cell));
  }
  for (const std::vector<ScoredMutant>& of_mutant : judged) gather_uncounted(plan.op, of_mutant, report);
}

class Progress {
 public:
  Progress(const ScoreOptions& options, const std::vector<OpPlan>& plans) : options_(options) {
    for (const OpPlan& one : plans) total_ += one.mutants.size() * one.cells.size();
  }
  void step() {
    if (!options_.progress) return;
    const std::lock_guard guard(lock_);
    options_.progress(++done_, total_);
  }
  bool stopped() const { return options_.interrupted && options_.interrupted(); }

 private:
  const ScoreOptions& options_;
  std::mutex lock_{};
  std::size_t done_ = 0, total_ = 0;
};

/// [m][c]: mutant m of the op in its cell c.
std::vector<std::vector<ScoredMutant>> judge_all(const Semantics& base, const OpPlan& plan, const ScoreOptions& options, Progress& progress) {
  std::vector<std::shared_ptr<const Library>> changed(plan.mutants.size());
  for_each_index(
      options.jobs, changed.size(), [&] { return progress.stopped(); },
      [&](std::size_t m) {
        if (!plan.mutants[m].change.misreading) changed[m] = base.library.with_module(plan.mutants[m].changed());
      });
  std::vector<std::vector<ScoredMutant>> judged(plan.mutants.size(), std::vector<ScoredMutant>(plan.cells.size(), {{}, {}, {}, {}, MutantState::not_judged}));
  std::vector<ScoreTask> work;
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    const auto reference = std::make_shared<StairReference>(base);
    for (std::size_t m = 0; m < plan.mutants.size(); ++m) work.push_back({m, c, reference});
  }
  const Scorer scorer(base.profile, options.proofs);
  for_each_index(
      options.jobs, work.size(), [&] { return progress.stopped(); },
      [&](std::size_t i) {
        const ScoreTask task = std::move(work[i]);
        const PageMutant& mutant = plan.mutants[task.mutant];
        const CellPlan& cell = plan.cells[task.cell];
        ScoredMutant verdict =
            mutant.change.misreading ? judge_misreading(mutant, base, cell) : scorer.judge(mutant, *changed[task.mutant], cell, *task.reference);
        if (progress.stopped()) return;  // cut short, it says nothing
        judged[task.mutant][task.cell] = std::move(verdict);
        progress.step();
      });
  return judged;
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
    case inapplicable: return "inapplicable";
    case not_judged: return "not judged";
  }
  return "?";
}

std::size_t ScoreCell::count(MutantState state) const { return static_cast<std::size_t>(std::ranges::count(mutants, state, &ScoredMutant::state)); }

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
  const std::shared_ptr<const Library> base = with_each_expanded(library);
  const std::vector<ScoredCase> ready = prepare_cases({*base, *profile}, cases, options);
  for (const ScoredCase& one : ready)
    if (!one.left_out.empty()) ++report.left_out[one.left_out];
  TIEBREAK_TRY(plans, plan({*base, *profile}, cells_of(ready, options.op)));
  Progress progress(options, plans);
  for (const OpPlan& one : plans) gather_cells(one, judge_all({*base, *profile}, one, options, progress), report);
  report.incomplete = progress.stopped();
  return report;
}

}  // namespace tiebreak
