// SPDX-License-Identifier: Apache-2.0
// A backend that takes another order conforms where the profile leaves the order open, and fails where it is bound. A value that no order gives fails.
#include <gtest/gtest.h>

#include "testsuite/check/check.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

Case reduce_case(const std::string& op, const std::string& type, const std::string& items, const std::string& start, std::size_t n) {
  const std::string text = "// %x: " + items + "\n// %s: " + start + "\n%r = \"stablehlo.reduce\"(%x, %s) ({\n  ^bb0(%a: tensor<" + type + ">, %b: tensor<" +
                           type + ">):\n    %0 = \"stablehlo." + op + "\"(%a, %b) : (tensor<" + type + ">, tensor<" + type + ">) -> tensor<" + type +
                           ">\n    \"stablehlo.return\"(%0) : (tensor<" + type + ">) -> ()\n}) {dimensions = array<i64: 0>} : (tensor<" + std::to_string(n) +
                           "x" + type + ">, tensor<" + type + ">) -> tensor<" + type + ">\n";
  Result<Case> test = case_from_example(text, "test.md", 1);
  EXPECT_TRUE(test.has_value()) << (test ? "" : to_text(test.error()));
  return *test;
}

Profile with_order(const std::string& order) {
  Profile profile = **pages().find_profile("stablehlo-spec");
  profile.choices["stablehlo.reduce/order"] = ProfileValue{.alternative = order};
  return profile;
}

CaseReport judged_under(const Case& test, const std::string& order, const std::string& profile, std::uint64_t flipped = 0) {
  PlantedBackend backend(pages(), with_order(order));
  if (flipped != 0) backend.disturb = [=](const ExchangeCase&, Tensor& tensor) { tensor.set_code(0, tensor.code(0) ^ flipped); };
  CheckOptions options;
  options.profile = profile;
  options.diagnose = false;
  auto report = check(pages(), {test}, backend, options);
  EXPECT_TRUE(report.has_value());
  // What is written is read back.
  EXPECT_EQ(report_json(*parse_report(report_json(*report), "report.json")), report_json(*report));
  return report->cases.at(0);
}

const char* const q8 = "!quant.uniform<i8:f32, 0.5>";

TEST(OpenOrders, AnotherOrderConforms) {
  const Case test = reduce_case("add", q8, "[100, 100, -50, 7]", "0", 4);
  const CaseReport open = judged_under(test, "backward", "stablehlo-spec");
  EXPECT_EQ(open.status, CaseStatus::conform) << open.reason;
  EXPECT_EQ(open.outputs.at(0).second.right, 1);
  ASSERT_EQ(open.notes.size(), 1U);
  EXPECT_NE(open.notes[0].find("127 is one of {84, 127}"), std::string::npos) << open.notes[0];
  EXPECT_EQ(judged_under(test, "backward", "reference").status, CaseStatus::fail) << "there the order is bound";
  EXPECT_EQ(judged_under(test, "forward", "reference").status, CaseStatus::conform);
}

TEST(OpenOrders, AValueOutsideFails) {
  const Case test = reduce_case("add", q8, "[100, 100, -50, 7]", "0", 4);
  const CaseReport report = judged_under(test, "backward", "stablehlo-spec", 1);
  EXPECT_EQ(report.status, CaseStatus::fail);
  ASSERT_FALSE(report.outputs.at(0).second.first.empty());
  EXPECT_EQ(report.outputs[0].second.first[0].right, "{84, 127}");
}

TEST(OpenOrders, LongFloatSumsAreJudgedByTheirBound) {
  std::string items = "[16777216.0";
  for (int i = 1; i < 200; ++i) items += i % 3 == 0 ? ", 1.0" : ", 0.375";
  const Case test = reduce_case("add", "f32", items + "]", "0.0", 200);
  EXPECT_EQ(judged_under(test, "backward", "stablehlo-spec").status, CaseStatus::conform);
  EXPECT_EQ(judged_under(test, "backward", "stablehlo-spec").outputs.at(0).second.right, 1);
  EXPECT_EQ(judged_under(test, "backward", "reference").status, CaseStatus::fail);
  EXPECT_EQ(judged_under(test, "backward", "stablehlo-spec", 0x800000).status, CaseStatus::fail) << "twice or half as much";
}

TEST(OpenOrders, WhatIsNotKnownToBeWrongIsInconclusive) {
  const Case test = reduce_case("subtract", "i32", "[1, 2, 4]", "16", 3);
  const CaseReport report = judged_under(test, "lanes", "stablehlo-spec");
  EXPECT_EQ(report.status, CaseStatus::inconclusive) << report.reason;
  EXPECT_EQ(judged_under(test, "backward", "stablehlo-spec").status, CaseStatus::conform) << "one of the orders that the profile names";
  EXPECT_EQ(judged_under(test, "forward", "stablehlo-spec").status, CaseStatus::conform);
}

}  // namespace
}  // namespace tiebreak
