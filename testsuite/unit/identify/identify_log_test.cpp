// SPDX-License-Identifier: Apache-2.0
// Logs: which reading of a profile counts, who is named first, and that the parameters of the log decide.
#include "testsuite/identify/identify_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "testsuite/candidates/likelihood.hpp"
#include "testsuite/candidates/reading_within.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

LogIdentification identified(const std::string& text) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("tiebreak_log_" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << text;
  Result<ObservedLog> log = read_observations(pages(), {}, path.string());
  std::filesystem::remove(path);
  EXPECT_TRUE(log) << to_text(log.error());
  if (!log) return {};
  Result<LogIdentification> found = identify_log(pages(), *log, {});
  EXPECT_TRUE(found) << to_text(found.error());
  return found ? *found : LogIdentification{};
}

bool explains(const Identification& found, const std::string& name) {
  return std::ranges::any_of(found.explaining, [&](const Explanation& one) { return std::ranges::find(one.members, name) != one.members.end(); });
}

std::string requantize_log(const std::string& further, const std::string& outputs) {
  return R"({"schema": "tiebreak.observations/1", "op": "quant.requantize", )" + further +
         R"("types": {"acc": "i32", "x_scale": "f32", "w_scale": "f32", "y_scale": "f32"}, "parameters": {"x_scale": 1, "w_scale": 1, "y_scale": 4},
            "observations": [{"inputs": {"acc": [2, 6, 10]}, "outputs": {"y": )" +
         outputs + "}}]}";
}

/// LiteRT's QUANTIZE rounds twice in fixed point, its convolutions compute in f32 and round to even.
TEST(IdentifyLog, AConvolutionIsNotJudgedByAnotherOp) {
  const Profile& plain = **pages().find_profile("litert-xnnpack");
  const Profile inside = reading_within({pages(), plain}, "quant.requantize", "onnx.QLinearConv");
  EXPECT_EQ(plain.choices.at("quant.requantize/code").alternative, "integer");
  EXPECT_EQ(inside.choices.at("quant.requantize/code").alternative, "f32");
  EXPECT_EQ(inside.choices.at("quant.requantize/multiplier").alternative, "f32_below_256");
  EXPECT_TRUE(uses_step(pages(), "onnx.QLinearConv", "quant.requantize"));
  EXPECT_FALSE(uses_step(pages(), "onnx.QuantizeLinear", "quant.requantize"));

  const LogIdentification convolution = identified(requantize_log(R"("within": "onnx.QLinearConv", )", "[0, 2, 2]"));
  ASSERT_EQ(convolution.parts.size(), 1U);
  EXPECT_TRUE(explains(convolution.parts[0], "litert-xnnpack in onnx.QLinearConv"));
  EXPECT_FALSE(explains(convolution.parts[0], "litert-xnnpack"));
  const LogIdentification unstated = identified(requantize_log("", "[0, 2, 2]"));
  EXPECT_TRUE(explains(unstated.parts[0], "litert-xnnpack in onnx.QLinearConv")) << "both readings are candidates";
  EXPECT_FALSE(explains(unstated.parts[0], "litert-xnnpack")) << "QUANTIZE gives 1 for the first";
  const LogIdentification wrong = identified(requantize_log(R"("within": "onnx.QLinearConv", )", "[1, 2, 3]"));
  EXPECT_FALSE(explains(wrong.parts[0], "litert-xnnpack in onnx.QLinearConv"));
}

TEST(IdentifyLog, ThePagesOwnOpMustUseTheStep) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("tiebreak_within_" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << requantize_log(R"("within": "onnx.QuantizeLinear", )", "[0, 2, 2]");
  Result<ObservedLog> log = read_observations(pages(), {}, path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(log);
  const Result<LogIdentification> found = identify_log(pages(), *log, {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "onnx.QuantizeLinear does not use quant.requantize");
}

/// The stated system's profile is named first; without one the alphabet does not decide.
TEST(IdentifyLog, TheLikeliestSystemIsNamedFirst) {
  for (const char* system : {"xnnpack", "pytorch", "onnxruntime"}) {
    const LogIdentification found = identified(requantize_log(std::string(R"("system": ")") + system + R"(", )", "[0, 2, 2]"));
    ASSERT_FALSE(found.parts[0].explaining.empty());
    const std::string name = found.parts[0].explaining[0].name;
    const Result<const Profile*> profile = pages().find_profile(name.substr(0, name.find(' ')));
    ASSERT_TRUE(profile) << name;
    EXPECT_EQ((*profile)->system, system) << name;
  }
}

TEST(IdentifyLog, SharesOfSystemsDecideByTheRuleOfSuccession) {
  std::vector<Candidate> candidates;
  for (const char* name : {"aimet", "onnxruntime-arm64", "qnnpack-q31", "qnnpack-fp32", "qnnpack-precise", "reference"})
    candidates.push_back({name, {name}, **pages().find_profile(name)});
  const auto order = [&](const std::vector<std::string>& explaining, const std::string& system) {
    std::vector<std::string> names;
    LikelihoodQuestion question{
        {"quant.requantize"}, system, {}, [&](const Candidate& one) { return std::ranges::find(explaining, one.name) != explaining.end(); }};
    for (const Candidate& one : likeliest_first(pages(), candidates, question)) names.push_back(one.name);
    return names;
  };
  EXPECT_EQ(order({"onnxruntime-arm64", "qnnpack-q31", "qnnpack-fp32", "qnnpack-precise", "reference"}, "")[0], "qnnpack-fp32")
      << "three of three before one of one";
  EXPECT_EQ(order({"onnxruntime-arm64", "qnnpack-q31", "reference"}, "")[0], "onnxruntime-arm64") << "one of one before one of three";
  EXPECT_EQ(order({"onnxruntime-arm64", "qnnpack-q31", "reference"}, "qnnpack")[0], "qnnpack-q31");
  EXPECT_EQ(order({"qnnpack-q31", "reference"}, "")[1], "reference") << "no system's";
}

/// At scale 1 every accumulator is its own code: nothing that is left differs there, and other scales would tell.
TEST(IdentifyLog, WhatIsEqualAtTheseParametersIsSaid) {
  std::string text = requantize_log("", "[2, 6, 10]");
  text.replace(text.find("\"y_scale\": 4"), 12, "\"y_scale\": 1");
  const LogIdentification found = identified(text);
  const Identification& one = found.parts[0];
  EXPECT_EQ(one.verdict, Identification::Verdict::several);
  EXPECT_EQ(found.exit_code(), 5);
  EXPECT_TRUE(std::ranges::any_of(one.explaining, [](const Explanation& other) {
    return other.relation.starts_with("equal on all 4294967296 values of acc at these parameters; other parameters would tell");
  })) << log_text(found, false);
  EXPECT_TRUE(std::ranges::any_of(one.deciding, [](const std::string& question) { return question.ends_with(" (other parameters)"); }))
      << log_text(found, false);
}

}  // namespace
}  // namespace tiebreak
