// SPDX-License-Identifier: Apache-2.0
// Programs cut at values that both compute alike: what is said of the rest holds for the whole, and never more than that.
#include <fmt/format.h>

#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/unit/equal/compared_programs.hpp"

namespace tiebreak {
namespace {

/// A contraction of 256 products and what follows it, on i32 accumulators.
std::string contraction(const std::string& name, const std::string& tail, const std::string& types = "i8") {
  return fmt::format(
      "func.func @{0}(%x: tensor<1x256x{2}>, %w: tensor<256x2x{2}>) -> tensor<1x2xi8> {{\n"
      "  %acc = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x256x{2}>, tensor<256x2x{2}>) -> tensor<1x2xi32>\n"
      "  %f = stablehlo.convert %acc : (tensor<1x2xi32>) -> tensor<1x2xf32>\n{1}  return %y : tensor<1x2xi8>\n}}\n",
      name, tail, types);
}

const std::string limits = "  %lo = stablehlo.constant dense<-128.0> : tensor<1x2xf32>\n  %hi = stablehlo.constant dense<127.0> : tensor<1x2xf32>\n";
const std::string rounded_first = limits +
                                  "  %c = stablehlo.constant dense<0.0078125> : tensor<1x2xf32>\n  %m = stablehlo.multiply %f, %c : tensor<1x2xf32>\n"
                                  "  %r = stablehlo.round_nearest_even %m : tensor<1x2xf32>\n  %a = stablehlo.maximum %r, %lo : tensor<1x2xf32>\n"
                                  "  %b = stablehlo.minimum %a, %hi : tensor<1x2xf32>\n  %y = stablehlo.convert %b : (tensor<1x2xf32>) -> tensor<1x2xi8>\n";
std::string clipped_first(const std::string& rounding) {
  return limits + "  %c = stablehlo.constant dense<128.0> : tensor<1x2xf32>\n  %m = stablehlo.divide %f, %c : tensor<1x2xf32>\n" +
         "  %a = stablehlo.maximum %m, %lo : tensor<1x2xf32>\n  %b = stablehlo.minimum %a, %hi : tensor<1x2xf32>\n  %r = stablehlo." + rounding +
         " %b : tensor<1x2xf32>\n  %y = stablehlo.convert %r : (tensor<1x2xf32>) -> tensor<1x2xi8>\n";
}

TEST(CutPrograms, WhatFollowsALongContractionIsAFunctionOfItsAccumulator) {
  const auto report = compared(contraction("a", rounded_first) + contraction("b", clipped_first("round_nearest_even")));
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::equal) << programs_text(*report);
}

/// Ties alone tell the roundings apart; the witness is of the inputs, not of the accumulator.
TEST(CutPrograms, ADifferenceUnderACutIsShownByRealInputs) {
  const std::string text = contraction("a", rounded_first) + contraction("b", clipped_first("round_nearest_afz"));
  ProgramsQuestion question;
  question.limits.samples = 16;
  const auto report = compared(text, question);
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::differ) << programs_text(*report);
  ASSERT_TRUE(report->shown);
  const ElementVerdict& verdict = report->classes[*report->shown].verdict;
  EXPECT_FALSE(verdict.counted);
  for (const auto& [leaf, value] : verdict.witness->inputs) EXPECT_LT(leaf.input, 2U);
  EXPECT_NE(verdict.way.find("other functions of acc"), std::string::npos) << verdict.way;
}

/// acc is never below zero where all factors are not: without the range of its operands the two would differ at half of all accumulators.
TEST(CutPrograms, TheRangeOfTheAccumulatorComesFromItsOperands) {
  const auto pair = [](const std::string& type) {
    const std::string body =
        "  %z = stablehlo.constant dense<0> : tensor<1x2xi32>\n  %p = stablehlo.maximum %acc, %z : tensor<1x2xi32>\n"
        "  %y = stablehlo.convert %p : (tensor<1x2xi32>) -> tensor<1x2xi8>\n";
    return contraction("a", body, type) + contraction("b", "  %y = stablehlo.convert %acc : (tensor<1x2xi32>) -> tensor<1x2xi8>\n", type);
  };
  ProgramsQuestion question;
  question.limits.samples = 64;
  const auto whole = compared(pair("ui8"), question);
  ASSERT_TRUE(whole) << to_text(whole.error());
  EXPECT_EQ(whole->verdict, Verdict::equal) << programs_text(*whole);
  EXPECT_NE(whole->classes.front().verdict.way.find("acc from 0 to 16646400"), std::string::npos) << whole->classes.front().verdict.way;
  const auto with_sign = compared(pair("i8"), question);
  ASSERT_TRUE(with_sign) << to_text(with_sign.error());
  EXPECT_EQ(with_sign->verdict, Verdict::differ) << programs_text(*with_sign);
}

/// Of the even numbers alone: at the odd ones, which never come, the functions differ. That is no difference.
TEST(CutPrograms, ValuesThatNoInputGivesAreNoDifference) {
  const std::string doubled = "  %t = stablehlo.constant dense<2> : tensor<1x2xi32>\n  %d = stablehlo.multiply %acc, %t : tensor<1x2xi32>\n";
  const std::string odd = doubled +
                          "  %o = stablehlo.constant dense<1> : tensor<1x2xi32>\n  %p = stablehlo.and %d, %o : tensor<1x2xi32>\n"
                          "  %y = stablehlo.convert %p : (tensor<1x2xi32>) -> tensor<1x2xi8>\n";
  const std::string zero = doubled +
                           "  %n = stablehlo.subtract %d, %d : tensor<1x2xi32>\n"
                           "  %y = stablehlo.convert %n : (tensor<1x2xi32>) -> tensor<1x2xi8>\n";
  ProgramsQuestion question;
  question.limits.samples = 256;
  const auto report = compared(contraction("a", odd) + contraction("b", zero), question);
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_NE(report->verdict, Verdict::differ) << programs_text(*report);
}

/// A sum of two floats is cut; nan and -0 are among its values.
TEST(CutPrograms, NanAndNegativeZeroArePartOfACut) {
  const auto function = [](const std::string& name, const std::string& body) {
    return "func.func @" + name +
           "(%x: tensor<f32>, %w: tensor<f32>) -> tensor<f32> {\n  %v = stablehlo.multiply %x, %w : tensor<f32>\n"
           "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n" +
           body + "  return %y : tensor<f32>\n}\n";
  };
  const std::string plus_zero = function("a", "  %y = stablehlo.add %v, %z : tensor<f32>\n");
  const std::string minus_zero = function("b", "  %y = stablehlo.subtract %v, %z : tensor<f32>\n");
  const auto zeros = compared(plus_zero + minus_zero);
  ASSERT_TRUE(zeros) << to_text(zeros.error());
  EXPECT_EQ(zeros->verdict, Verdict::differ) << programs_text(*zeros);
  const std::string no_number = function("a", "  %d = stablehlo.subtract %v, %v : tensor<f32>\n  %y = stablehlo.subtract %d, %z : tensor<f32>\n");
  const std::string zero = function("b", "  %d = stablehlo.multiply %z, %z : tensor<f32>\n  %y = stablehlo.add %d, %z : tensor<f32>\n");
  const auto nans = compared(no_number + zero);
  ASSERT_TRUE(nans) << to_text(nans.error());
  EXPECT_EQ(nans->verdict, Verdict::differ) << programs_text(*nans);
}

/// What the profile leaves open is no function of its operands: no cut, and no proof.
TEST(CutPrograms, AChoiceThatIsLeftOpenDecidesNothing) {
  const std::string body =
      "func.func @{}(%x: tensor<1x2xf16>) -> tensor<1x1xf16> {{\n  %m = \"onnx.ReduceMax\"(%x) {{keepdims = 1 : i64}} : (tensor<1x2xf16>) "
      "-> tensor<1x1xf16>\n  %y = stablehlo.{} %m : tensor<1x1xf16>\n  return %y : tensor<1x1xf16>\n}}\n";
  const std::string text = fmt::format(fmt::runtime(body), "a", "negate") + fmt::format(fmt::runtime(body), "b", "negate");
  const auto known = known_programs(text, "onnxruntime-x64");
  EXPECT_NE(left_open(known->first->semantics(), *known->a, 0).why, "");
  EXPECT_TRUE(known->programs->latest.empty());
  const auto settled = known_programs(text, "onnx");
  EXPECT_EQ(left_open(settled->first->semantics(), *settled->a, 0).why, "");
  EXPECT_FALSE(settled->programs->latest.empty());
  // Under ordered zeros both are one formula.
  const std::string swapped =
      "func.func @a(%x: tensor<1x2xf16>) -> tensor<1x1xf16> {\n  %y = \"onnx.ReduceMax\"(%x) {keepdims = 1 : i64} : (tensor<1x2xf16>) -> tensor<1x1xf16>\n"
      "  return %y : tensor<1x1xf16>\n}\n"
      "func.func @b(%x: tensor<1x2xf16>) -> tensor<1x1xf16> {\n  %m = \"onnx.ReduceMax\"(%x) {keepdims = 1 : i64} : (tensor<1x2xf16>) -> tensor<1x1xf16>\n"
      "  %n = stablehlo.negate %m : tensor<1x1xf16>\n  %y = stablehlo.negate %n : tensor<1x1xf16>\n  return %y : tensor<1x1xf16>\n}\n";
  ProgramsQuestion question;
  question.limits.samples = 64;
  const auto open = compared(swapped, question, "onnxruntime-x64");
  ASSERT_TRUE(open) << to_text(open.error());
  EXPECT_NE(open->verdict, Verdict::equal) << programs_text(*open);
}

/// Profiles that read an operation differently do not share its value.
TEST(CutPrograms, ProfilesThatDifferShareNoValue) {
  const std::string text =
      "func.func @a(%x: tensor<2xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<2xf32> {\n"
      "  %q = \"onnx.QuantizeLinear\"(%x, %s, %z) : (tensor<2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>\n"
      "  %y = stablehlo.convert %q : (tensor<2xui8>) -> tensor<2xf32>\n  return %y : tensor<2xf32>\n}\n";
  const auto known = known_programs(text + text.substr(0, 11) + "b" + text.substr(12), "onnx", "onednn-x64-avx2");
  EXPECT_TRUE(known->programs->latest.empty());
}

/// A step on accumulators, and the same written in another way.
std::string step(std::uint64_t kind, int constant, const std::string& from, const std::string& to, bool otherwise) {
  const auto with = [&](const std::string& op, int value, bool swapped) {
    return fmt::format("  %c{0} = stablehlo.constant dense<{1}> : tensor<1x1xi32>\n  %{0} = stablehlo.{2} {3} : tensor<1x1xi32>\n", to, value, op,
                       swapped ? fmt::format("%c{}, %{}", to, from) : fmt::format("%{}, %c{}", from, to));
  };
  switch (kind) {
    case 0: return otherwise ? with("subtract", -constant, false) : with("add", constant, false);
    case 1: return with("maximum", constant, otherwise);
    case 2: return otherwise ? fmt::format("  %{0} = stablehlo.add %{1}, %{1} : tensor<1x1xi32>\n", to, from) : with("multiply", 2, false);
    case 3: return with("minimum", constant, otherwise);
    default: return otherwise ? with("add", 0, true) : with("maximum", -16, true);  // the same where the accumulator never goes below
  }
}

/// Two tails drawn at random behind one sum of products of 2 bits: the same steps in two ways, or others.
std::string drawn_tails(PseudoRandom& random) {
  const bool others = random.below(3) == 0;
  const std::uint64_t steps = 1 + random.below(3);
  std::string text;
  std::vector<std::pair<std::uint64_t, int>> drawn;
  for (const char* name : {"a", "b"}) {
    text += fmt::format(
        "func.func @{}(%x: tensor<1x2xi2>, %w: tensor<2x1xi2>) -> tensor<1x1xi8> {{\n"
        "  %u = stablehlo.convert %x : (tensor<1x2xi2>) -> tensor<1x2xi8>\n  %v = stablehlo.convert %w : (tensor<2x1xi2>) -> tensor<2x1xi8>\n"
        "  %acc = stablehlo.dot_general %u, %v, contracting_dims = [1] x [0] : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi32>\n",
        name);
    if (others) drawn.clear();
    std::string at = "acc";
    for (std::uint64_t s = 0; s < steps; ++s) {
      if (drawn.size() <= s) drawn.emplace_back(random.below(5), static_cast<int>(random.below(13)) - 6);
      text += step(drawn[s].first, drawn[s].second, at, fmt::format("t{}", s), name[0] == 'b');
      at = fmt::format("t{}", s);
    }
    text += fmt::format("  %y = stablehlo.convert %{} : (tensor<1x1xi32>) -> tensor<1x1xi8>\n  return %y : tensor<1x1xi8>\n}}\n", at);
  }
  return text;
}

/// Whatever a cut calls equal is equal on every input.
class RandomTails : public testing::TestWithParam<int> {};

TEST_P(RandomTails, WhatACutCallsEqualIsEqual) {
  PseudoRandom random(static_cast<std::uint64_t>(GetParam()) * 977);
  int equal = 0, differ = 0;
  for (int pair = 0; pair < 20; ++pair) {
    const auto known = known_programs(drawn_tails(random));
    const BruteElements expected = every_element_by_brute_force(*known);
    const ValueId a = known->first->program.outputs.front(), b = known->second->program.outputs.front();
    const bool is_equal = expected.differing.front() == 0;
    ASSERT_LT(expected.undefined.front(), expected.inputs);
    ASSERT_FALSE(known->programs->heavy.empty());
    EXPECT_TRUE(!known->shared.same(a, b) || is_equal);
    for (const CutValues* cuts : {&known->programs->latest, &known->programs->heavy}) {
      ElementQuestion limits_of_cut;
      limits_of_cut.samples = 0;
      const auto classes = compare_by_elements(*known->programs, a, b, cuts, limits_of_cut);
      ASSERT_TRUE(classes) << to_text(classes.error());
      const bool says_equal = classes->front().verdict.verdict == Verdict::equal;
      EXPECT_TRUE(!says_equal || is_equal);
      (says_equal ? equal : differ) += 1;
    }
    const auto report = compare_programs(*known->first, *known->second, {});
    ASSERT_TRUE(report) << to_text(report.error());
    EXPECT_EQ(report->verdict, is_equal ? Verdict::equal : Verdict::differ) << programs_text(*report);
  }
  EXPECT_GT(equal, 0);
  EXPECT_GT(differ, 0);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomTails, testing::Range(1, 4));

}  // namespace
}  // namespace tiebreak
