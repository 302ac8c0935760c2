// SPDX-License-Identifier: Apache-2.0
// Small programs drawn at random: what `equal` says is what running both on every input says, whichever way led to it.
#include <fmt/format.h>

#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/unit/equal/programs.hpp"

namespace tiebreak {
namespace {

const std::string q = "!quant.uniform<i8:f32, 0.05:-7>", p = "!quant.uniform<i8:f32, 0.11:3>";

/// A function of some steps on one input of 8 bits: in real space between a dequantization and a quantization, or on the codes.
std::string drawn_function(const std::string& name, PseudoRandom& random) {
  std::string text = fmt::format("func.func @{}(%x: tensor<{}>) -> tensor<{}> {{\n", name, q, p);
  std::string at = "x";
  const std::uint64_t steps = 1 + random.below(3);
  text += fmt::format("  %f0 = stablehlo.uniform_dequantize %x : (tensor<{}>) -> tensor<f32>\n", q);
  at = "f0";
  for (std::uint64_t s = 1; s <= steps; ++s) {
    const std::string next = fmt::format("f{}", s);
    const std::vector<std::string> constants{"0.0", "1.5", "-0.35", "2.0"};
    const std::string& constant = constants[random.below(constants.size())];
    text += fmt::format("  %c{} = stablehlo.constant dense<{}> : tensor<f32>\n", s, constant);
    const std::vector<std::string> ops{"add", "multiply", "maximum", "minimum", "subtract"};
    text += fmt::format("  %{} = stablehlo.{} %{}, %c{} : tensor<f32>\n", next, ops[random.below(ops.size())], at, s);
    at = next;
  }
  return text + fmt::format("  %y = stablehlo.uniform_quantize %{} : (tensor<f32>) -> tensor<{}>\n  return %y : tensor<{}>\n}}\n", at, p, p);
}

class RandomPairs : public testing::TestWithParam<int> {};

TEST_P(RandomPairs, AgreeWithBruteForce) {
  PseudoRandom random(static_cast<std::uint64_t>(GetParam()));
  for (int pair = 0; pair < 30; ++pair) {
    const std::string text = drawn_function("a", random) + drawn_function("b", random);
    const BruteForce expected = by_brute_force(functions_of(text));
    const auto one_by_one = compared(text);
    ASSERT_TRUE(one_by_one) << to_text(one_by_one.error()) << text;
    EXPECT_EQ(one_by_one->verdict, expected.differing > 0 ? Verdict::differ : Verdict::equal) << text;
    if (one_by_one->classes.front().verdict.way != "the same formula") {
      EXPECT_EQ(static_cast<std::int64_t>(one_by_one->classes.front().verdict.differing), expected.differing) << text;
    }
    // The same along stairs.
    ProgramsQuestion question;
    question.limits.combinations = 1;
    const auto by_stairs = compared(text, question);
    ASSERT_TRUE(by_stairs) << to_text(by_stairs.error()) << text;
    EXPECT_EQ(by_stairs->verdict, one_by_one->verdict) << text;
    EXPECT_EQ(by_stairs->classes.front().verdict.differing, one_by_one->classes.front().verdict.differing) << text;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomPairs, testing::Range(1, 5));

TEST(BruteForce, TwoInputs) {
  const std::string head = "(%x: tensor<i4>, %y: tensor<i4>) -> tensor<i4> {\n";
  const auto function = [&](const std::string& name, const std::string& body) { return "func.func @" + name + head + body + "  return %r : tensor<i4>\n}\n"; };
  const std::vector<std::string> bodies{
      "  %r = stablehlo.add %x, %y : tensor<i4>\n",
      "  %r = stablehlo.add %y, %x : tensor<i4>\n",
      "  %r = stablehlo.subtract %x, %y : tensor<i4>\n",
      "  %n = stablehlo.negate %y : tensor<i4>\n  %r = stablehlo.subtract %x, %n : tensor<i4>\n",
      "  %r = stablehlo.multiply %x, %y : tensor<i4>\n",
      "  %r = stablehlo.maximum %x, %y : tensor<i4>\n",
      "  %m = stablehlo.minimum %y, %x : tensor<i4>\n  %s = stablehlo.add %x, %y : tensor<i4>\n  %r = stablehlo.subtract %s, %m : tensor<i4>\n"};
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const std::string text = function("a", bodies[i]) + function("b", bodies[j]);
      const BruteForce expected = by_brute_force(functions_of(text));
      const auto found = compared(text);
      ASSERT_TRUE(found) << to_text(found.error()) << text;
      EXPECT_EQ(found->verdict, expected.differing > 0 ? Verdict::differ : Verdict::equal) << text;
      EXPECT_EQ(static_cast<std::int64_t>(found->classes.front().verdict.differing), expected.differing) << text;
      if (i == j) EXPECT_EQ(found->classes.front().verdict.way, "the same operations on the same values");
      else EXPECT_EQ(static_cast<std::int64_t>(found->classes.front().verdict.inputs), expected.inputs) << text;
    }
}

}  // namespace
}  // namespace tiebreak
