// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/smoke.hpp"
#include "testsuite/sources/load_cases.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

#include "interpreter/semantics/dependencies.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t wanted_an_op = 2;
// Restarting the adapter costs more than a few cases, less than a hundred.
constexpr std::size_t asked_first = 4;     // cases of each op in the first round,
constexpr std::size_t first_of_all = 100;  // and of all ops together: a library with many ops takes nearly every case, so that fewer of each op suffice
constexpr std::size_t looked_at = 400;     // further cases of an op of which the backend took none: among so many
constexpr std::size_t asked_further = 12;  // so many are asked, one of each mixture of types and ranks, first those that every library has
constexpr std::size_t asked_beyond = 2;    // and of the deep cases and those in the library's own forms

/// Types and ranks of a case's inputs: where one case was refused for them, another with the same says nothing new.
std::string input_form(const Case& test) {
  std::string text;
  for (const Tensor& input : test.inputs) text += input.element().name() + "/" + std::to_string(input.shape().size()) + (input.type().quantized ? "q " : " ");
  return text;
}

bool is_plain(const Case& test) {
  return std::ranges::all_of(test.inputs, [](const Tensor& input) {
    const std::string& type = input.element().name();
    return type == "f32" || type == "i8" || type == "u8" || type == "i32";
  });
}

class Smoke {
 public:
  Smoke(const Library& library, const Selection& selection, Backend& backend, const CheckOptions& options)
      : library_(library), backend_(backend), options_(options), selections_{selection} {
    selections_[0].level = Level::standard;
    options_.one_batch = true;
  }

  Result<std::optional<CheckReport>> run() {
    TIEBREAK_TRY(description, backend_.describe());
    if (!selections_[0].globs.empty() || !selections_[0].sources.empty()) TIEBREAK_CHECK(list_cases(library_, selections_[0]));  // mistyped globs
    TIEBREAK_CHECK(rank(selections_[0], description.ops));
    TIEBREAK_CHECK(rank_beyond(description,
                               [&](const std::string& op) { return !by_op_.contains(op) && std::ranges::find(description.ops, op) != description.ops.end(); }));
    TIEBREAK_TRY(first, cases_of(next(std::clamp(first_of_all / std::max<std::size_t>(by_op_.size(), 1), wanted_an_op, asked_first))));
    TIEBREAK_TRY(whole, ask(first));
    if (!whole.incomplete && is_lacking(description.ops)) {
      const auto is_open = [&](const std::string& op) { return by_op_[op].taken.empty() && is_named(description.ops, op); };
      TIEBREAK_TRY(further, cases_of(next(looked_at, is_open)));
      std::vector<Case> others = of_other_forms(first, std::move(further));
      TIEBREAK_CHECK(rank_beyond(description, is_open));
      TIEBREAK_TRY(beyond, cases_of(next(asked_beyond, is_open)));
      std::ranges::move(beyond, std::back_inserter(others));
      TIEBREAK_TRY(report, ask(others));
      whole.incomplete = report.incomplete;
      whole.op_hashes->merge(*report.op_hashes);
      whole.context["spec_hash"] = joined_hash(*whole.op_hashes);
      std::ranges::move(report.causes, std::back_inserter(whole.causes));
    }
    if (by_op_.empty()) return std::optional<CheckReport>();
    whole.cases = chosen_reports();
    return std::optional(std::move(whole));
  }

 private:
  struct Op {
    std::vector<std::string> ranked{};
    std::size_t asked = 0;
    std::vector<CaseReport> taken{}, refused{};
  };

  /// A glob promises nothing.
  bool is_named(const std::vector<std::string>& listed, const std::string& op) const { return std::ranges::find(listed, op) != listed.end() || listed.empty(); }

  bool is_lacking(const std::vector<std::string>& listed) const {
    return std::ranges::any_of(by_op_, [&](const auto& entry) { return entry.second.taken.empty() && is_named(listed, entry.first); });
  }

  /// Ids of ops that the backend lists, by hash, after those that are known; a backend that lists none is asked about all.
  Status rank(Selection selection, const std::vector<std::string>& listed, const OpFilter& wanted = {}, std::size_t most = SIZE_MAX) {
    selection.ops = [&](const std::string& op) {
      const bool is_listed = listed.empty() || matches_any(listed, op);  // a program of several ops is asked where no op is listed
      return is_listed && (!wanted || wanted(op));
    };
    TIEBREAK_TRY(ids, list_cases(library_, selection));
    std::map<std::string, std::vector<std::string>> found;
    for (const std::string& id : ids) found[op_of_id(id)].push_back(id);
    for (auto& [op, ranked] : found) {
      std::ranges::sort(ranked, {}, smoke_place);
      ranked.resize(std::min(ranked.size(), most));
      std::ranges::move(ranked, std::back_inserter(by_op_[op].ranked));
    }
    return {};
  }

  /// A few of the deep cases and of those in the library's own forms: they are large. Nothing where the caller names the sources.
  Status rank_beyond(const BackendDescription& description, const OpFilter& wanted) {
    if (!selections_[0].sources.empty()) return {};
    Selection beyond = selections_[0];
    beyond.sources = {further_case_folder("vendor/" + description.name), further_case_folder("deep")};
    std::erase(beyond.sources, "");
    if (beyond.sources.empty()) return {};
    if (selections_.size() == 1) selections_.push_back(beyond);
    for (auto& [op, cases] : by_op_)
      if (wanted(op)) cases.ranked.resize(cases.asked);  // what is left of the plain ones is not asked any more
    return rank(beyond, description.ops, wanted, asked_beyond);
  }

  std::set<std::string> next(std::size_t count, const OpFilter& wanted = {}) {
    std::set<std::string> chosen;
    for (auto& [op, cases] : by_op_) {
      if (wanted && !wanted(op)) continue;
      for (std::size_t i = 0; i < count && cases.asked < cases.ranked.size(); ++i) chosen.insert(cases.ranked[cases.asked++]);
    }
    return chosen;
  }

  Result<std::vector<Case>> cases_of(const std::set<std::string>& chosen) const {
    std::set<std::string> ops;
    for (const std::string& id : chosen) ops.insert(op_of_id(id));
    std::vector<Case> cases;
    for (Selection narrowed : selections_) {
      narrowed.most = 0;  // counted when the ids were listed
      narrowed.ops = [&ops](const std::string& op) { return ops.contains(op); };
      narrowed.only = [&chosen](const std::string& id) { return chosen.contains(id); };
      TIEBREAK_TRY(some, select_cases(library_, narrowed));
      std::ranges::move(some, std::back_inserter(cases));
    }
    return cases;
  }

  /// One case of each op and form that has not been asked.
  static std::vector<Case> of_other_forms(const std::vector<Case>& asked, std::vector<Case> cases) {
    std::map<std::string, std::set<std::string>> known;
    for (const Case& test : asked) known[op_of_id(test.id)].insert(input_form(test));
    std::ranges::sort(cases, {}, [](const Case& test) { return std::pair(!is_plain(test), smoke_place(test.id)); });
    std::map<std::string, std::size_t> count;
    std::erase_if(cases, [&](const Case& test) {
      const std::string op = op_of_id(test.id);
      return !known[op].insert(input_form(test)).second || ++count[op] > asked_further;
    });
    return cases;
  }

  Result<CheckReport> ask(const std::vector<Case>& cases) {
    TIEBREAK_TRY(report, check(library_, cases, backend_, options_));
    for (CaseReport& one : report.cases) take(std::move(one));
    report.cases.clear();
    return report;
  }

  void take(CaseReport report) {
    Op& op = by_op_[op_of_id(report.id)];
    const bool is_refused = report.status == CaseStatus::unsupported || report.status == CaseStatus::not_recorded;
    (is_refused ? op.refused : op.taken).push_back(std::move(report));
  }

  std::vector<CaseReport> chosen_reports() {
    std::vector<CaseReport> reports;
    for (auto& [op, cases] : by_op_) {
      std::vector<CaseReport>& kept = cases.taken.empty() ? cases.refused : cases.taken;
      std::ranges::sort(kept, {}, [](const CaseReport& report) { return smoke_place(report.id); });
      // Two refusals say as much as thirty; what else was taken in a later round is shown where it does not conform.
      for (std::size_t i = 0; i < kept.size(); ++i) {
        bool is_quiet = kept[i].status == CaseStatus::conform || kept[i].status == CaseStatus::unsupported || kept[i].status == CaseStatus::not_recorded ||
                        kept[i].status == CaseStatus::nothing_compared || kept[i].status == CaseStatus::not_declared;
        if (i < wanted_an_op || !is_quiet) reports.push_back(std::move(kept[i]));
      }
    }
    return reports;
  }

  const Library& library_;
  Backend& backend_;
  CheckOptions options_;
  std::vector<Selection> selections_;
  std::map<std::string, Op> by_op_{};
};

}  // namespace

Result<std::optional<CheckReport>> check_smoke(const Library& library, const Selection& selection, Backend& backend, const CheckOptions& options) {
  return Smoke(library, selection, backend, options).run();
}

}  // namespace tiebreak
