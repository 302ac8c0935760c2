// SPDX-License-Identifier: Apache-2.0
// Programs that are no formulas of single elements, on few inputs: what is run on every input is counted as by brute force.
#include <fmt/format.h>

#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/unit/equal/compared_programs.hpp"

namespace tiebreak {
namespace {

/// Two elements of 4 bits, an operation on their row, and a conversion.
std::string drawn_row(const std::string& name, PseudoRandom& random) {
  std::string text = fmt::format("func.func @{}(%x: tensor<2xi4>) -> tensor<2xi8> {{\n  %f = stablehlo.convert %x : (tensor<2xi4>) -> tensor<2xf32>\n", name);
  const std::vector<std::string> scales{"1.0", "0.5", "-1.0", "2.0"}, outer{"10.0", "20.0", "0.5"};
  text += fmt::format("  %c = stablehlo.constant dense<{}> : tensor<2xf32>\n  %m = stablehlo.multiply %f, %c : tensor<2xf32>\n",
                      scales[random.below(scales.size())]);
  const std::uint64_t kind = random.below(3);
  if (kind == 0) text += "  %s = \"onnx.Softmax\"(%m) {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>\n";
  if (kind == 1)
    text +=
        "  %q, %qs, %qz = \"onnx.DynamicQuantizeLinear\"(%m) : (tensor<2xf32>) -> (tensor<2xui8>, tensor<f32>, tensor<ui8>)\n"
        "  %s = stablehlo.convert %q : (tensor<2xui8>) -> tensor<2xf32>\n";
  if (kind == 2) text += "  %s = stablehlo.add %m, %c : tensor<2xf32>\n";
  text +=
      fmt::format("  %d = stablehlo.constant dense<{}> : tensor<2xf32>\n  %t = stablehlo.multiply %s, %d : tensor<2xf32>\n", outer[random.below(outer.size())]);
  return text + "  %y = stablehlo.convert %t : (tensor<2xf32>) -> tensor<2xi8>\n  return %y : tensor<2xi8>\n}\n";
}

class RandomRows : public testing::TestWithParam<int> {};

TEST_P(RandomRows, AgreeWithBruteForce) {
  PseudoRandom random(static_cast<std::uint64_t>(GetParam()) * 7919);
  for (int pair = 0; pair < 8; ++pair) {
    const std::string text = drawn_row("a", random) + drawn_row("b", random);
    const auto known = known_programs(text);
    const BruteElements expected = every_element_by_brute_force(*known);
    const auto report = compare_programs(*known->first, *known->second, {});
    ASSERT_TRUE(report) << to_text(report.error());
    for (const ElementClass& one : report->classes)
      for (const std::int64_t e : one.elements) {
        const std::int64_t differing = expected.differing[static_cast<std::size_t>(e)], undefined = expected.undefined[static_cast<std::size_t>(e)];
        if (one.verdict.way.starts_with("both programs run")) {
          EXPECT_EQ(static_cast<std::int64_t>(one.verdict.differing), differing) << text;
          EXPECT_EQ(static_cast<std::int64_t>(one.verdict.undefined), undefined) << text;
        }
        if (undefined == expected.inputs) continue;  // nowhere defined: nothing is said, or one formula is seen
        EXPECT_EQ(one.verdict.verdict, differing > 0 ? Verdict::differ : Verdict::equal) << text << programs_text(*report);
      }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomRows, testing::Range(1, 4));

const std::string gathered = R"(
func.func @a(%i: tensor<1xi4>) -> tensor<1xi8> {
  %t = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi8>
  %n = stablehlo.convert %i : (tensor<1xi4>) -> tensor<1xi32>
  %y = "onnx.Gather"(%t, %n) : (tensor<3xi8>, tensor<1xi32>) -> tensor<1xi8>
  return %y : tensor<1xi8>
}
func.func @b(%i: tensor<1xi4>) -> tensor<1xi8> {
  %t = stablehlo.constant dense<[5, 6, LAST]> : tensor<3xi8>
  %n = stablehlo.convert %i : (tensor<1xi4>) -> tensor<1xi32>
  %y = "onnx.Gather"(%t, %n) : (tensor<3xi8>, tensor<1xi32>) -> tensor<1xi8>
  return %y : tensor<1xi8>
}
)";

/// An operand that steers places, where the table has three: whatever the verdict, what is refused is no input that is equal.
TEST(RunPrograms, AnOperandThatSteersPlaces) {
  std::string same = gathered, other = gathered;
  same.replace(same.find("LAST"), 4, "7");
  other.replace(other.find("LAST"), 4, "8");
  const auto equal = compared(same), differ = compared(other);
  ASSERT_TRUE(equal) << to_text(equal.error());
  ASSERT_TRUE(differ) << to_text(differ.error());
  EXPECT_EQ(equal->verdict, Verdict::equal) << programs_text(*equal);
  EXPECT_EQ(differ->verdict, Verdict::differ) << programs_text(*differ);
  const ElementVerdict& verdict = differ->classes.front().verdict;
  EXPECT_EQ(static_cast<std::int64_t>(verdict.inputs), 16);
  EXPECT_EQ(static_cast<std::int64_t>(verdict.differing), 2);  // 2, and -1 from the end
  EXPECT_EQ(static_cast<std::int64_t>(verdict.refused + verdict.undefined), 10);
}

TEST(RunPrograms, MoreRunsThanAllowedAreNotDecided) {
  PseudoRandom random(4);
  ProgramsQuestion question;
  question.limits.runs = 255;
  question.limits.samples = 8;
  const std::string soft =
      "(%x: tensor<2xi4>) -> tensor<2xf32> {\n  %f = stablehlo.convert %x : (tensor<2xi4>) -> tensor<2xf32>\n"
      "  %s = \"onnx.Softmax\"(%f) {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>\n  return %s : tensor<2xf32>\n}\n";
  const std::string twice =
      "(%x: tensor<2xi4>) -> tensor<2xf32> {\n  %f = stablehlo.convert %x : (tensor<2xi4>) -> tensor<2xf32>\n"
      "  %o = stablehlo.constant dense<1.0> : tensor<2xf32>\n  %g = stablehlo.add %f, %o : tensor<2xf32>\n"
      "  %s = \"onnx.Softmax\"(%g) {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>\n  return %s : tensor<2xf32>\n}\n";
  const auto few = compared("func.func @a" + soft + "func.func @b" + twice, question);
  ASSERT_TRUE(few) << to_text(few.error());
  EXPECT_EQ(few->verdict, Verdict::undecided) << programs_text(*few);
  question.limits.runs = 256;
  const auto all = compared("func.func @a" + soft + "func.func @b" + twice, question);
  ASSERT_TRUE(all) << to_text(all.error());
  EXPECT_EQ(all->verdict, Verdict::equal) << programs_text(*all);
  EXPECT_EQ(all->classes.front().verdict.way, "both programs run on every input");
}

}  // namespace
}  // namespace tiebreak
