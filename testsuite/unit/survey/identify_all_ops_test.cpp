// SPDX-License-Identifier: Apache-2.0
// Every op that a backend lists is asked, with the usual types, and held against what it declares.
#include "testsuite/survey/identify_all_ops.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "testsuite/case/default_element_types.hpp"
#include "testsuite/identify/identify_cases.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"

namespace tiebreak {
namespace {

using State = SurveyRow::State;

class SurveyTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }

  static SurveyedBackend planted(const std::string& follows, const std::string& declares, const std::vector<std::string>& ops) {
    auto backend = std::make_unique<PlantedBackend>(*library, **library->find_profile(follows));
    backend->declared = declares;
    backend->ops = ops;
    SurveyedBackend one;
    one.name = follows;
    one.description = *backend->describe();
    one.backend = std::move(backend);
    return one;
  }

  static Survey surveyed(std::vector<SurveyedBackend> backends, std::uint64_t confirm = 0) {
    SurveyOptions options;
    options.each.confirm = confirm;
    Result<Survey> found = survey(*library, std::move(backends), options);
    EXPECT_TRUE(found) << to_text(found.error());
    return found ? *std::move(found) : Survey{};
  }
  static std::vector<SurveyedBackend> list_of(SurveyedBackend one) {
    std::vector<SurveyedBackend> list;
    list.push_back(std::move(one));
    return list;
  }
  static inline std::shared_ptr<const Library> library;
};

TEST_F(SurveyTest, UsualTypesAreTheMixturesThatTheOpTakes) {
  std::vector<std::string> texts;
  for (const AskedTypes& types : default_element_types(*library, "onnx.MatMulInteger"))
    texts.push_back(short_types(*roles_of(*library, "onnx.MatMulInteger", types)));
  std::ranges::sort(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"A=i8 B=i8", "A=i8 B=u8", "A=u8 B=i8", "A=u8 B=u8"}));
  texts.clear();
  for (const AskedTypes& types : default_element_types(*library, "onnx.QuantizeLinear"))
    texts.push_back(short_types(*roles_of(*library, "onnx.QuantizeLinear", types)));
  EXPECT_EQ(texts, (std::vector<std::string>{"x=f32 -> u8", "x=f32 -> i8"})) << "the page's own types are one of the mixtures";
  EXPECT_TRUE(default_element_types(*library, "quant.mx").empty()) << "no questions, no types";
}

TEST_F(SurveyTest, WhatIsDeclaredAndFollowedIsGreen) {
  Survey found = surveyed(list_of(planted("onednn-x64", "onednn-x64", {"onnx.QuantizeLinear"})), 500);
  ASSERT_FALSE(found.rows.empty());
  for (const SurveyRow& row : found.rows) {
    EXPECT_EQ(row.state, State::declared) << row.types << " " << row.answer << " " << row.counterexample;
    EXPECT_EQ(row.answer, "onednn-x64");
    EXPECT_GE(row.further, 500u);
    EXPECT_EQ(row.different, 0u);
  }
  EXPECT_EQ(found.exit_code(), 0);
}

TEST_F(SurveyTest, AnotherThanTheDeclaredProfileIsAFindingWithACounterexample) {
  Survey found = surveyed(list_of(planted("onednn-x64", "onnxruntime-x64", {"onnx.QuantizeLinear"})));
  ASSERT_FALSE(found.rows.empty());
  EXPECT_EQ(found.rows[0].state, State::other);
  EXPECT_TRUE(found.rows[0].counterexample.starts_with("onnxruntime-x64 explains ")) << found.rows[0].counterexample;
  EXPECT_EQ(found.exit_code(), 1);
  EXPECT_NE(survey_markdown(found).find("**onednn-"), std::string::npos) << survey_markdown(found);
}

/// Rows, windows and ranges of data have no questions; their cases are asked.
TEST_F(SurveyTest, OpsWithoutQuestionsAreAskedTheirCases) {
  Survey found = surveyed(list_of(planted("onnxruntime-x64", "onnxruntime-x64", {"onnx.DynamicQuantizeLinear"})));
  ASSERT_EQ(found.rows.size(), 1u);
  EXPECT_EQ(found.rows[0].types, "cases");
  EXPECT_EQ(found.rows[0].state, State::declared) << found.rows[0].answer << " " << found.rows[0].counterexample;
  EXPECT_GT(found.rows[0].answers, 100u);
}

/// A result whose type the op leaves open is stated by the cases; a profile without a choice of the op takes it as the reference does.
TEST_F(SurveyTest, OpsWithAnOpenResultAndProfilesWithoutAChoice) {
  Survey found = surveyed(list_of(planted("onednn-x64", "onednn-x64", {"onnx.Cast", "tosa.RESCALE"})));
  ASSERT_EQ(found.rows.size(), 2u);
  for (const SurveyRow& row : found.rows) {
    EXPECT_EQ(row.types, "cases") << row.op;
    EXPECT_EQ(row.state, State::declared) << row.op << " " << row.answer << " " << row.counterexample;
  }
}

TEST_F(SurveyTest, RefusalsAreOneRowAndSayWhy) {
  SurveyedBackend silent = planted("onnx", "onnx", {"onnx.QuantizeLinear"});
  static_cast<PlantedBackend&>(*silent.backend).refuses_everything = true;
  Survey found = surveyed(list_of(std::move(silent)));
  ASSERT_EQ(found.rows.size(), 1u);
  EXPECT_EQ(found.rows[0].state, State::unanswered);
  EXPECT_EQ(found.rows[0].note, "unsupported: refused");
  EXPECT_EQ(found.exit_code(), 5);
}

TEST_F(SurveyTest, BackendsStandInTheirOrderAndOneThatCannotBeAskedSaysSo) {
  std::vector<SurveyedBackend> backends;
  backends.push_back(planted("xnnpack-x64", "xnnpack-x64", {"onnx.QuantizeLinear"}));
  SurveyedBackend absent;
  absent.name = "absent";
  absent.trouble = "its library is not installed";
  backends.push_back(std::move(absent));
  backends.push_back(planted("onnxruntime-x64", "onnxruntime-x64", {"onnx.Quantize*"}));
  Survey found = surveyed(std::move(backends));
  std::string text = survey_text(found);
  EXPECT_LT(text.find("xnnpack-x64 1, declares"), text.find("absent  not asked: its library"));
  EXPECT_LT(text.find("absent"), text.find("onnxruntime-x64 1, declares"));
  EXPECT_EQ(found.exit_code(), 5);
  EXPECT_EQ(survey_markdown(found), survey_markdown(found));
  EXPECT_EQ(survey_markdown(found).find("seconds"), std::string::npos);
  EXPECT_NE(survey_json(found).find("\"tiebreak.survey/1\""), std::string::npos);
}

}  // namespace
}  // namespace tiebreak
