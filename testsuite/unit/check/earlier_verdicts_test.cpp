// SPDX-License-Identifier: Apache-2.0
// What a stored report must share with the run that goes on from it, and which of its verdicts it has whole.
#include "testsuite/check/earlier_verdicts.hpp"

#include <gtest/gtest.h>

namespace tiebreak {
namespace {

const std::map<std::string, std::string> context{{"backend", "b"},   {"backend_isa", "avx2"},  {"backend_version", "1"},
                                                 {"engine", "fast"}, {"policy", "exact"},      {"profile", "onnx"},
                                                 {"seed", "0"},      {"tool_version", "0.1.0"}};

ModelReport model(const std::string& digest, const std::string& input) {
  ModelReport model;
  model.name = "net";
  model.digest = digest;
  model.inputs = {{"x", "tensor<1xf32>", "", input}};
  return model;
}

EarlierVerdicts earlier() {
  CheckReport report;
  report.context = context;
  report.context["command"] = "tiebreak check";
  report.op_hashes.emplace()["onnx.Add"] = "1";
  report.models = {model("m", "i")};
  for (const CaseStatus status : every_status) {
    CaseReport& test = report.cases.emplace_back();
    test.id = to_word(status);
    test.status = status;
  }
  Comparison comparison;
  comparison.different = 5;
  comparison.first.resize(3);
  report.cases.front().outputs = {{"y", comparison}};
  return EarlierVerdicts(std::move(report), "r.json");
}

TEST(EarlierVerdicts, EveryEntryThatAVerdictRestsOnMustBeTheSame) {
  EXPECT_TRUE(earlier().agrees_with(context));
  for (const auto& [key, text] : context) {
    auto other = context;
    other[key] = "other";
    const Status changed = earlier().agrees_with(other);
    ASSERT_FALSE(changed) << key;
    EXPECT_EQ(changed.error().what, "the report is of a run with another " + key + ": '" + text + "', and here 'other'");
    EXPECT_EQ(changed.error().where, "r.json");
    other.erase(key);
    EXPECT_FALSE(earlier().agrees_with(other)) << key << " is in the report alone";
  }
  auto more = context;
  more["backend_threads"] = "2";
  EXPECT_FALSE(earlier().agrees_with(more)) << "is in this run alone";
}

TEST(EarlierVerdicts, SoMustPagesModelsAndInputs) {
  EXPECT_TRUE(earlier().agrees_with_pages({{"onnx.Add", "1"}, {"onnx.Mul", "2"}})) << "an op that the report does not have";
  const std::map<std::string, std::string> other_page{std::pair{"onnx.Add", "3"}};
  EXPECT_EQ(earlier().agrees_with_pages(other_page).error().what, "the report is of a run with another page of onnx.Add: '1', and here '3'");
  EXPECT_TRUE(earlier().agrees_with_model(model("m", "i")));
  EXPECT_NE(earlier().agrees_with_model(model("n", "i")).error().what.find("another model net"), std::string::npos);
  EXPECT_NE(earlier().agrees_with_model(model("m", "j")).error().what.find("another input x"), std::string::npos);
  ModelReport other = model("m", "i");
  other.name = "other";
  EXPECT_NE(earlier().agrees_with_model(other).error().what.find("no model 'other'"), std::string::npos);
  other = model("m", "i");
  other.inputs.clear();
  EXPECT_FALSE(earlier().agrees_with_model(other));
}

TEST(EarlierVerdicts, AVerdictIsOneOnValuesAndWithAsManyMismatchesAsAreWanted) {
  const EarlierVerdicts known = earlier();
  for (const CaseStatus status : every_status) {
    const bool judged =
        status == CaseStatus::conform || status == CaseStatus::fail || status == CaseStatus::not_declared || status == CaseStatus::nothing_compared;
    EXPECT_EQ(known.judged(to_word(status), 3) != nullptr, judged) << to_word(status);
  }
  const char* with_output = to_word(every_status[0]);
  EXPECT_EQ(known.judged(with_output, 4), nullptr) << "one of five is missing";
  EXPECT_EQ(known.judged(with_output, 2), nullptr) << "one is too many";
  EXPECT_EQ(known.judged("none", 3), nullptr);
}

}  // namespace
}  // namespace tiebreak
