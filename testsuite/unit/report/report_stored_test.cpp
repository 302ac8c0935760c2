// SPDX-License-Identifier: Apache-2.0
// Stored reports: read back without loss, refused when damaged, merged, compared.
#include <gtest/gtest.h>

#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/unit/helpers/hand_made_reports.hpp"

namespace tiebreak {
namespace {

using namespace hand_made;

CheckReport rich_report() {
  CaseReport special = failing_case("special", {0, 1, 2});
  special.outputs[0].second.histogram = {{"inf", 1}, {"nan", 1}, {"sign of zero", 1}};
  special.outputs[0].second.first[0].difference = std::numeric_limits<double>::quiet_NaN();
  special.outputs[0].second.first[1].difference = -std::numeric_limits<double>::infinity();
  special.outputs[0].second.first[2].difference = 0.1;
  special.outputs[0].second.first[2].excused = true;
  special.outputs[0].second.excused = 1;
  special.outputs[0].second.undefined = 2;
  special.outputs[0].second.worst = std::numeric_limits<double>::quiet_NaN();
  special.outputs.emplace_back("z", wrong_elements(100, {}));
  special.notes = {"a note", "another"};
  std::vector<CaseReport> cases{special, failing_case("onnx.X/f", {7})};
  for (CaseStatus status : every_status) cases.push_back(test_case(to_word(status), status));
  CheckReport report = report_of(std::move(cases));
  report.incomplete = report.allow_unsupported = true;
  return report;
}

TEST(ReportRead, RefusesABucketThatNoComparisonHasIsRefused) {
  CheckReport report = report_of({failing_case("c", {3, 5})});
  report.cases[0].outputs[0].second.histogram = {{"1", report.cases[0].outputs[0].second.different}};
  const std::string written = report_json(report);
  const std::size_t at = written.find("\"histogram\"");
  ASSERT_NE(at, std::string::npos);
  std::string changed = written;
  changed.replace(changed.find("\"1\"", at), 3, "\"0\"");
  auto read = parse_report(changed, "stored.json");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("'0' is no bucket of a histogram"), std::string::npos) << read.error().what;
}

TEST(ReportRead, GivesBackWhatWasWritten) {
  for (const CheckReport& report : {rich_report(), report_of({}), report_of({test_case("a", CaseStatus::conform)})}) {
    Result<CheckReport> read = parse_report(report_json(report), "r.json");
    ASSERT_TRUE(read) << to_text(read.error());
    EXPECT_EQ(report_json(*read), report_json(report));
    EXPECT_EQ(report_html(*read), report_html(report));
    EXPECT_EQ(report_junit(*read), report_junit(report));
    EXPECT_EQ(report_markdown(*read), report_markdown(report));
    EXPECT_EQ(report_text(*read, false, 20), report_text(report, false, 20));
    EXPECT_EQ(read->exit_code(), report.exit_code());
  }
  Result<CheckReport> hostile_read = parse_report(report_json(hostile_report()), "r.json");
  ASSERT_TRUE(hostile_read) << to_text(hostile_read.error());
}

TEST(ReportRead, TakesReportsOfEarlierTools) {
  std::string text = report_json(report_of({failing_case("c", {3, 5})}));
  auto without = [&](const std::string& from, const std::string& to) {
    const std::size_t start = text.find(from), end = text.find(to, start);
    ASSERT_NE(start, std::string::npos) << from;
    text.erase(start, end - start);
  };
  without("\"places\"", "\"first\"");
  without("\"types\"", "\"status\"");
  without("\"element\"", "\"shape\"");
  const std::size_t worst = text.find("\"worst\"");
  text.erase(text.find("\"flat_index\"", worst), text.find("\"difference\"", worst) - text.find("\"flat_index\"", worst));
  Result<CheckReport> read = parse_report(text, "r.json");
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->cases[0].outputs[0].second.worst_index, 3);
  const std::size_t index = text.find("[3]", worst);
  ASSERT_NE(index, std::string::npos) << text;
  EXPECT_FALSE(parse_report(text.replace(index, 3, "[100]"), "r.json")) << "outside of the shape, which is [100]";
}

/// Every prefix, and every line left out: an error or a report that can be shown, never anything else.
TEST(ReportRead, DamageIsAnErrorOrHarmless) {
  const std::string text = report_json(rich_report());
  for (std::size_t length = 0; length + 2 < text.size(); length += 61) EXPECT_FALSE(parse_report(text.substr(0, length), "r.json")) << length;
  std::size_t refused = 0, lines = 0;
  for (std::size_t start = 0; start < text.size(); ++lines) {
    const std::size_t end = text.find('\n', start) + 1;
    Result<CheckReport> read = parse_report(text.substr(0, start) + text.substr(end), "r.json");
    if (read) report_html(*read);
    else ++refused;
    start = end;
  }
  EXPECT_GT(refused, lines / 2);
}

TEST(ReportRead, ForeignAndContradictoryFilesAreToldApart) {
  auto refusal = [](const std::string& text) {
    Result<CheckReport> read = parse_report(text, "r.json");
    return read ? std::string("read") : to_text(read.error());
  };
  EXPECT_NE(refusal("[]").find("not a report of tiebreak (r.json)"), std::string::npos) << refusal("[]");
  EXPECT_NE(refusal("{\"schema\": \"tiebreak.eval/1\"}").find("'tiebreak.eval/1'"), std::string::npos);
  EXPECT_NE(refusal("<xml/>").find("not JSON"), std::string::npos);
  auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = report_json(report_of({failing_case("c", {3, 5})}));
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return refusal(text.replace(at, from.size(), to));
  };
  EXPECT_NE(changed("\"fail\": 1", "\"fail\": 7").find("7 cases are counted as fail, 1 are there"), std::string::npos);
  EXPECT_NE(changed("\"status\": \"fail\"", "\"status\": \"fial\"").find("'fial' is no status"), std::string::npos);
  EXPECT_NE(changed("\"1\": 2", "\"1\": 3").find("does not add up"), std::string::npos);
  EXPECT_NE(changed("\"different\": 2", "\"different\": 101").find("more elements differ"), std::string::npos);
  EXPECT_NE(changed("\"shape\": \"[100]\"", "\"shape\": \"[-1]\"").find("no list of counts"), std::string::npos);
  EXPECT_NE(changed("\"columns\": 64", "\"columns\": 4096").find("grid of places is too large"), std::string::npos);
  EXPECT_NE(changed("\"flat_index\": 3", "\"flat_index\": \"x\"").find("whole number"), std::string::npos);
}

TEST(ReportMerge, JoinsShardsWhateverTheirOrder) {
  CheckReport a = report_of({test_case("c", CaseStatus::conform), failing_case("a", {1})}), b = report_of({test_case("b", CaseStatus::unsupported)});
  a.context["shard"] = "1/2";
  b.context["shard"] = "2/2";
  Result<CheckReport> merged = merge_reports({{"a.json", a}, {"b.json", b}}, false);
  ASSERT_TRUE(merged) << to_text(merged.error());
  ASSERT_EQ(merged->cases.size(), 3u);
  EXPECT_EQ(merged->cases[0].id + merged->cases[1].id + merged->cases[2].id, "abc");
  EXPECT_EQ(merged->exit_code(), 1);
  EXPECT_EQ(merged->context["shard"], "1/2; 2/2");
  EXPECT_EQ(merged->context["duration_seconds"], "3");
  EXPECT_EQ(merged->context["merged_reports"], "2");
  Result<CheckReport> other = merge_reports({{"b.json", b}, {"a.json", a}}, false);
  other->context = merged->context;
  EXPECT_EQ(report_json(*other), report_json(*merged));
  EXPECT_TRUE(merge_warnings({{"a.json", a}, {"b.json", b}}).empty());
  EXPECT_EQ(merge_warnings({{"b.json", b}}), std::vector<std::string>{"no report for shard 1/2"});
}

TEST(ReportMerge, RefusesWhatDoesNotBelongTogether) {
  for (const char* key : {"profile", "spec_hash", "backend", "backend_version", "policy", "tool_version", "backend_isa"}) {
    CheckReport a = report_of({test_case("a", CaseStatus::conform)}), b = report_of({test_case("b", CaseStatus::conform)});
    b.context[key] = "other";
    Result<CheckReport> refused = merge_reports({{"a.json", a}, {"b.json", b}}, false);
    ASSERT_FALSE(refused) << key;
    EXPECT_NE(refused.error().what.find(std::string("differ in ") + key), std::string::npos) << refused.error().what;
    Result<CheckReport> forced = merge_reports({{"a.json", a}, {"b.json", b}}, true);
    ASSERT_TRUE(forced) << key;
    EXPECT_EQ(forced->context["merged_despite"], key);
  }
}

TEST(ReportMerge, ShardsMayHaveOtherOpsButNotOtherFormulas) {
  CheckReport a = report_of({test_case("a", CaseStatus::conform)}), b = report_of({test_case("b", CaseStatus::conform)}), none = report_of({});
  a.op_hashes = {{"onnx.Add", "1"}, {"onnx.Mul", "2"}};
  b.op_hashes = {{"onnx.Mul", "2"}, {"onnx.Sub", "3"}};
  none.op_hashes.emplace();
  a.context["spec_hash"] = joined_hash(*a.op_hashes);
  b.context["spec_hash"] = joined_hash(*b.op_hashes);
  none.context["spec_hash"] = joined_hash({});
  Result<CheckReport> merged = merge_reports({{"a.json", a}, {"none.json", none}, {"b.json", b}}, false);
  ASSERT_TRUE(merged) << to_text(merged.error());
  EXPECT_EQ(merged->op_hashes->size(), 3u);
  EXPECT_EQ(merged->context["spec_hash"], joined_hash(*merged->op_hashes));
  EXPECT_EQ(report_json(*parse_report(report_json(*merged), "m.json")), report_json(*merged));
  (*b.op_hashes)["onnx.Mul"] = "4";
  Result<CheckReport> refused = merge_reports({{"a.json", a}, {"b.json", b}}, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "the reports differ in what onnx.Mul depends on: '2' in a.json, '4' in b.json");
  Result<CheckReport> forced = merge_reports({{"a.json", a}, {"b.json", b}}, true);
  ASSERT_TRUE(forced);
  EXPECT_EQ(forced->context["merged_despite"], "spec_hash");
  EXPECT_FALSE(forced->op_hashes);
}

TEST(ReportMerge, ACaseTwiceMustAgree) {
  CheckReport good = report_of({test_case("a", CaseStatus::conform)}), bad = report_of({failing_case("a", {1})}),
              other = report_of({failing_case("a", {2}, 20, 2)});
  EXPECT_TRUE(merge_reports({{"1", good}, {"2", good}}, false));
  EXPECT_EQ(merge_reports({{"1", bad}, {"2", bad}}, false)->cases.size(), 1u);
  Result<CheckReport> verdicts = merge_reports({{"1", good}, {"2", bad}}, true);
  ASSERT_FALSE(verdicts) << "not even by force";
  EXPECT_NE(verdicts.error().what.find("conform and fail"), std::string::npos) << verdicts.error().what;
  EXPECT_FALSE(merge_reports({{"1", bad}, {"2", other}}, false)) << "other values";
  CheckReport interrupted = report_of({test_case("a", CaseStatus::not_run)});
  interrupted.incomplete = true;
  for (bool first : {true, false}) {
    Result<CheckReport> merged = first ? merge_reports({{"1", interrupted}, {"2", bad}}, false) : merge_reports({{"1", bad}, {"2", interrupted}}, false);
    ASSERT_TRUE(merged);
    EXPECT_EQ(merged->cases[0].status, CaseStatus::fail);
    EXPECT_FALSE(merged->incomplete);
  }
  EXPECT_TRUE(merge_reports({{"1", interrupted}}, false)->incomplete);
}

CaseChange::Kind change_of(const CaseReport& before, const CaseReport& after) {
  ReportDifference difference = diff_reports(report_of({before}), report_of({after}), 20);
  EXPECT_EQ(difference.changes.size(), 1u);
  return difference.changes.empty() ? CaseChange::Kind::removed : difference.changes[0].kind;
}

TEST(ReportDiff, EveryKindOfChange) {
  using Kind = CaseChange::Kind;
  const CaseReport good = test_case("a", CaseStatus::conform), bad = failing_case("a", {1, 2}), lost = test_case("a", CaseStatus::inconclusive),
                   none = test_case("a", CaseStatus::unsupported);
  EXPECT_EQ(change_of(good, bad), Kind::newly_failing);
  EXPECT_EQ(change_of(none, bad), Kind::newly_failing);
  EXPECT_EQ(change_of(good, lost), Kind::lost);
  EXPECT_EQ(change_of(bad, good), Kind::fixed);
  EXPECT_EQ(change_of(bad, lost), Kind::changed);
  EXPECT_EQ(change_of(bad, failing_case("a", {1, 2, 3})), Kind::worse);
  EXPECT_EQ(change_of(bad, failing_case("a", {1, 3})), Kind::worse) << "an element that was right is wrong now";
  EXPECT_EQ(change_of(bad, failing_case("a", {1, 2}, 20, 3)), Kind::worse);
  EXPECT_EQ(change_of(bad, failing_case("a", {1})), Kind::better);
  EXPECT_EQ(change_of(bad, failing_case("a", {1, 2}, 20, -1)), Kind::changed);
  CaseReport listed = bad;
  listed.status = CaseStatus::expected_fail;
  EXPECT_EQ(change_of(bad, listed), Kind::changed);
  EXPECT_TRUE(diff_reports(report_of({bad}), report_of({bad}), 20).changes.empty());
}

TEST(ReportDiff, SaysOfElementsOnlyWhatIsKnown) {
  const CaseReport before = failing_case("a", {1, 5, 9, 50}, 2);  // kept: 1, 5
  const CaseReport after = failing_case("a", {1, 3, 5, 9, 50}, 20);
  ReportDifference difference = diff_reports(report_of({before}), report_of({after}), 20);
  ASSERT_EQ(difference.changes.size(), 1u);
  EXPECT_EQ(difference.changes[0].lines, (std::vector<std::string>{"y[3]  newly wrong: 2, expected 1, right before", "y 4 of 100 differed, now 5 of 100"}));
  CaseReport hidden = before;
  hidden.outputs[0].second.digest = "fedcba9876543210";
  difference = diff_reports(report_of({before}), report_of({hidden}), 20);
  ASSERT_EQ(difference.changes.size(), 1u);
  EXPECT_EQ(difference.changes[0].lines, std::vector<std::string>{"y other values, in elements that no report keeps"});
  EXPECT_FALSE(difference.worse());
}

TEST(ReportDiff, TextAndJsonHaveTheSame) {
  CheckReport before = report_of({test_case("a", CaseStatus::conform), test_case("gone", CaseStatus::fail), test_case("same", CaseStatus::conform)});
  CheckReport after = report_of({failing_case("a", {1}), test_case("new", CaseStatus::fail), test_case("same", CaseStatus::conform)});
  after.context["backend_version"] = "1.3";
  after.context["duration_seconds"] = "7";
  ReportDifference difference = diff_reports(before, after, 20);
  EXPECT_TRUE(difference.worse());
  EXPECT_EQ(difference_text(difference),
            "  context  backend_version: 1.2, now 1.3\n"
            "  newly failing  a  conform, now fail\n"
            "         y[1]  newly wrong: 2, expected 1, right before\n"
            "  added  new  fail\n"
            "  removed  gone  fail\n"
            "1 newly failing, 1 added, 1 removed, 1 unchanged\n");
  const std::string json = difference_json(difference);
  for (const char* wanted : {"tiebreak.report-diff/1", "\"worse\": true", "\"newly_failing\": 1", "\"unchanged\": 1", "\"id\": \"gone\""})
    EXPECT_NE(json.find(wanted), std::string::npos) << json;
}

}  // namespace
}  // namespace tiebreak
