// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rewrite/rewrite_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "testsuite/case/value_name.hpp"
#include "testsuite/rewrite/operation_types.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_without_operations = 1000, most_for_an_operation = 16;

class Rewriting {
 public:
  Rewriting(const Semantics& semantics, const Program& program, const RewriteQuestion& question) : semantics_(semantics), keeps_programs_(question.judge) {
    report_.name = question.name;
    report_.program = program;
    report_.most = question.most > 0 ? question.most : most_without_operations + most_for_an_operation * program.operations.size();
    state_result_types(semantics, report_.program);
  }

  Status add_rules(const std::vector<RulePage>& rules) {
    report_.rules = rules.size();
    for (const RulePage& page : rules) {
      TIEBREAK_TRY(patterns, patterns_of(page));
      if (patterns.unusable.empty()) rules_.push_back(std::move(patterns));
      else report_.unusable.emplace_back(page.name, patterns.unusable);
    }
    return {};
  }

  Result<RewriteReport> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t operation = 0; operation < report_.program.operations.size();) {
        TIEBREAK_CHECK(semantics_.library.stop().check());
        TIEBREAK_TRY(next, rewrite_at(operation));
        changed = changed || next.has_value();
        operation = next.value_or(operation + 1);
      }
    }
    return std::move(report_);
  }

 private:
  /// The operation to look at next, where a rule was applied to this one.
  Result<std::optional<std::size_t>> rewrite_at(std::size_t operation) {
    for (const RulePatterns& rule : rules_) {
      const auto found = find_application(semantics_, rule, report_.program, operation);
      if (!found) continue;
      if (!found->refused.empty()) {
        refuse(rule, operation, found->refused);
        continue;
      }
      if (report_.made.size() >= report_.most) return endless();
      note(rule, *found, operation);
      const std::size_t before = report_.program.operations.size();
      apply_rule(*found, operation, report_.program);
      // Operations before this one may be gone with it; what was made stands where it stood.
      const std::size_t gone = before + found->after.operations.size() - 1 - report_.program.operations.size();
      return std::optional(operation - std::min(operation, gone));
    }
    return std::optional<std::size_t>{};
  }

  std::string value_of(std::size_t operation) const { return bare_name(report_.program, report_.program.operations[operation].results.front()); }

  /// The parameters, and the numbers of constants that may be any.
  RuleValues shown_values(const RulePage& page, const RuleApplication& found) const {
    RuleValues values = found.values;
    const Program& before = found.programs.before;
    for (std::size_t id = 0; id < before.values.size(); ++id) {
      if (!is_any_value(page, before.values[id]) || found.match.values[id] < 0) continue;
      const Tensor& there = *report_.program.values[static_cast<std::size_t>(found.match.values[id])].constant;
      if (is_one_number(there)) values.emplace_back(bare_name(before.values[id].name), number_text(there.value(0)));
    }
    return values;
  }

  void note(const RulePatterns& rule, const RuleApplication& found, std::size_t operation) {
    report_.made.push_back({.rule = rule.page.name,
                            .file = rule.page.file,
                            .stated = rule.page.verdict,
                            .where = report_.program.operations[operation].where,
                            .value = value_of(operation),
                            .values = shown_values(rule.page, found),
                            .judged_by = keeps_programs_ ? programs_at(rule.page, found, report_.program) : JudgedPrograms{},
                            .profile = rule.page.profile});
  }

  void refuse(const RulePatterns& rule, std::size_t operation, const std::string& why) {
    RefusedRewrite one{rule.page.name, report_.program.operations[operation].where, value_of(operation), why};
    const auto same = [&](const RefusedRewrite& other) { return other.rule == one.rule && other.where == one.where && other.value == one.value; };
    if (std::ranges::none_of(report_.refused, same)) report_.refused.push_back(std::move(one));
  }

  /// The rules that go round are those of the last rewrites, as many as there are rules.
  tl::unexpected<Error> endless() const {
    std::set<std::string> names;
    const std::size_t last = std::min(report_.made.size(), 4 * rules_.size());
    for (std::size_t i = report_.made.size() - last; i < report_.made.size(); ++i) names.insert(report_.made[i].rule);
    return fail(Errc::limit, fmt::format("{} rewrites and no end: {}", report_.made.size(), fmt::join(names, ", ")), report_.made.back().where,
                "these rules make what they take; leave one out, or raise --most");
  }

  const Semantics& semantics_;
  bool keeps_programs_;
  std::vector<RulePatterns> rules_{};
  RewriteReport report_{};
};

}  // namespace

Result<std::vector<RulePage>> load_applied_rules(const std::vector<std::string>& directories, const std::vector<std::string>& globs) {
  TIEBREAK_TRY(pages, load_rules(directories, globs));
  std::erase_if(pages, [&](const RulePage& page) { return !page.is_applied() && std::ranges::find(globs, page.name) == globs.end(); });
  if (pages.empty()) return fail(Errc::unknown_name, "nobody applies these rules", globs.front(), "name such a rule alone, without *");
  return pages;
}

Result<RewriteReport> rewrite_program(const Semantics& semantics, const Program& program, const std::vector<RulePage>& rules, const RewriteQuestion& question) {
  Rewriting rewriting(semantics, program, question);
  TIEBREAK_CHECK(rewriting.add_rules(rules));
  return rewriting.run();
}

Status judge_rewrites(const Library& library, RewriteReport& report, const ElementQuestion& limits) {
  std::map<std::string, RuleReport> known;
  for (MadeRewrite& one : report.made) {
    const std::string key = one.profile + print_mlir(one.judged_by.programs.before) + print_mlir(one.judged_by.programs.after);
    if (const auto found = known.find(key); found != known.end()) {
      one.judged = found->second;
      continue;
    }
    RulePage page{.name = one.rule, .file = one.file, .title = {}};
    page.profile = one.profile;
    TIEBREAK_TRY(judged, judge_programs(library, page, one.judged_by.programs, limits));
    one.judged = judged;
    known.emplace(key, std::move(judged));
  }
  return {};
}

}  // namespace tiebreak
