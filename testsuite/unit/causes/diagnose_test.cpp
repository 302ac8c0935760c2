// SPDX-License-Identifier: Apache-2.0
// The cause under a failing case: named, placed, and not invented.
#include "testsuite/causes/diagnose.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testsuite/case/case.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class Diagnose : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  void SetUp() override {
    OpInputs call;
    call.op = "onnx.QuantizeLinear";
    call.inputs = {{"x", tensor("f32", {6}, {"0.5", "1.5", "2.5", "-0.5", "7", "300"})},
                   {"y_scale", tensor("f32", {}, {"1"})},
                   {"y_zero_point", tensor("u8", {}, {"10"})}};
    ASSERT_TRUE(build_op_case(*library, std::move(call), test));
    expectation = results("onnx");
  }
  static Tensor tensor(const char* type, Shape shape, const std::vector<const char*>& values) {
    Tensor made = *Tensor::zeros({*ElementType::parse(type), std::move(shape), std::nullopt});
    for (std::size_t i = 0; i < values.size(); ++i) made.set_code(static_cast<std::int64_t>(i), *made.element().encode(*Real::parse(values[i])));
    return made;
  }
  std::vector<ResultTensor> results(const std::string& profile) { return *evaluate({*library, **library->find_profile(profile)}, test.program, test.inputs); }
  Diagnosis diagnosed(const std::vector<const char*>& answers, const std::string& declared = "") {
    return diagnose({*library, **library->find_profile("onnx")}, test, expectation, {tensor("u8", {6}, answers)}, declared);
  }
  static inline std::shared_ptr<const Library> library;
  Case test;
  std::vector<ResultTensor> expectation;
};

TEST_F(Diagnose, OneClauseIsNamedWithItsPlaceAndRates) {
  Diagnosis found = diagnosed({"11", "12", "13", "9", "17", "255"});  // halves away from zero
  ASSERT_TRUE(found.explains);
  ASSERT_EQ(found.clauses.size(), 1u);
  EXPECT_EQ(found.clauses[0].choice, "tie");
  EXPECT_EQ(found.clauses[0].expected, "even");
  EXPECT_EQ(found.clauses[0].found, "away");
  EXPECT_NE(found.clauses[0].place.find("QuantizeLinear.md:"), std::string::npos);
  EXPECT_EQ(found.observed, 3u);
  EXPECT_EQ(found.predicted, 3u);
  EXPECT_NE(found.domain.find("values of x"), std::string::npos) << found.domain;
  EXPECT_EQ(cause_word(found), "tie=away");
}

TEST_F(Diagnose, OfProfilesThatExplainTheDeclaredOneIsNamed) {
  const std::vector<const char*> away{"11", "12", "13", "9", "17", "255"};
  const std::string first = diagnosed(away).name;
  std::size_t others = 0;
  for (const auto& [name, profile] : library->profiles()) {
    const auto other = evaluate({*library, profile}, test.program, test.inputs);
    bool explains = other.has_value();
    for (std::int64_t i = 0; explains && i < 6; ++i) explains = other->front().tensor.code(i) == tensor("u8", {6}, away).code(i);
    const Diagnosis found = diagnosed(away, name);
    ASSERT_TRUE(found.explains);
    const auto named = library->profiles().find(found.name);
    const bool same_system = named != library->profiles().end() && named->second.system == profile.system;
    if (explains) EXPECT_EQ(found.name, name);
    else EXPECT_TRUE(found.name == first || same_system) << name << ": " << found.name;
    EXPECT_EQ(found.clauses.size(), 1u) << name;
    others += found.name == name && name != first ? 1 : 0;
  }
  EXPECT_GT(others, 0u) << "more than one profile rounds halves away from zero";
  EXPECT_EQ(diagnosed(away, "no such profile").name, first);
}

TEST_F(Diagnose, WhatNothingExplainsIsSaidToBeSo) {
  Diagnosis found = diagnosed({"77", "12", "99", "9", "17", "255"});
  EXPECT_FALSE(found.explains);
  EXPECT_LT(found.explained, found.of);
  EXPECT_NE(to_lines(found).at(0).find("no profile and no single choice explains it: best "), std::string::npos);
  EXPECT_TRUE(found.clauses.empty());
}

class CommandCause : public CommandTest {};

TEST_F(CommandCause, ReportsNameTheCauseOfThePlantedFault) {
  CommandOutcome outcome = run({"check", quantize_cases(), "--backend", "faulty", "--backend-option=--fault", "--backend-option=half-away", "--profile", "onnx",
                                "--json=" + path("r.json"), "--junit", path("r.xml")});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("parts at tie: expected even, found away  ("), std::string::npos) << outcome.out;
  EXPECT_NE(read("r.xml").find("cause: parts at tie: expected even, found away"), std::string::npos);
  bool found = false;
  nlohmann::json report = nlohmann::json::parse(read("r.json"));
  for (const auto& test : report["cases"]) {
    if (test["status"] != "fail") {
      EXPECT_FALSE(test.contains("cause"));
      continue;
    }
    found = true;
    EXPECT_EQ(test["cause"]["explains"], true);
    EXPECT_EQ(test["cause"]["clauses"][0]["found"], "away");
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace tiebreak
