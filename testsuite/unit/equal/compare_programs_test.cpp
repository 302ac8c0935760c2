// SPDX-License-Identifier: Apache-2.0
// Verdicts on programs as compilers rewrite them, each way of knowing once, and what is refused.
#include "testsuite/unit/equal/programs.hpp"

namespace tiebreak {
namespace {

const std::string quantize_twice = R"(
!q = !quant.uniform<i8:f32, 0.1:3>
func.func @qdq(%x: tensor<2x3xf32>) -> tensor<2x3x!q> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!q>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x3x!q>) -> tensor<2x3xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<2x3xf32>) -> tensor<2x3x!q>
  return %2 : tensor<2x3x!q>
}
func.func @once(%x: tensor<2x3xf32>) -> tensor<2x3x!q> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!q>
  return %0 : tensor<2x3x!q>
}
)";

TEST(ComparePrograms, QuantizingTwiceIsQuantizingOnceForEveryFloat) {
  const auto report = compared(quantize_twice);
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::equal);
  ASSERT_EQ(report->classes.size(), 1U);
  EXPECT_EQ(report->classes.front().elements.size(), 6U);
  EXPECT_EQ(fmt::to_string(report->classes.front().verdict.inputs), "4294967296");
  EXPECT_TRUE(report->classes.front().verdict.way.starts_with("every input, by stairs: monotone")) << report->classes.front().verdict.way;
}

/// relu on codes without the zero point: wrong from the code below it on.
TEST(ComparePrograms, ReluAtZeroInsteadOfTheZeroPoint) {
  const auto report = compared(R"(
!q = !quant.uniform<i8:f32, 0.05:-7>
func.func @relu(%x: tensor<4x!q>) -> tensor<4x!q> {
  %f = stablehlo.uniform_dequantize %x : (tensor<4x!q>) -> tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %r = stablehlo.maximum %f, %z : tensor<4xf32>
  %q = stablehlo.uniform_quantize %r : (tensor<4xf32>) -> tensor<4x!q>
  return %q : tensor<4x!q>
}
func.func @codes(%x: tensor<4x!q>) -> tensor<4x!q> {
  %z = stablehlo.constant dense<0> : tensor<4x!q>
  %r = stablehlo.maximum %x, %z : tensor<4x!q>
  return %r : tensor<4x!q>
}
)");
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::differ);
  const ElementVerdict& verdict = report->classes.front().verdict;
  EXPECT_EQ(fmt::to_string(verdict.differing), "128");  // codes below zero: max(x, -7) is not max(x, 0)
  ASSERT_TRUE(verdict.witness);
  EXPECT_EQ(verdict.witness->inputs.front().second.to_string(), "-1");
  EXPECT_EQ(verdict.witness->first, "-1");
  EXPECT_EQ(verdict.witness->second, "0");
  const std::string text = programs_text(*report);
  EXPECT_NE(text.find("smallest witness: x[0]=-1: A gives -1, B gives 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("tiebreak eval a.mlir --input 'x=[-1, 1, 1, 1]:tensor<4x!quant.uniform<i8:f32, 0.05:-7>>'\n"), std::string::npos) << text;
  EXPECT_NE(text.find("A  f = stablehlo.uniform_dequantize: "), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("they differ\n")) << text;
}

TEST(ComparePrograms, PaddingWithZeroInsteadOfTheZeroPoint) {
  const auto report = compared(R"(
!q = !quant.uniform<i8:f32, 0.05:-7>
func.func @real(%x: tensor<2x!q>) -> tensor<3x!q> {
  %f = stablehlo.uniform_dequantize %x : (tensor<2x!q>) -> tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %f, %z, low = [1], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  %q = stablehlo.uniform_quantize %p : (tensor<3xf32>) -> tensor<3x!q>
  return %q : tensor<3x!q>
}
func.func @codes(%x: tensor<2x!q>) -> tensor<3x!q> {
  %z = stablehlo.constant dense<0> : tensor<!q>
  %p = stablehlo.pad %x, %z, low = [1], high = [0], interior = [0] : (tensor<2x!q>, tensor<!q>) -> tensor<3x!q>
  return %p : tensor<3x!q>
}
)");
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::differ);
  ASSERT_EQ(report->classes.size(), 2U);
  EXPECT_EQ(report->classes[0].elements, std::vector<std::int64_t>{0});
  EXPECT_EQ(report->classes[0].verdict.way, "no input leads here");
  EXPECT_EQ(report->classes[0].verdict.witness->first, "-7");
  EXPECT_EQ(report->classes[0].verdict.witness->second, "0");
  EXPECT_EQ(report->classes[1].verdict.verdict, Verdict::equal);
  EXPECT_EQ(report->classes[1].elements.size(), 2U);
}

/// Two requantizations with a clip between are not one: the clip cuts what the second would bring back.
TEST(ComparePrograms, RequantizationsMergedAcrossAClip) {
  const auto report = compared(R"(
!a = !quant.uniform<i16:f32, 0.01>
!b = !quant.uniform<i8:f32, 0.02>
!c = !quant.uniform<i16:f32, 0.01>
func.func @two(%x: tensor<!a>) -> tensor<!c> {
  %n = stablehlo.uniform_quantize %x : (tensor<!a>) -> tensor<!b>
  %w = stablehlo.uniform_quantize %n : (tensor<!b>) -> tensor<!c>
  return %w : tensor<!c>
}
func.func @merged(%x: tensor<!a>) -> tensor<!c> {
  return %x : tensor<!c>
}
)");
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::differ);
  EXPECT_EQ(report->classes.front().verdict.witness->inputs.front().second.to_string(), "1") << programs_text(*report);
  EXPECT_EQ(fmt::to_string(report->classes.front().verdict.inputs), "65536");
}

TEST(ComparePrograms, TheSameOperationsOfAnySize) {
  const auto report = compared(R"(
func.func @a(%x: tensor<64x4096xi8>, %w: tensor<4096x32xi8>) -> tensor<64x32xi32> {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4096xi8>, tensor<4096x32xi8>) -> tensor<64x32xi32>
  return %d : tensor<64x32xi32>
}
func.func @b(%y: tensor<64x4096xi8>, %w: tensor<4096x32xi8>) -> tensor<64x32xi32> {
  %e = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<64x4096xi8>, tensor<4096x32xi8>) -> tensor<64x32xi32>
  return %e : tensor<64x32xi32>
}
)");
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::equal);
  EXPECT_EQ(report->classes.front().verdict.way, "the same operations on the same values");
}

TEST(ComparePrograms, SumsInEitherOrder) {
  const char* const text = R"(
func.func @a(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.add %x, %y : tensor<f32>
  return %s : tensor<f32>
}
func.func @b(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.add %y, %x : tensor<f32>
  return %s : tensor<f32>
}
)";
  const auto report = compared(text);
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::equal);
  EXPECT_EQ(report->classes.front().verdict.way, "the same formula");
}

const std::string associated = R"(
func.func @a(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0e10> : tensor<f32>
  %s = stablehlo.add %x, %y : tensor<f32>
  %r = stablehlo.multiply %s, %c : tensor<f32>
  return %r : tensor<f32>
}
func.func @b(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0e10> : tensor<f32>
  %s = stablehlo.multiply %x, %c : tensor<f32>
  %t = stablehlo.multiply %y, %c : tensor<f32>
  %r = stablehlo.add %s, %t : tensor<f32>
  return %r : tensor<f32>
}
)";

TEST(ComparePrograms, WhatIsOnlySampledNeverCountsAsEqual) {
  const auto report = compared(associated);
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_EQ(report->verdict, Verdict::differ);
  EXPECT_FALSE(report->classes.front().verdict.counted);
  EXPECT_NE(programs_text(*report).find("differ on at least "), std::string::npos);
  ProgramsQuestion question;
  question.limits.samples = 0;
  const auto nothing = compared(associated, question);
  ASSERT_TRUE(nothing) << to_text(nothing.error());
  EXPECT_EQ(nothing->verdict, Verdict::undecided);
  EXPECT_NE(programs_text(*nothing).find("would decide"), std::string::npos) << programs_text(*nothing);
}

/// One input given, the other along stairs, or both given.
TEST(ComparePrograms, GivenInputs) {
  ProgramsQuestion question;
  question.given = {{"y", {Real(0), Real(1)}}};
  const auto swept = compared(associated, question);
  ASSERT_TRUE(swept) << to_text(swept.error());
  EXPECT_EQ(swept->verdict, Verdict::differ);
  question.given = {{"y", {Real(4)}}, {"x", {Real(4), Real(8)}}};  // 4 c and 8 c are exact
  const auto given = compared(associated, question);
  ASSERT_TRUE(given) << to_text(given.error());
  EXPECT_EQ(given->verdict, Verdict::equal);
  EXPECT_EQ(fmt::to_string(given->classes.front().verdict.inputs), "2");
  question.given = {{"z", {Real(3)}}};
  const auto unknown = compared(associated, question);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(to_text(unknown.error()), "the programs have no input 'z' (--input z)\n  hint: did you mean 'x'?");
}

const std::string resized = R"(
func.func @resized(%x: tensor<3xi8>, %scale: tensor<1xf32>) -> tensor<3xi8> {
  %y = "onnx.Resize"(%x, %none, %scale) : (tensor<3xi8>, none, tensor<1xf32>) -> tensor<3xi8>
  return %y : tensor<3xi8>
}
)";

/// At scale 1, with which the program is run for its types, it gives what it is given.
TEST(ComparePrograms, AnOperandThatSteersPlacesIsNoLeaf) {
  const auto report = compared(resized + "func.func @same(%x: tensor<3xi8>, %scale: tensor<1xf32>) -> tensor<3xi8> { return %x : tensor<3xi8> }\n");
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_NE(report->verdict, Verdict::equal) << programs_text(*report);
  EXPECT_FALSE(report->classes.front().verdict.counted);
}

/// At scale 1 the two profiles find the same places; at others they may not.
TEST(ComparePrograms, PlacesOfOneScaleProveNothingForOthers) {
  const auto report = compared(resized, {}, "onnx", "onnxruntime-x64");
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_NE(report->verdict, Verdict::equal) << programs_text(*report);
  const auto same = compared(resized, {}, "onnx", "onnx");
  ASSERT_TRUE(same) << to_text(same.error());
  EXPECT_EQ(same->verdict, Verdict::equal);
}

TEST(ComparePrograms, OneProgramUnderTwoProfiles) {
  const std::string text = R"(
func.func @a(%x: tensor<3xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<3xui8> {
  %y = "onnx.QuantizeLinear"(%x, %s, %z) : (tensor<3xf32>, tensor<f32>, tensor<ui8>) -> tensor<3xui8>
  return %y : tensor<3xui8>
}
)";
  ProgramsQuestion question;
  question.given = {{"s", {*Real::parse("0.5")}}, {"z", {Real(3)}}};
  const auto differ = compared(text, question, "onnx", "onednn-x64-avx2");
  ASSERT_TRUE(differ) << to_text(differ.error());
  EXPECT_EQ(differ->verdict, Verdict::differ);
  EXPECT_EQ(fmt::to_string(differ->classes.front().verdict.differing), "282") << programs_text(*differ);  // as the README's session counts them
  const auto same = compared(text, question, "onnx", "onnx");
  ASSERT_TRUE(same) << to_text(same.error());
  EXPECT_EQ(same->verdict, Verdict::equal);
}

TEST(ComparePrograms, WhatDoesNotMatchIsRefused) {
  const auto refused = [](const std::string& text) {
    const auto report = compared(text);
    return report ? std::string("no error") : to_text(report.error());
  };
  EXPECT_EQ(
      refused("func.func @a(%x: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }\nfunc.func @b(%x: tensor<i4>) -> tensor<i4> { return %x : tensor<i4> }\n"),
      "input 'x' is tensor<i8> in A and tensor<i4> in B (b.mlir)\n  hint: inputs are matched by their order");
  EXPECT_EQ(refused("func.func @a(%x: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }\n"
                    "func.func @b(%x: tensor<i8>, %y: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }\n"),
            "a.mlir has 1 inputs, b.mlir has 2 (b.mlir)");
}

TEST(ComparePrograms, TheSameBytesTwice) {
  const auto one = compared(associated), other = compared(associated);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(programs_json(*one), programs_json(*other));
  EXPECT_EQ(programs_markdown(*one), programs_markdown(*other));
}

}  // namespace
}  // namespace tiebreak
