// SPDX-License-Identifier: Apache-2.0
// The table of several reports: what decides a cell, what shares a column, and what has no row.
#include "testsuite/report/report_table.hpp"

#include <gtest/gtest.h>

#include "testsuite/unit/helpers/hand_made_reports.hpp"

namespace tiebreak {
namespace {

CaseReport judged_case(const std::string& id, CaseStatus status, const std::string& op, std::int64_t size, const std::vector<std::int64_t>& wrong = {}) {
  CaseReport report = hand_made::test_case(id, status, op);
  report.outputs = {{"y", hand_made::wrong_elements(size, wrong)}};
  return report;
}

NamedReport named_report(const std::string& backend, const std::string& profile, std::vector<CaseReport> cases, const std::string& cap = "") {
  NamedReport named{"a.json", {}};
  named.report.context = {{"backend", backend}, {"profile", profile}};
  if (!cap.empty()) named.report.context["backend_isa_cap"] = cap;
  named.report.cases = std::move(cases);
  return named;
}

constexpr std::size_t widest = 120;

TEST(ReportTable, TheWorstCaseDecidesACell) {
  OpVerdict verdict;
  EXPECT_EQ(to_text(verdict), ".");
  verdict.add(hand_made::test_case("a", CaseStatus::unsupported));
  EXPECT_EQ(to_text(verdict), ".");
  verdict.add(judged_case("b", CaseStatus::conform, "o", 100));
  EXPECT_EQ(to_text(verdict), "conforms 100");
  verdict.add(hand_made::test_case("c", CaseStatus::inconclusive));
  EXPECT_EQ(to_text(verdict), "inconclusive 1");
  verdict.add(judged_case("d", CaseStatus::fail, "o", 20, {3, 4}));
  EXPECT_EQ(to_text(verdict), "differs 2 of 120");
  verdict.add(judged_case("e", CaseStatus::expected_fail, "o", 5, {0}));
  EXPECT_EQ(to_text(verdict), "differs 3 of 125") << "what a baseline knows differs all the same";
  OpVerdict listed;
  listed.add(judged_case("e", CaseStatus::expected_fail, "o", 5, {0}));
  EXPECT_EQ(to_text(listed), "differs 1 of 5, known");
  EXPECT_EQ(verdict.skipped, 1U);
}

TEST(ReportTable, ExcusedElementsDoNotCount) {
  CaseReport report = judged_case("a", CaseStatus::fail, "o", 20, {3, 4});
  report.outputs[0].second.excused = 1;
  OpVerdict verdict;
  verdict.add(report);
  EXPECT_EQ(to_text(verdict), "differs 1 of 20");
}

TEST(ReportTable, ARowForEachOpThatSomeoneAnswered) {
  const std::string table =
      report_table({named_report("one", "p", {judged_case("a", CaseStatus::conform, "x.A", 7), hand_made::test_case("u", CaseStatus::unsupported, "x.C")}),
                    named_report("one", "p", {judged_case("b", CaseStatus::conform, "x.A", 8)}),
                    named_report("two", "q", {judged_case("a", CaseStatus::fail, "x.A", 7, {1}), judged_case("c", CaseStatus::conform, "x.B", 3)})},
                   widest);
  EXPECT_EQ(table,
            "     one          two\n"
            "     p            q\n"
            "x.A  conforms 15  differs 1 of 7\n"
            "\n"
            "two alone, 1 op that conforms on 3 elements: x.B\n");
}

TEST(ReportTable, AnOpOfOneBackendHasARowWhereItDiffers) {
  const std::string table = report_table({named_report("one", "p", {judged_case("a", CaseStatus::fail, "x.A", 7, {1})}),
                                          named_report("two", "q", {judged_case("b", CaseStatus::conform, "x.B", 3)})},
                                         widest);
  EXPECT_EQ(table,
            "     one             two\n"
            "     p               q\n"
            "x.A  differs 1 of 7  .\n"
            "\n"
            "two alone, 1 op that conforms on 3 elements: x.B\n");
}

TEST(ReportTable, WhatDoesNotFitStandsBelow) {
  const auto one_op = [](const char* backend, std::int64_t size) { return named_report(backend, "p", {judged_case("a", CaseStatus::conform, "x.A", size)}); };
  EXPECT_EQ(report_table({one_op("one", 7), one_op("two", 8), one_op("three", 9)}, 30),
            "     one         three\n"
            "     p           p\n"
            "x.A  conforms 7  conforms 9\n"
            "\n"
            "     two\n"
            "     p\n"
            "x.A  conforms 8\n");
}

TEST(ReportTable, ACapIsAColumnOfItsOwn) {
  const std::string table = report_table({named_report("one", "p", {judged_case("a", CaseStatus::conform, "x.A", 7)}),
                                          named_report("one", "p", {judged_case("a", CaseStatus::conform, "x.A", 9)}, "AVX2")},
                                         widest);
  EXPECT_EQ(table,
            "     one         one\n"
            "     p           p\n"
            "                 AVX2\n"
            "x.A  conforms 7  conforms 9\n");
}

}  // namespace
}  // namespace tiebreak
