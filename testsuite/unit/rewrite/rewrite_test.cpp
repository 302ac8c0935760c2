// SPDX-License-Identifier: Apache-2.0
// Rules applied to programs: what matches, with which parameters, what stands there afterwards, and what is refused.
#include "testsuite/rewrite/rewrite_program.hpp"

#include <gtest/gtest.h>

#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

const std::string code_type = "!quant.uniform<i8:f32, {s}:{z}>";

/// A rule on tensor<2x...>, its lines before and after without the frame of a function.
RulePage rule(const std::string& head, const std::string& type, const std::string& before, const std::string& after, const std::string& name = "t/r") {
  const auto function = [&](const std::string& called, const std::string& body) {
    return "func.func @" + called + "(%x: tensor<2x" + type + ">) -> tensor<2x" + type + "> {\n" + body + "  return %r : tensor<2x" + type + ">\n}\n";
  };
  const std::string text =
      "# A rule\n\n```rule\nclaim: equal\nverdict: holds\n" + head + "\n" + function("before", before) + function("after", after) + "```\n";
  const auto page = read_rule(text, name, "spec/rules/" + name + ".md");
  EXPECT_TRUE(page) << to_text(page.error());
  return page ? *page : RulePage{};
}

RulePage relu() {
  return rule("parameter s: 0.05, 0.3\nparameter z: -7, 5\n", code_type,
              "  %f = stablehlo.uniform_dequantize %x : (tensor<2x" + code_type +
                  ">) -> tensor<2xf32>\n"
                  "  %c = stablehlo.constant dense<0.0> : tensor<2xf32>\n  %g = stablehlo.maximum %f, %c : tensor<2xf32>\n"
                  "  %r = stablehlo.uniform_quantize %g : (tensor<2xf32>) -> tensor<2x" +
                  code_type + ">\n",
              "  %c = stablehlo.constant dense<{z}> : tensor<2x" + code_type + ">\n  %r = stablehlo.maximum %x, %c : tensor<2x" + code_type + ">\n");
}

Program program(const std::string& text) {
  auto parsed = parse_mlir(text, "p.mlir");
  EXPECT_TRUE(parsed) << to_text(parsed.error());
  return parsed ? std::move(parsed->functions.front()) : Program{};
}

/// Two relus of other shapes and parameters than the rule's, one behind the other.
Program two_relus() {
  const auto relu = [](const std::string& from, const std::string& to, const std::string& type) {
    return "  %f" + to + " = stablehlo.uniform_dequantize %" + from + " : (tensor<3x4x" + type + ">) -> tensor<3x4xf32>\n  %c" + to +
           " = stablehlo.constant dense<0.0> : tensor<3x4xf32>\n  %g" + to + " = stablehlo.maximum %f" + to + ", %c" + to + " : tensor<3x4xf32>\n  %" + to +
           " = stablehlo.uniform_quantize %g" + to + " : (tensor<3x4xf32>) -> tensor<3x4x" + type + ">\n";
  };
  const std::string type = "!quant.uniform<i8:f32, 0.07:3>";
  return program("func.func @main(%x: tensor<3x4x" + type + ">) -> tensor<3x4x" + type + "> {\n" + relu("x", "a", type) + relu("a", "b", type) +
                 "  return %b : tensor<3x4x" + type + ">\n}\n");
}

Result<RewriteReport> rewritten(const Program& from, const std::vector<RulePage>& rules, std::size_t most = 0) {
  return rewrite_program({pages(), **pages().find_profile("reference")}, from, rules, {.name = "p.mlir", .most = most, .judge = true});
}

TEST(Rewrite, ParametersAndShapesAreTheProgramsOwn) {
  const auto report = rewritten(two_relus(), {relu()});
  ASSERT_TRUE(report) << to_text(report.error());
  ASSERT_EQ(report->made.size(), 2U);
  EXPECT_EQ(report->made[0].values, (RuleValues{{"s", "0.07"}, {"z", "3"}}));
  EXPECT_EQ(report->made[0].value, "a");
  EXPECT_EQ(report->made[1].value, "b");
  const Program& left = report->program;
  ASSERT_EQ(left.operations.size(), 2U);
  for (const Operation& operation : left.operations) EXPECT_EQ(operation.op, "stablehlo.maximum");
  EXPECT_TRUE(parse_mlir(print_mlir(left), "printed.mlir")) << print_mlir(left);
  EXPECT_NE(print_mlir(left).find("dense<3> : tensor<3x4xi8>}> : () -> tensor<3x4x!quant.uniform<i8:f32, 0.07:3>>"), std::string::npos) << print_mlir(left);
}

TEST(Rewrite, EachIsJudgedWithItsOwnParameters) {
  auto report = rewritten(two_relus(), {relu()});
  ASSERT_TRUE(report) << to_text(report.error());
  ASSERT_TRUE(judge_rewrites(pages(), *report, {}));
  for (const MadeRewrite& one : report->made) EXPECT_STREQ(to_word(one.judged->verdict), "holds");
  EXPECT_NE(rewrite_text(*report).find("t/r at p.mlir:5:8, a, s=0.07 z=3: holds (the same formula)"), std::string::npos) << rewrite_text(*report);
}

TEST(Rewrite, AResultThatOthersReadStays) {
  const Program both = program(
      "func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2xf32>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) {\n"
      "  %f = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32>\n"
      "  %c = stablehlo.constant dense<0.0> : tensor<2xf32>\n  %g = stablehlo.maximum %f, %c : tensor<2xf32>\n"
      "  %r = stablehlo.uniform_quantize %g : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>\n"
      "  return %f, %r : tensor<2xf32>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>\n}\n");
  const auto report = rewritten(both, {relu()});
  ASSERT_TRUE(report) << to_text(report.error());
  ASSERT_EQ(report->program.operations.size(), 2U);
  EXPECT_EQ(report->program.operations[0].op, "stablehlo.uniform_dequantize");
  EXPECT_EQ(report->program.operations[1].op, "stablehlo.maximum");
}

TEST(Rewrite, AnotherConstantIsNoMatch) {
  Program other = two_relus();
  for (ProgramValue& value : other.values)
    if (value.constant) value.constant->set_code(5, 0x3f800000);  // one element is 1
  const auto report = rewritten(other, {relu()});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->made.empty());
}

TEST(Rewrite, WhatFollowsFromParametersIsComputed) {
  const std::string body = "  %c = stablehlo.constant dense<{a}> : tensor<2x" + code_type + ">\n  %r = stablehlo.add %x, %c : tensor<2x" + code_type + ">\n";
  const std::string after = "  %d = stablehlo.constant dense<{b}> : tensor<2x" + code_type + ">\n  %r = stablehlo.add %d, %x : tensor<2x" + code_type + ">\n";
  const RulePage page = rule("parameter s: 0.5, 1\nparameter z: 0, 1\nparameter a: 3, 4\nlet b: rtz(a / 2) + z\ncondition: a > z\n", code_type, body, after);
  const auto at = [&](const std::string& a) {
    return rewritten(program("func.func @main(%x: tensor<!quant.uniform<i8:f32, 0.25:2>>) -> tensor<!quant.uniform<i8:f32, 0.25:2>> {\n"
                             "  %k = stablehlo.constant dense<" +
                             a +
                             "> : tensor<!quant.uniform<i8:f32, 0.25:2>>\n"
                             "  %r = stablehlo.add %x, %k : tensor<!quant.uniform<i8:f32, 0.25:2>>\n  return %r : tensor<!quant.uniform<i8:f32, 0.25:2>>\n}\n"),
                     {page}, 1);
  };
  const auto nine = at("9");
  ASSERT_TRUE(nine) << to_text(nine.error());
  ASSERT_EQ(nine->made.size(), 1U);
  EXPECT_EQ(nine->made[0].values, (RuleValues{{"s", "0.25"}, {"z", "2"}, {"a", "9"}, {"b", "6"}}));
  EXPECT_TRUE(at("1")->made.empty()) << "the condition does not hold";
}

TEST(Rewrite, RulesThatUndoEachOtherAreNamed) {
  const auto swap = [](const std::string& name, const std::string& first, const std::string& second) {
    const std::string type = "tensor<2xi8>";
    return rule("", "i8", "  %r = stablehlo." + first + " %x, %x : " + type + "\n", "  %r = stablehlo." + second + " %x, %x : " + type + "\n", name);
  };
  const Program add =
      program("func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {\n  %r = stablehlo.add %x, %x : tensor<2xi8>\n  return %r : tensor<2xi8>\n}\n");
  const auto report = rewritten(add, {swap("t/to_and", "add", "and"), swap("t/to_add", "and", "add")}, 50);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Errc::limit);
  EXPECT_EQ(report.error().what, "50 rewrites and no end: t/to_add, t/to_and");
}

TEST(Rewrite, WhatDoesNotFitIsSaid) {
  const RulePage page = rule("shapes: fixed\n", "i8", "  %r = stablehlo.add %x, %x : tensor<2xi8>\n",
                             "  %y = stablehlo.transpose %x, dims = [0] : (tensor<2xi8>) -> tensor<2xi8>\n  %r = stablehlo.negate %y : tensor<2xi8>\n");
  const RulePage free = rule("", "i8", "  %r = stablehlo.add %x, %x : tensor<2xi8>\n",
                             "  %y = stablehlo.transpose %x, dims = [0] : (tensor<2xi8>) -> tensor<2xi8>\n  %r = stablehlo.negate %y : tensor<2xi8>\n");
  const Program wide =
      program("func.func @main(%x: tensor<3x4xi8>) -> tensor<3x4xi8> {\n  %r = stablehlo.add %x, %x : tensor<3x4xi8>\n  return %r : tensor<3x4xi8>\n}\n");
  EXPECT_TRUE(rewritten(wide, {page})->refused.empty()) << "other shapes than those that are fixed are no match";
  const auto report = rewritten(wide, {free});
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_TRUE(report->made.empty());
  ASSERT_EQ(report->refused.size(), 1U);
  EXPECT_EQ(report->refused[0].value, "r");
}

TEST(Rewrite, WhatNobodyAppliesIsNamedAlone) {
  const auto names = [](const std::string& glob) {
    std::vector<std::string> found;
    const auto pages_found = load_applied_rules({TIEBREAK_SOURCE_DIR "/spec"}, {glob});
    if (!pages_found) return std::vector<std::string>{to_text(pages_found.error())};
    for (const RulePage& page : *pages_found) found.push_back(page.name);
    return found;
  };
  EXPECT_EQ(names("affine/relu*"), std::vector<std::string>{"affine/relu"});
  EXPECT_EQ(names("affine/relu_without_zero_point"), std::vector<std::string>{"affine/relu_without_zero_point"});
  EXPECT_EQ(names("affine/relu_w*"), std::vector<std::string>{"nobody applies these rules (affine/relu_w*)\n  hint: name such a rule alone, without *"});
}

TEST(Rewrite, AnyValueIsTakenOver) {
  const RulePage page =
      rule("any value: %k\n", "i8", "  %k = stablehlo.constant dense<1> : tensor<2xi8>\n  %r = stablehlo.subtract %x, %k : tensor<2xi8>\n",
           "  %k = stablehlo.constant dense<1> : tensor<2xi8>\n  %n = stablehlo.negate %k : tensor<2xi8>\n  %r = stablehlo.add %x, %n : tensor<2xi8>\n");
  auto report = rewritten(program("func.func @main(%x: tensor<3xi8>) -> tensor<3xi8> {\n  %c = stablehlo.constant dense<[1, 2, -128]> : tensor<3xi8>\n"
                                  "  %r = stablehlo.subtract %x, %c : tensor<3xi8>\n  return %r : tensor<3xi8>\n}\n"),
                          {page});
  ASSERT_TRUE(report) << to_text(report.error());
  ASSERT_EQ(report->made.size(), 1U) << rewrite_text(*report);
  EXPECT_NE(print_mlir(report->program).find("dense<[1, 2, -128]>"), std::string::npos);
  ASSERT_TRUE(judge_rewrites(pages(), *report, {}));
  EXPECT_STREQ(to_word(report->made[0].judged->verdict), "holds");
}

TEST(Rewrite, AResultTooLargeIsJudgedWithTheShapesOfThePage) {
  const RulePage page = rule("any value: %k\n", "i8", "  %k = stablehlo.constant dense<1> : tensor<2xi8>\n  %r = stablehlo.subtract %x, %k : tensor<2xi8>\n",
                             "  %k = stablehlo.constant dense<1> : tensor<2xi8>\n  %r = stablehlo.add %x, %k : tensor<2xi8>\n");
  const auto judged_at = [&](const std::string& count) {
    auto report =
        rewritten(program("func.func @main(%x: tensor<" + count + "xi8>) -> tensor<" + count + "xi8> {\n  %c = stablehlo.constant dense<7> : tensor<" + count +
                          "xi8>\n  %r = stablehlo.subtract %x, %c : tensor<" + count + "xi8>\n  return %r : tensor<" + count + "xi8>\n}\n"),
                  {page});
    EXPECT_TRUE(report) << to_text(report.error());
    EXPECT_TRUE(judge_rewrites(pages(), *report, {}));
    return std::move(report->made.at(0));
  };
  const MadeRewrite small = judged_at("3"), large = judged_at("5000");
  EXPECT_FALSE(small.judged_by.own_shapes);
  EXPECT_TRUE(large.judged_by.own_shapes);
  for (const MadeRewrite* one : {&small, &large}) EXPECT_EQ(one->judged->largest, Wide{256 - 14}) << "the constant of the program goes in, not the page's";
}

}  // namespace
}  // namespace tiebreak
