// SPDX-License-Identifier: Apache-2.0
// Two readings side by side: which steps are paired, where values part, and which choice alone makes the difference.
#include <gtest/gtest.h>

#include "interpreter/evaluate/explain_difference.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

TraceStep step(const std::string& text, const std::string& value, int depth = 0, const std::string& choice = "") {
  return {text, value, "", "page:1", choice, depth};
}

TEST(ExplainDifference, StepsArePairedInOrderAndResultsAlways) {
  const std::vector<TraceStep> first{step("x", "5", 2), step("x * m", "2.5", 1), step("rne(v)", "2"), step("sat.y(c)", "2")};
  const std::vector<TraceStep> second{step("x", "5", 2), step("f32(x)", "5", 2), step("x * m", "2.5", 1), step("rna(v)", "3")};
  const std::vector<TraceRow> rows = align(first, second);
  std::vector<std::pair<int, int>> pairs;
  for (const TraceRow& row : rows) pairs.emplace_back(row.first, row.second);
  EXPECT_EQ(pairs, (std::vector<std::pair<int, int>>{{0, 0}, {-1, 1}, {1, 2}, {2, -1}, {3, 3}}));
}

TEST(ExplainDifference, AmongEqualFormulasTheOnesOfEqualValueArePaired) {
  const std::vector<TraceStep> first{step("f(v)", "7"), step("y", "0")};
  const std::vector<TraceStep> second{step("f(v)", "3"), step("f(v)", "7"), step("y", "0")};
  const std::vector<TraceRow> rows = align(first, second);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].first, -1);
  EXPECT_EQ(rows[1].second, 1);
}

TEST(ExplainDifference, AnEmptyTraceHasNoPairs) {
  EXPECT_TRUE(align({}, {}).empty());
  EXPECT_EQ(align({}, {step("y", "0")}).size(), 1u);
}

const Pages toy_page{{"t/q",
                      "op t.q(x: f32, s: f32[], z: u8[] = 0) -> y: u8\nstructure elementwise(x)\n"
                      "choice quotient: divide = f32(x / s) | reciprocal = f32(x * f32(1 / s))\n"
                      "choice tie(v): even = rne(v) | away = rna(v) | up = rhu(v)\n"
                      "choice order:\n    after  = tie(quotient) + z\n  | before = tie(quotient + z)\n"
                      "y = sat.y(order)\n"}};
const std::map<std::string, std::string> toy_profiles{
    {"away", R"({"name": "away", "extends": "reference", "title": "t", "system": "t", "versions": "1", "isa": [], "sources": ["s"],
                 "choices": {"t.q/tie": "away", "t.q/quotient": "reciprocal"}})"},
    {"before", R"({"name": "before", "extends": "reference", "title": "t", "system": "t", "versions": "1", "isa": [], "sources": ["s"],
                   "choices": {"t.q/order": "before"}})"}};

TraceDifference difference_from_reference(const ToyLibrary& toy, const std::string& name, const OpCall& call) {
  const Profile& first = **toy.library->find_profile("reference");
  const Profile& second = **toy.library->find_profile(name);
  auto difference = explain_difference(*toy.library, {first, call}, {second, call}, 0, 0);
  EXPECT_TRUE(difference) << to_text(difference.error());
  return difference.value_or(TraceDifference{});
}

TEST(ExplainDifference, TheFirstStepWithOtherValuesIsNamedWithBothChoices) {
  ToyLibrary toy(toy_page, toy_profiles);
  OpCall call{.op = "t.q", .operands = {tensor_of("f32", {1}, {"2.5"}), tensor_of("f32", {}, {"1"})}};
  const TraceDifference away = difference_from_reference(toy, "away", call);
  ASSERT_TRUE(away.parts);
  const TraceRow& row = away.rows[*away.parts];
  EXPECT_EQ(away.first[static_cast<std::size_t>(row.first)].choice, "tie=even");
  EXPECT_EQ(away.second[static_cast<std::size_t>(row.second)].choice, "tie=away");
  EXPECT_EQ(away.first_result, "2");
  EXPECT_EQ(away.second_result, "3");
  ASSERT_EQ(away.readings.size(), 2u);
  EXPECT_EQ(away.readings[0].key, "t.q/quotient");
  EXPECT_EQ(away.readings[0].alone, "2") << "the reciprocal of one changes nothing";
  EXPECT_EQ(away.readings[1].key, "t.q/tie");
  EXPECT_EQ(away.readings[1].alone, "3");
}

TEST(ExplainDifference, EqualReadingsPartNowhere) {
  ToyLibrary toy(toy_page, toy_profiles);
  OpCall call{.op = "t.q", .operands = {tensor_of("f32", {1}, {"2.25"}), tensor_of("f32", {}, {"1"}), tensor_of("u8", {}, {"3"})}};
  const TraceDifference before = difference_from_reference(toy, "before", call);
  // The rounding is of another value (2.25 and 5.25) though the results agree: that is where they part, and they meet again.
  ASSERT_TRUE(before.parts);
  EXPECT_EQ(before.first_result, before.second_result);
  const TraceDifference same = difference_from_reference(toy, "reference", call);
  EXPECT_FALSE(same.parts);
  EXPECT_TRUE(same.readings.empty());
}

}  // namespace
}  // namespace tiebreak
