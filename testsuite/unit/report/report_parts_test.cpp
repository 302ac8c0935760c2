// SPDX-License-Identifier: Apache-2.0
// Reports of parts of one selection: all together are the report of a single run, and what is missing is said.
#include <gtest/gtest.h>

#include "testsuite/report/report_parts.hpp"
#include "testsuite/unit/helpers/hand_made_reports.hpp"

namespace tiebreak {
namespace {

using namespace hand_made;

const std::vector<std::string> selected{"onnx.QuantizeLinear/b", "onnx.Add/z", "onnx.QuantizeLinear/a", "onnx.Add/a"};

CommonCause cause_of(const std::string& op, const std::vector<std::string>& cases) {
  CommonCause cause;
  cause.op = op;
  cause.cases = cases;
  cause.readings.push_back({"onnx but tie=away", {"onnx but tie=away"}, {{"tie", "even", "away", "spec/onnx/QuantizeLinear.md:37"}}});
  cause.agreeing = 2;
  return cause;
}

CheckReport run_of_everything() {
  CheckReport whole = report_of({failing_case(selected[0], {1}), test_case(selected[1], CaseStatus::conform, "onnx.Add"), failing_case(selected[2], {2}),
                                 test_case(selected[3], CaseStatus::conform, "onnx.Add")});
  whole.causes = {cause_of("onnx.QuantizeLinear", {selected[0], selected[2]})};  // in the order of the run, not of the ids
  return whole;
}

/// What a run of one part would have of it: by ops, the n-th op.
NamedReport part(std::size_t index) {
  const CheckReport whole = run_of_everything();
  CheckReport report = whole;
  report.cases.clear();
  std::vector<std::string> ids;
  for (const CaseReport& test : whole.cases)
    if ((test.op == "onnx.Add") == (index == 2)) report.cases.push_back(test);
  for (const CaseReport& test : report.cases) ids.push_back(test.id);
  if (index == 2) report.causes.clear();
  report.part = *places_of_part(selected, ids);
  report.context["shard"] = std::to_string(index) + "/2";
  report.context["shard_named_by"] = "TIEBREAK_SHARD";
  report.context["shard_by"] = "op";
  return {"part-" + std::to_string(index) + ".json", report};
}

TEST(ReportParts, TogetherAreTheReportOfASingleRun) {
  for (const std::vector<NamedReport>& parts : {std::vector{part(1), part(2)}, std::vector{part(2), part(1)}}) {
    Result<CheckReport> merged = merge_reports(parts, false);
    ASSERT_TRUE(merged) << to_text(merged.error());
    EXPECT_EQ(merged->context["duration_seconds"], "3");
    merged->context["duration_seconds"] = "1.5";
    EXPECT_EQ(report_json(*merged), report_json(run_of_everything()));
    EXPECT_TRUE(merge_warnings(parts).empty());
  }
}

TEST(ReportParts, WhatIsMissingIsSaidAndMayFollow) {
  const Result<CheckReport> merged = merge_reports({part(2)}, false);
  ASSERT_TRUE(merged) << to_text(merged.error());
  EXPECT_TRUE(merged->incomplete);
  EXPECT_EQ(merge_warnings({part(2)}), (std::vector<std::string>{"2 of 4 cases are in no report", "no report for shard 1/2"}));
  ASSERT_TRUE(merged->part);
  EXPECT_EQ(merged->part->places, (std::vector<std::size_t>{1, 3}));
  const Result<CheckReport> stored = parse_report(report_json(*merged), "merged.json");
  ASSERT_TRUE(stored) << to_text(stored.error());
  EXPECT_EQ(report_json(*stored), report_json(*merged));
  const Result<CheckReport> whole = merge_reports({{"merged.json", *stored}, part(1)}, false);
  ASSERT_TRUE(whole) << to_text(whole.error());
  EXPECT_FALSE(whole->part);
  EXPECT_EQ(whole->cases.size(), selected.size());
}

TEST(ReportParts, AnInterruptedPartIsIncompleteUntilItHasRunAgain) {
  NamedReport interrupted = part(1);
  interrupted.report.incomplete = true;
  interrupted.report.causes.clear();
  for (CaseReport& test : interrupted.report.cases) test = test_case(test.id, CaseStatus::not_run);
  const Result<CheckReport> merged = merge_reports({interrupted, part(2)}, false);
  ASSERT_TRUE(merged) << to_text(merged.error());
  EXPECT_TRUE(merged->incomplete);
  EXPECT_FALSE(merge_reports({interrupted, part(2), part(1)}, false)->incomplete);
}

TEST(ReportParts, PartsOfDifferentSelectionsAreRefused) {
  NamedReport other = part(2);
  other.report.part->digest = "0123456789abcdef";
  const Result<CheckReport> refused = merge_reports({part(1), other}, false);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("parts of different selections: 4 cases, "), std::string::npos) << refused.error().what;
  const Result<CheckReport> forced = merge_reports({part(1), other}, true);
  ASSERT_TRUE(forced) << to_text(forced.error());
  EXPECT_EQ(forced->context.at("shard"), "1/2; 2/2");
  EXPECT_EQ(forced->context.at("merged_despite"), "selection");
}

TEST(ReportParts, AContradictionIsDamage) {
  NamedReport moved = part(2);
  moved.report.part->places[0] = 0;  // where the other part has another case
  EXPECT_EQ(merge_reports({part(1), moved}, false).error().code, Errc::corrupt);
  const auto refusal = [](CheckReport report) {
    const Result<CheckReport> read = parse_report(report_json(report), "r.json");
    return read ? "" : read.error().what;
  };
  CheckReport report = part(2).report;
  report.part->places = {1, 1};
  EXPECT_NE(refusal(report).find("no place of a case among 4"), std::string::npos) << refusal(report);
  report.part->places = {1, 4};
  EXPECT_NE(refusal(report).find("no place of a case among 4"), std::string::npos) << refusal(report);
  report.part->places = {1};
  EXPECT_NE(refusal(report).find("1 places of 2 cases"), std::string::npos) << refusal(report);
}

}  // namespace
}  // namespace tiebreak
