// SPDX-License-Identifier: Apache-2.0
// One defect is one cause, over all failing cases together. What leaves a value undefined is no cause of it, and conforming cases are not
// contradicted.
#include "testsuite/case/op_program.hpp"
#include "testsuite/check/check.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/report/report_causes.hpp"
#include "testsuite/unit/helpers/command_run.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"
#include "testsuite/unit/helpers/text_tensor.hpp"

namespace tiebreak {
namespace {

Profile changed_profile(const std::string& name, const std::map<std::string, std::string>& choices) {
  Profile profile = **pages().find_profile(name);
  for (const auto& [key, alternative] : choices) profile.choices[key] = ProfileValue{.alternative = alternative};
  return profile;
}

Case quantize(const std::string& name, const std::vector<const char*>& x) {
  OpInputs call;
  call.op = "onnx.QuantizeLinear";
  call.inputs = {{"x", text_tensor("f32", {static_cast<std::int64_t>(x.size())}, x)},
                 {"y_scale", text_tensor("f32", {}, {"1"})},
                 {"y_zero_point", text_tensor("u8", {}, {"10"})}};
  Case test;
  EXPECT_TRUE(build_op_case(pages(), std::move(call), test));
  test.id = "onnx.QuantizeLinear/" + name;
  return test;
}

CheckReport checked(const std::vector<Case>& cases, const Profile& does, const std::string& expected, int jobs = 1) {
  PlantedBackend backend(pages(), does);
  CheckOptions options;
  options.profile = expected;
  options.jobs = jobs;
  auto report = check(pages(), cases, backend, options);
  EXPECT_TRUE(report.has_value());
  EXPECT_EQ(report_json(*parse_report(report_json(*report), "report.json")), report_json(*report)) << "what is written is read back";
  return *report;
}

// Each of the first cases alone has several explanations: halves up or away above zero, up or toward zero below.
std::vector<Case> halves() { return {quantize("above", {"0.5", "2.5"}), quantize("below", {"-1.5", "-3.5"}), quantize("plain", {"1", "7.25"})}; }

TEST(CommonCause, AllFailingCasesTogetherHaveTheOneThatExplainsEach) {
  const Profile up = changed_profile("onnx", {{"onnx.QuantizeLinear/tie", "up"}});
  const CheckReport report = checked(halves(), up, "onnx");
  ASSERT_EQ(report.causes.size(), 1u) << causes_text(report);
  EXPECT_EQ(report.causes[0].words(), "rounds halves up where the profile rounds them to even");
  EXPECT_EQ(report.causes[0].cases.size(), 2u);
  EXPECT_EQ(report.causes[0].agreeing, 1u);
  EXPECT_EQ(causes_text(report).rfind("one cause explains every failing case\n  rounds halves up", 0), 0u) << causes_text(report);
  for (const CaseReport& test : report.cases) {
    if (test.status != CaseStatus::fail) continue;
    EXPECT_EQ(cause_word(*test.diagnosis), "tie=up") << test.id;
  }
  EXPECT_EQ(report_json(checked(halves(), up, "onnx", 4)), report_json(report)) << "whatever the number of workers";
}

TEST(CommonCause, AConformingCaseRefutesWhatTheFailingOnesAllow) {
  // 0.5 alone: up or away. -0.5, which away moves and up does not, conforms.
  const Profile up = changed_profile("onnx", {{"onnx.QuantizeLinear/tie", "up"}});
  const CheckReport report = checked({quantize("above", {"0.5"}), quantize("below", {"-0.5"})}, up, "onnx");
  ASSERT_EQ(report.causes.size(), 1u);
  ASSERT_GE(report.causes[0].readings.size(), 2u) << "the failing case allows several";
  EXPECT_EQ(report.causes[0].words(), "rounds halves up where the profile rounds them to even");
  EXPECT_EQ(report.causes[0].readings[0].against, 0u);
  EXPECT_GT(report.causes[0].readings.back().against, 0u);
}

TEST(CommonCause, TwoDefectsAreTwoChanges) {
  const Profile both = changed_profile("onnx", {{"onnx.QuantizeLinear/tie", "zero"}, {"onnx.QuantizeLinear/quotient", "reciprocal"}});
  const std::vector<const char*> beside{"0x1.8cccccp+0", "0x1.a00002p+1", "0.75", "1.5"};
  Case test = quantize("both", beside);
  test.inputs[1] = text_tensor("f32", {}, {"0x1.99999ap-4"});
  const CheckReport report = checked({test, quantize("cut", {"1.75"})}, both, "onnx");
  ASSERT_EQ(report.causes.size(), 1u) << causes_text(report);
  EXPECT_LE(report.causes[0].readings[0].clauses.size(), 2u);
  EXPECT_EQ(report.causes[0].cases.size(), 2u);
}

TEST(CommonCause, TheRestIsNamedWithoutOne) {
  const Profile up = changed_profile("onnx", {{"onnx.QuantizeLinear/tie", "up"}});
  PlantedBackend backend(pages(), up);
  backend.disturb = [](const ExchangeCase& asked, Tensor& answer) {
    if (asked.id.ends_with("plain")) answer.set_code(0, 99);
  };
  CheckOptions options;
  options.profile = "onnx";
  const auto report = check(pages(), halves(), backend, options);
  ASSERT_TRUE(report.has_value());
  ASSERT_EQ(report->causes.size(), 1u);
  EXPECT_NE(causes_text(*report).find("onnx.QuantizeLinear: 2 failing cases of 3\n"), std::string::npos) << causes_text(*report);
  EXPECT_NE(causes_text(*report).find("not explained: 1 failing case: onnx.QuantizeLinear/plain\n"), std::string::npos) << causes_text(*report);
}

TEST(CommonCause, UndefinedExplainsNoNumber) {
  // The profile states the code of a quotient that is no number; `onnx` leaves it open, which explains no other code.
  const Case test = quantize("nan", {"nan", "1"});
  const Profile& expected = **pages().find_profile("onnxruntime-x64");
  const auto expectation = *evaluate({pages(), expected}, test.program, test.inputs);
  ASSERT_FALSE(expectation[0].is_undefined(0));
  const Diagnosis found = diagnose({pages(), expected}, test, expectation, {text_tensor("u8", {2}, {"77", "11"})});
  EXPECT_FALSE(found.explains) << to_lines(found)[0];
  EXPECT_EQ(found.explained, 1u);
  const Diagnosis stated = diagnose({pages(), expected}, test, expectation, {text_tensor("u8", {2}, {"255", "11"})});
  EXPECT_TRUE(stated.explains) << "where some semantics states the number";
}

TEST(CommonCause, WhatWasNotAskedForNeedsNoExplanation) {
  // `onnx` leaves the first element open. The tie beside it is explained by semantics that leave it open as well.
  const CheckReport report = checked({quantize("open", {"nan", "0.5", "-1.5"})}, changed_profile("onnx", {{"onnx.QuantizeLinear/tie", "up"}}), "onnx");
  ASSERT_EQ(report.causes.size(), 1u);
  EXPECT_EQ(cause_word(*report.cases[0].diagnosis), "tie=up");
}

TEST(CommonCause, OfProfilesTheOneWithTheFewestClausesIsNamed) {
  const Profile away = changed_profile("onnx", {{"onnx.QuantizeLinear/tie", "away"}});
  const CheckReport report = checked({quantize("ties", {"0.5", "2.5", "-0.5", "-2.5"})}, away, "onnx");
  ASSERT_EQ(report.causes.size(), 1u);
  EXPECT_EQ(report.causes[0].readings[0].clauses.size(), 1u);
  EXPECT_EQ(report.causes[0].readings[0].name, "onnx but tie=away");
}

TEST(CommonCause, ShardsShareWhatExplainsBoth) {
  const Profile up = changed_profile("onnx", {{"onnx.QuantizeLinear/tie", "up"}});
  const std::vector<Case> cases = halves();
  const CheckReport first = checked({cases[0]}, up, "onnx"), second = checked({cases[1]}, up, "onnx");
  const auto merged = merge_reports({{"a.json", first}, {"b.json", second}}, false);
  ASSERT_TRUE(merged.has_value());
  ASSERT_EQ(merged->causes.size(), 1u) << causes_text(*merged);
  EXPECT_EQ(merged->causes[0].words(), "rounds halves up where the profile rounds them to even");
  EXPECT_EQ(merged->causes[0].cases.size(), 2u);
  for (const CaseReport& test : merged->cases) EXPECT_EQ(cause_word(*test.diagnosis), "tie=up") << test.id;
}

class CommandCommonCause : public CommandTest {
 protected:
  CommandOutcome checked(const std::string& fault, const std::string& profile, const std::vector<std::string>& sources,
                         const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"check"};
    words.insert(words.end(), sources.begin(), sources.end());
    for (const std::string& word : {std::string("--backend"), std::string("faulty"), std::string("--backend-option=--fault"), "--backend-option=" + fault,
                                    std::string("--profile"), profile})
      words.push_back(word);
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(CommandCommonCause, HalfUpForHalfAwayIsOneCause) {
  const CommandOutcome outcome = checked("half-up", "armnn-cpuref", {quantize_cases()}, {"--html", path("r.html"), "--markdown", path("r.md")});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const std::string words = "rounds halves up where the profile rounds them away from zero";
  const std::size_t heading = outcome.out.find("one cause explains every failing case\n  " + words + "\n");
  ASSERT_NE(heading, std::string::npos) << outcome.out;
  EXPECT_LT(heading, outcome.out.find("FAIL ")) << "it stands first";
  EXPECT_NE(read("r.html").find(words), std::string::npos);
  EXPECT_NE(read("r.md").find(words), std::string::npos);
}

TEST_F(CommandCommonCause, OneDefectOfSeveralOpsIsOneCause) {
  const std::string pages = TIEBREAK_SOURCE_DIR "/spec/onnx/";
  const CommandOutcome outcome =
      checked("half-away", "onnxruntime-x64", {pages + "QuantizeLinear.md", pages + "QLinearConv.md", pages + "QLinearMatMul.md"}, {"-k", "*/example-*"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("  rounds halves away from zero where the profile rounds them to even\n      onnx.Q"), std::string::npos)
      << outcome.out.substr(0, 3000);
}

TEST_F(CommandCommonCause, AWrongMultiplierIsNamedByItsFormula) {
  // The factor of the first column is 1/2 as the profile computes it, and less by an ulp the other way: odd sums lie on a tie, or below it.
  // The other columns tell that order of operations from all others.
  const std::string cases = write("multiplier.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QLinearMatMul", "cases": [ { "name": "factor", "inputs": {
    "a": {"type": "u8", "shape": [4, 1], "data": [1, 3, 5, 7]}, "a_scale": {"type": "f32", "shape": [], "data": ["0x1.99999ap-4"]}, "a_zero_point": {"type": "u8", "shape": [], "data": [0]},
    "b": {"type": "i8", "shape": [1, 3], "data": [1, 1, 1]}, "b_scale": {"type": "f32", "shape": [3], "data": ["0x1.7a5abcp-2", "0x1.689e7ep+4", "0x1.bb6254p+4"]}, "b_zero_point": {"type": "i8", "shape": [3], "data": [0, 0, 0]},
    "y_scale": {"type": "f32", "shape": [], "data": ["0x1.2eaefep-4"]}, "y_zero_point": {"type": "u8", "shape": [], "data": [9]} } } ] })");
  const CommandOutcome outcome = checked("multiplier", "onnxruntime-x64", {cases});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("takes requantize.multiplier=f32_left, each.f32(a / c * b), where the profile takes "
                             "requantize.multiplier=f32, each.f32(a * b / c)"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find(" b_scale=0x1.7a5abcp-2"), std::string::npos) << "the column's own scale\n" << outcome.out;
  EXPECT_NE(outcome.out.find(" accumulator=3 "), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace tiebreak
