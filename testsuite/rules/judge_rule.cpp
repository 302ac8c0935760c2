// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rules/judge_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

void add_way(RuleReport& report, const std::string& way) {
  if (std::ranges::find(report.ways, way) == report.ways.end()) report.ways.push_back(way);
}

void add_class(RuleReport& report, const ProgramsReport& compared, const ElementClass& one, std::uint64_t set) {
  const ElementVerdict& verdict = one.verdict;
  report.inputs += verdict.inputs;
  report.differing += verdict.differing;
  report.largest = std::max(report.largest, verdict.largest);
  report.counted = report.counted && (verdict.counted || verdict.verdict == Verdict::equal);
  add_way(report, verdict.verdict == Verdict::undecided ? "inputs at ties and beside them" : verdict.way.substr(0, verdict.way.find(':')));
  if (!verdict.witness || (report.witness && report.witness->magnitude <= verdict.witness->magnitude)) return;
  report.witness = verdict.witness;
  report.witness_set = set;
  report.witness_inputs.clear();
  for (const auto& [leaf, value] : verdict.witness->inputs) report.witness_inputs.push_back(leaf_text(compared, leaf) + "=" + value_text(value));
}

/// Worse verdicts stand behind better ones, but for what is not decided: it says less than a difference.
void add_verdict(RuleReport& report, const ElementVerdict& one) {
  RuleVerdict verdict = RuleVerdict::holds;
  if (one.verdict == Verdict::undecided) verdict = RuleVerdict::undecided;
  else if (one.verdict == Verdict::differ && one.differing == one.saturated) verdict = RuleVerdict::saturating;
  else if (one.verdict == Verdict::differ) verdict = one.largest == 1 ? RuleVerdict::off_by_one : RuleVerdict::wrong;
  const auto rank = [](RuleVerdict of) { return of == RuleVerdict::holds ? 0 : of == RuleVerdict::undecided ? 1 : 1 + static_cast<int>(of); };
  if (rank(verdict) > rank(report.verdict)) report.verdict = verdict;
}

/// Compares the two programs of one set.
Status add_set(const Library& library, const Profile& profile, const RulePrograms& programs, const ElementQuestion& limits, std::uint64_t set,
               RuleReport& report) {
  const RulePage& page = report.page;
  ProgramsQuestion question;
  question.limits = limits;
  auto compared =
      compare_programs({library, profile, programs.before, programs.before.name}, {library, profile, programs.after, programs.after.name}, question);
  if (!compared) {
    Error error = compared.error();
    error.what += page.parameters.empty() ? "" : " (" + page.set_text(set) + ")";
    if (!error.where.starts_with(page.file)) error.where = fmt::format("{}:{}:1", page.file, page.line);
    return tl::unexpected<Error>(std::move(error));
  }
  report.differing_sets += compared->verdict == Verdict::differ ? 1 : 0;
  report.undecided_sets += compared->verdict == Verdict::undecided ? 1 : 0;
  for (const ElementClass& one : compared->classes) {
    add_class(report, *compared, one, set);
    add_verdict(report, one.verdict);
  }
  return {};
}

}  // namespace

const char* to_word(RuleVerdict verdict) {
  switch (verdict) {
    case RuleVerdict::holds: return "holds";
    case RuleVerdict::saturating: return "holds unless it saturates";
    case RuleVerdict::off_by_one: return "off by one";
    case RuleVerdict::wrong: return "wrong by more";
    case RuleVerdict::undecided: break;
  }
  return "not decided";
}

Result<RuleReport> judge_rule(const Library& library, const RulePage& page, const ElementQuestion& limits) {
  RuleReport report{.page = page};
  TIEBREAK_TRY(profile, library.find_profile(page.profile));
  for (std::uint64_t set = 0; set < page.sets(); ++set) {
    TIEBREAK_TRY(text, page.program_of(set));
    if (!text) {
      ++report.excluded_sets;
      continue;
    }
    TIEBREAK_TRY(parsed, parse_rule_programs(page, *text));
    TIEBREAK_CHECK(add_set(library, *profile, parsed, limits, set, report));
  }
  if (report.excluded_sets == page.sets())
    return fail(Errc::constraint, "no set of parameters fulfils the conditions", page.conditions.front().where, "parameters whose values fulfil them");
  return report;
}

Result<RuleReport> judge_programs(const Library& library, const RulePage& page, const RulePrograms& programs, const ElementQuestion& limits) {
  RuleReport report{.page = page};
  TIEBREAK_TRY(profile, library.find_profile(page.profile));
  TIEBREAK_CHECK(add_set(library, *profile, programs, limits, 0, report));
  return report;
}

}  // namespace tiebreak
