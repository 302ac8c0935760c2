// SPDX-License-Identifier: Apache-2.0
#include "testsuite/report/report_summary.hpp"

#include <algorithm>

#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

void count_case(CellCounts& cell, CaseStatus status, std::size_t index) {
  switch (status) {
    using enum CaseStatus;
    case conform: ++cell.conform; break;
    case fail:
      if (cell.fail++ == 0) cell.first_failing = index;
      break;
    case expected_fail:
    case unexpected_pass: ++cell.known; break;
    case unsupported: ++cell.unsupported; break;
    case inconclusive: ++cell.inconclusive; break;
    case not_recorded:
    case not_declared:
    case nothing_compared:
    case not_run:
    case invalid: ++cell.other; break;
  }
}

template <class Reason>
std::vector<ReasonGroup> grouped_cases(const std::vector<const CaseReport*>& cases, const Reason& reason) {
  std::map<std::string, std::vector<const CaseReport*>> groups;
  for (const CaseReport* test : cases) groups[reason(*test)].push_back(test);
  std::vector<ReasonGroup> ordered;
  for (auto& [text, members] : groups) ordered.push_back({text, std::move(members)});
  std::ranges::stable_sort(ordered, [](const ReasonGroup& a, const ReasonGroup& b) { return a.cases.size() > b.cases.size(); });
  return ordered;
}

std::string what_of(int exit_code) {
  switch (exit_code) {
    case 0: return "Conforms";
    case 1: return "Differs";
    case 2: return "Invalid cases";
    case 4: return "Nothing judged";
    case 6: return "Stale baseline";
    default: return "Inconclusive";
  }
}

}  // namespace

std::string spoken_status(CaseStatus status) {
  std::string word = to_word(status);
  std::ranges::replace(word, '_', ' ');
  return word;
}

ReportVerdict verdict_of(const CheckReport& report) {
  const int code = report.exit_code();
  std::map<CaseStatus, std::size_t> counts = report.counts();
  const std::size_t failing = counts[CaseStatus::fail],
                    judged = counts[CaseStatus::conform] + failing + counts[CaseStatus::expected_fail] + counts[CaseStatus::unexpected_pass];
  ReportVerdict verdict;
  verdict.word = report.incomplete && code == 0 ? "Incomplete" : what_of(code);
  verdict.kind = failing > 0 ? ReportVerdict::Kind::differs : verdict.word == "Conforms" ? ReportVerdict::Kind::conforms : ReportVerdict::Kind::unclear;
  const std::string recorded = report.context_of("backend_recorded").empty() ? "" : ", recorded,";
  const std::string backend = report.context_of("backend") + " " + report.context_of("backend_version") + recorded;
  verdict.sentence = backend + (failing > 0 ? " differs from profile " : " against profile ") + report.context_of("profile") + " under policy " +
                     report.context_of("policy") + ": ";
  verdict.sentence += failing > 0 ? std::to_string(failing) + " of " + counted(judged, "judged case") + " fail"
                                  : std::to_string(counts[CaseStatus::conform]) + " of " + counted(judged, "judged case") + " conform";
  if (report.incomplete) verdict.sentence += "; not every case was judged";
  return verdict;
}

std::map<std::string, std::map<std::string, CellCounts>> op_type_counts(const CheckReport& report) {
  std::map<std::string, std::map<std::string, CellCounts>> counts;
  for (std::size_t i = 0; i < report.cases.size(); ++i) count_case(counts[report.cases[i].op][report.cases[i].types], report.cases[i].status, i);
  return counts;
}

CellCounts sum_of(const std::map<std::string, CellCounts>& row) {
  CellCounts sum;
  for (const auto& [types, cell] : row) {
    if (sum.fail == 0) sum.first_failing = cell.first_failing;
    sum.conform += cell.conform;
    sum.fail += cell.fail;
    sum.known += cell.known;
    sum.unsupported += cell.unsupported;
    sum.inconclusive += cell.inconclusive;
    sum.other += cell.other;
  }
  return sum;
}

std::vector<const CaseReport*> cases_of(const CheckReport& report, CaseStatus status) {
  std::vector<const CaseReport*> cases;
  for (const CaseReport& test : report.cases)
    if (test.status == status) cases.push_back(&test);
  return cases;
}

std::vector<ReasonGroup> by_reason(const std::vector<const CaseReport*>& cases) {
  return grouped_cases(cases, [](const CaseReport& test) { return test.reason; });
}

std::vector<ReasonGroup> by_reason(const CheckReport& report, CaseStatus status) { return by_reason(cases_of(report, status)); }

std::vector<ReasonGroup> by_cause(const CheckReport& report) {
  return grouped_cases(cases_of(report, CaseStatus::fail),
                       [](const CaseReport& test) { return test.diagnosis ? cause_word(*test.diagnosis) : std::string("no cause was looked for"); });
}

}  // namespace tiebreak
