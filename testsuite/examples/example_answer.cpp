// SPDX-License-Identifier: Apache-2.0
#include "testsuite/examples/example_answer.hpp"

#include <algorithm>

#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

CaseStatus status_of_answer(const ExampleAnswer& answer) {
  switch (answer.answer) {
    case Answer::holds: return CaseStatus::conform;
    case Answer::differs: return CaseStatus::fail;
    case Answer::ill_formed: return answer.own_page ? CaseStatus::invalid : CaseStatus::fail;
    case Answer::not_checkable: return CaseStatus::not_run;
  }
  return CaseStatus::not_run;
}

Comparison documented_comparison(const DocumentedDifference& difference) {
  Comparison comparison;
  comparison.different = difference.count;
  comparison.unit = difference.unit;
  return comparison;
}

/// A list need not say what the file is called: an entry that matches no id as it stands is one of ids without the file's name, `divide/example-1`.
std::vector<BaselineEntry> of_any_file(std::vector<BaselineEntry> baseline, const std::vector<ExampleAnswer>& answers) {
  for (BaselineEntry& entry : baseline) {
    const auto matches = [&entry](const ExampleAnswer& answer) { return matches_glob(entry.glob, answer.id); };
    if (std::ranges::any_of(answers, matches)) continue;
    const std::string written = entry.glob;
    entry.glob = "*/" + written;
    if (std::ranges::none_of(answers, matches)) entry.glob = written;
  }
  return baseline;
}

}  // namespace

const char* to_word(Answer answer) {
  switch (answer) {
    case Answer::holds: return "holds";
    case Answer::differs: return "differs";
    case Answer::ill_formed: return "ill-formed";
    case Answer::not_checkable: return "not checkable";
  }
  return "not checkable";
}

std::string heading_of(const std::vector<std::string>& headings) {
  for (auto heading = headings.rbegin(); heading != headings.rend(); ++heading) {
    if (*heading != "Examples" && *heading != "Example") return *heading;
  }
  return "text";
}

AnsweredReport report_answers(std::vector<ExampleAnswer>& answers, const std::vector<BaselineEntry>& given, const std::string& profile) {
  AnsweredReport answered;
  const std::vector<BaselineEntry> baseline = of_any_file(given, answers);
  for (const ExampleAnswer& answer : answers) {
    CaseReport test;
    test.id = answer.id;
    test.op = answer.op.empty() ? "(no op)" : answer.op;
    test.source = answer.file + ":" + std::to_string(answer.line);
    test.status = status_of_answer(answer);
    test.reason = answer.answer == Answer::holds ? "" : std::string(to_word(answer.answer)) + ": " + answer.reason;
    test.notes = answer.notes;
    for (const DocumentedDifference& difference : answer.differences) test.outputs.emplace_back(difference.output, documented_comparison(difference));
    test.reproduce = "tiebreak spec verify " + answer.file;
    answered.report.cases.push_back(std::move(test));
  }
  answered.warnings = apply_baseline(answered.report, baseline, profile);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const CaseStatus status = answered.report.cases[i].status;
    if (status != CaseStatus::expected_fail && status != CaseStatus::unexpected_pass) continue;
    for (const BaselineEntry& entry : baseline) {
      if ((entry.profile.empty() || entry.profile == profile) && matches_glob(entry.glob, answers[i].id)) answers[i].known = entry.reason;
    }
  }
  return answered;
}

}  // namespace tiebreak
