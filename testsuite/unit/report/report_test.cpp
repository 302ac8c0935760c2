// SPDX-License-Identifier: Apache-2.0
// Reports in all three forms, exit codes of a report, baselines.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "testsuite/check/baseline.hpp"
#include "testsuite/text/output_file.hpp"

namespace tiebreak {
namespace {

CaseReport case_report(const char* id, CaseStatus status) {
  CaseReport report;
  report.id = id;
  report.op = "onnx.QuantizeLinear";
  report.source = "cases/a.json";
  report.status = status;
  report.reason = status == CaseStatus::conform ? "" : "because <it> & \"that\"\x01";
  report.reproduce = "tiebreak check cases/a.json -k " + report.id;
  return report;
}

CheckReport check_of(std::initializer_list<CaseStatus> statuses) {
  CheckReport report;
  report.context = {{"backend", "demo"}, {"backend_version", "1.2"}, {"profile", "onnx"},
                    {"policy", "exact"}, {"tool_version", "0"},      {"spec_hash", "0123456789abcdef"}};
  int i = 0;
  for (CaseStatus status : statuses) report.cases.push_back(case_report(("c" + std::to_string(i++)).c_str(), status));
  return report;
}

/// A failing case with everything a mismatch can have, nan and infinite differences included.
CheckReport failing_report() {
  CheckReport report = check_of({CaseStatus::conform, CaseStatus::fail, CaseStatus::unsupported});
  Tensor expected = *Tensor::zeros({*ElementType::parse("f32"), {2, 2}, std::nullopt}), actual = expected;
  actual.set_code(1, 0x7fc00000);
  actual.set_code(2, 0x7f800000);
  actual.set_code(3, 0x00000001);
  ResultTensor result{"y", expected, {}, {{0.5, 0.0}, {0.25, 0.0}, {1e300, 1e280}, {-0.0, 0.0}}, {0.1, -0.2, std::numeric_limits<double>::quiet_NaN(), 0.0}};
  report.cases[1].outputs.emplace_back("y", compare(result, actual, Policy{}, 20));
  report.cases[1].inputs_of_first = {"x=1", "x=2", "x=3"};
  report.cases[1].explain = "tiebreak explain c1:y:1";
  return report;
}

TEST(ExitCode, EveryRowAndItsPrecedence) {
  using enum CaseStatus;
  EXPECT_EQ(check_of({conform, expected_fail}).exit_code(), 0);
  EXPECT_EQ(check_of({conform, fail}).exit_code(), 1);
  EXPECT_EQ(check_of({conform, invalid}).exit_code(), 2);
  EXPECT_EQ(check_of({}).exit_code(), 4);
  EXPECT_EQ(check_of({conform, unsupported}).exit_code(), 5);
  EXPECT_EQ(check_of({conform, not_recorded}).exit_code(), 5);
  EXPECT_EQ(check_of({not_recorded, fail}).exit_code(), 1);
  EXPECT_EQ(check_of({conform, inconclusive}).exit_code(), 5);
  EXPECT_EQ(check_of({conform, unexpected_pass}).exit_code(), 6);
  EXPECT_EQ(check_of({not_run}).exit_code(), 5) << "nothing was judged";
  EXPECT_EQ(check_of({conform, not_run}).exit_code(), 0);
  EXPECT_EQ(check_of({nothing_compared}).exit_code(), 5) << "nothing compared is no pass";
  EXPECT_EQ(check_of({conform, nothing_compared}).exit_code(), 0);
  EXPECT_EQ(check_of({not_declared}).exit_code(), 5) << "what no profile claims is no pass";
  EXPECT_EQ(check_of({conform, not_declared}).exit_code(), 0);
  EXPECT_EQ(check_of({inconclusive, unexpected_pass, fail, invalid}).exit_code(), 2);
  EXPECT_EQ(check_of({inconclusive, unexpected_pass, fail}).exit_code(), 1);
  EXPECT_EQ(check_of({inconclusive, unexpected_pass}).exit_code(), 6);
  CheckReport tolerant = check_of({conform, unsupported});
  tolerant.allow_unsupported = true;
  EXPECT_EQ(tolerant.exit_code(), 0);
  CheckReport partly_recorded = check_of({conform, not_recorded, unsupported});
  partly_recorded.allow_unsupported = true;
  EXPECT_EQ(partly_recorded.exit_code(), 0);
  partly_recorded.cases.erase(partly_recorded.cases.begin());
  EXPECT_EQ(partly_recorded.exit_code(), 5) << "nothing was judged";
  CheckReport only_unsupported = check_of({unsupported});
  only_unsupported.allow_unsupported = true;
  EXPECT_EQ(only_unsupported.exit_code(), 5);
}

/// The grammar of JSON has no NaN and no Infinity; nlohmann's parser refuses them.
TEST(ReportJson, IsJsonWithEverythingInIt) {
  std::string text = report_json(failing_report());
  nlohmann::json json = nlohmann::json::parse(text);
  EXPECT_EQ(json["schema"], "tiebreak.report/1");
  EXPECT_EQ(json["counts"]["fail"], 1);
  EXPECT_EQ(json["counts"]["unsupported"], 1);
  const nlohmann::json& output = json["cases"][1]["outputs"][0];
  EXPECT_EQ(output["different"], 3);
  EXPECT_EQ(output["histogram"], (nlohmann::json{{"1", 1}, {"inf", 1}, {"nan", 1}}));
  EXPECT_EQ(output["first"][0]["index"], "[0, 1]");
  EXPECT_EQ(output["first"][0]["inputs"], "x=1");
  EXPECT_EQ(output["first"][0]["actual"], "nan");
  EXPECT_EQ(output["first"][0]["difference"], "nan");
  EXPECT_EQ(output["first"][0]["exact"], "0.25");
  EXPECT_EQ(output["first"][0]["to_boundary"], "-0.2");
  EXPECT_FALSE(output["first"][1].contains("to_boundary"));
  EXPECT_EQ(report_json(failing_report()), text) << "same report, same bytes";
}

TEST(ReportJunit, EscapesAndCountsTheSkipped) {
  std::string text = report_junit(failing_report());
  EXPECT_NE(text.find("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("<skipped message=\"unsupported: because &lt;it&gt; &amp; &quot;that&quot;\xEF\xBF\xBD\"/>"), std::string::npos) << text;
  EXPECT_NE(text.find("<property name=\"profile\" value=\"onnx\"/>"), std::string::npos);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(ReportJunit, KeepsLettersOfEveryLanguage) {
  CheckReport report = failing_report();
  report.context["backend"] = "Größe 数 \xFF\xEF\xBF\xBE";
  EXPECT_NE(report_junit(report).find("value=\"Größe 数 \xEF\xBF\xBD\xEF\xBF\xBD\"/>"), std::string::npos);
}

TEST(ReportText, ShowsCountsMismatchesAndCommands) {
  std::string text = report_text(failing_report(), false, 2);
  for (const char* wanted :
       {"backend demo 1.2", "profile onnx", "policy exact", "FAIL c1", "3 of 4 differ", "[0, 1]", "0.25", "1 more  (--show all)",
        "again   tiebreak check cases/a.json -k c1", "why     tiebreak explain c1:y:1", "3 cases: 1 conform, 1 fail, 1 unsupported, 0 not run"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
  }
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(report_text(failing_report(), true, 2).find("\033[31mFAIL"), std::string::npos);
}

TEST(ReportText, AReasonStandsOnceWhateverTheStatus) {
  using enum CaseStatus;
  CheckReport report = check_of({unsupported, unsupported, expected_fail, expected_fail, expected_fail, nothing_compared, inconclusive, inconclusive});
  const std::string text = report_text(report, false, 2);
  for (const char* wanted : {"unsupported c0 and 1 more case  because", "expected to fail c2 and 2 more cases  because", "nothing compared c5  because",
                             "INCONCLUSIVE c6 and 1 more case  because", "again   tiebreak check cases/a.json -k c6\n",
                             "8 cases: 0 conform, 0 fail, 3 expected fail, 2 unsupported, 1 nothing compared, 2 inconclusive, 0 not run"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
  }
  EXPECT_EQ(text.find("c7"), std::string::npos) << text;
}

TEST(ReportText, InputsStandBelowTheirMismatchWhereTheTableIsTooWide) {
  CheckReport report = failing_report();
  report.cases[1].inputs_of_first = {"x=1 bias=5", "x=2 bias=6", "x=3 bias=7"};
  constexpr std::size_t narrow = 80;
  EXPECT_NE(report_text(report, false, 2, 200).find("[0, 1]  x=1 bias=5  "), std::string::npos) << report_text(report, false, 2, 200);
  const std::string text = report_text(report, false, 2, narrow);
  EXPECT_NE(text.find("\n           x=1 bias=5\n"), std::string::npos) << text;
  EXPECT_LT(text.find("[0, 1]"), text.find("x=1 bias=5"));
  EXPECT_LT(text.find("x=1 bias=5"), text.find("[1, 0]"));
  EXPECT_EQ(text.find("x=3"), std::string::npos) << "not of a mismatch that is not shown";
}

TEST(Baseline, ReasonsAreRequiredAndKeysChecked) {
  std::string path = (std::filesystem::temp_directory_path() / ("tiebreak-baseline-" + std::to_string(::getpid()) + ".json")).string();
  auto read = [&](const char* text) {
    EXPECT_TRUE(write_file(path, text));
    return read_baseline(path);
  };
  EXPECT_EQ(read("[{\"case\": \"a/*\", \"reason\": \"issue 1\", \"profile\": \"onnx\"}] // note")->size(), 1u);
  EXPECT_NE(read("[{\"case\": \"a\"}]").error().what.find("without a reason"), std::string::npos);
  EXPECT_FALSE(read("[{\"case\": \"a\", \"reason\": \"  \"}]"));
  EXPECT_EQ(read("[{\"case\": \"a\", \"reson\": \"x\"}]").error().hint, "did you mean 'reason'?");
  EXPECT_FALSE(read("{}"));
  std::filesystem::remove(path);
}

TEST(Baseline, TurnsFailuresIntoExpectedOnesAndPassesIntoStaleOnes) {
  using enum CaseStatus;
  CheckReport report = check_of({fail, conform, fail, unsupported, inconclusive, inconclusive});
  std::vector<BaselineEntry> baseline;
  for (const auto& [id, profile] : std::vector<std::pair<std::string, std::string>>{{"c0", ""}, {"c1", "onnx"}, {"c2", "other"}, {"c3", ""}, {"zzz", ""}}) {
    BaselineEntry entry;
    entry.glob = id;
    entry.reason = "known";
    entry.profile = profile;
    entry.where = "b:/" + id;
    baseline.push_back(std::move(entry));
  }
  baseline.push_back({.glob = "c4", .reason = "it crashes there", .inconclusive = true, .where = "b:/c4"});
  baseline.push_back({.glob = "c5", .reason = "a wrong answer, no crash", .where = "b:/c5"});
  std::vector<std::string> warnings = apply_baseline(report, baseline, "onnx");
  EXPECT_EQ(report.cases[0].status, expected_fail);
  EXPECT_EQ(report.cases[1].status, unexpected_pass);
  EXPECT_EQ(report.cases[2].status, fail) << "listed for another profile";
  EXPECT_EQ(report.cases[3].status, unsupported);
  EXPECT_EQ(report.cases[4].status, expected_fail);
  EXPECT_EQ(report.cases[5].status, inconclusive) << "another way to fail than the listed one";
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("zzz"), std::string::npos);
}

}  // namespace
}  // namespace tiebreak
