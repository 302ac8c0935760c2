// SPDX-License-Identifier: Apache-2.0
// Formulas of several operations with places that have no value, and with branches that would be errors if they were asked for.
#include <fmt/format.h>

#include "interpreter/stairs/staircase.hpp"
#include "testsuite/unit/equal/compared_programs.hpp"

namespace tiebreak {
namespace {

std::string clipped(const std::string& name, const std::string& body, const std::string& to) {
  return fmt::format(
      "func.func @{}(%x: tensor<f32>) -> tensor<{}> {{\n  %lo = stablehlo.constant dense<0.0> : tensor<f32>\n  %hi = stablehlo.constant dense<10.0> : "
      "tensor<f32>\n{}  %y = \"onnx.Cast\"(%c) {{to = {}}} : (tensor<f32>) -> tensor<{}>\n  return %y : tensor<{}>\n}}\n",
      name, to, body, to, to, to);
}

const std::string by_clip = "  %c = \"onnx.Clip\"(%x, %lo, %hi) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>\n";
const std::string by_two =
    "  %d = \"onnx.Max\"(%x, %lo) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n  %c = \"onnx.Min\"(%d, %hi) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n";
const std::string by_wrong_end =
    "  %h = stablehlo.constant dense<9.0> : tensor<f32>\n  %c = \"onnx.Clip\"(%x, %lo, %h) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>\n";

class UndefinedPlaces : public testing::TestWithParam<std::string> {};

/// -0 at a bound of 0 has no value under onnxruntime.
TEST_P(UndefinedPlaces, AreCountedAndDoNotHideTheRest) {
  const auto same = compared(clipped("a", by_clip, GetParam()) + clipped("b", by_two, GetParam()), {}, "onnxruntime-x64");
  ASSERT_TRUE(same) << to_text(same.error());
  EXPECT_EQ(same->verdict, Verdict::equal) << programs_text(*same);
  EXPECT_TRUE(same->classes.front().verdict.counted) << programs_text(*same);
  const auto other = compared(clipped("a", by_clip, GetParam()) + clipped("b", by_wrong_end, GetParam()), {}, "onnxruntime-x64");
  ASSERT_TRUE(other) << to_text(other.error());
  EXPECT_EQ(other->verdict, Verdict::differ) << programs_text(*other);
  EXPECT_TRUE(other->classes.front().verdict.counted) << programs_text(*other);
}

/// Machine lanes, and stairs, against the exact engine.
TEST_P(UndefinedPlaces, AreThoseOfTheExactEngine) {
  const auto known = known_programs(clipped("a", by_clip, GetParam()) + clipped("b", by_two, GetParam()), "onnxruntime-x64");
  for (const ProgramFormulas* side : {known->a.get(), known->b.get()}) {
    const auto whole = side->element(0, 0);
    ASSERT_TRUE(whole);
    Formula formula = whole->formula;
    auto function = ScalarFunction::of_formula(std::move(formula), whole->formula.sources.front().name);
    ASSERT_TRUE(function) << to_text(function.error());
    const auto stairs = staircase(*function);
    ASSERT_TRUE(stairs) << to_text(stairs.error());
    EXPECT_NE(stairs->proof, StairProof::sampled) << stairs->reason;
    const OrderedType& input = function->input();
    std::vector<std::int64_t> places{input.first, input.first + 1, -2, -1, 0, 1, 2, 4095, -4096, input.last - 1, input.last};
    for (const char* value : {"-1", "-0.5", "0.5", "1", "1.5", "9.5", "9.75", "10", "10.25", "255", "300", "5.73831721e-42"})
      places.push_back(input.ordinal_below(*Real::parse(value)));
    for (const std::int64_t place : places) {
      const auto lane = function->at(place), exact = function->exactly_at(place);
      ASSERT_TRUE(exact) << to_text(exact.error());
      ASSERT_TRUE(lane) << to_text(lane.error());
      EXPECT_EQ(*lane, *exact) << input.text(place);
      EXPECT_EQ(stairs->at(place), *exact) << input.text(place);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Types, UndefinedPlaces, testing::Values("ui8", "i8", "i32", "ui16", "i4", "i16"));

/// Undefined on a side for every input is nothing that could be equal.
TEST(UndefinedEverywhere, IsNotEqual) {
  const std::string open =
      "func.func @a(%x: tensor<i8>) -> tensor<i8> {\n  %z = stablehlo.constant dense<0> : tensor<i8>\n  %y = stablehlo.divide %x, %z : tensor<i8>\n"
      "  return %y : tensor<i8>\n}\n"
      "func.func @b(%x: tensor<i8>) -> tensor<i8> {\n  return %x : tensor<i8>\n}\n";
  const auto report = compared(open);
  ASSERT_TRUE(report) << to_text(report.error());
  const bool nowhere = static_cast<std::int64_t>(report->classes.front().verdict.undefined) == 256;
  EXPECT_EQ(report->verdict, nowhere ? Verdict::undecided : Verdict::differ) << programs_text(*report);
}

}  // namespace
}  // namespace tiebreak
