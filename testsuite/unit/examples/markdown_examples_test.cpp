// SPDX-License-Identifier: Apache-2.0
// Blocks of Markdown texts, cut into examples, and their comments brought into one form.
#include "testsuite/examples/markdown_examples.hpp"

#include <gtest/gtest.h>

#include "testsuite/examples/comment_conventions.hpp"

namespace tiebreak {
namespace {

std::string without_empty_lines(const std::string& text) {
  std::string kept;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    if (end > start) kept += text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return kept;
}

/// The texts of the examples of one block.
std::vector<std::string> parts(const std::string& block) {
  std::vector<std::string> texts;
  for (const MarkdownExample& example : markdown_examples("```mlir\n" + block + "```\n")) texts.push_back(without_empty_lines(example.text));
  return texts;
}

TEST(MarkdownExamples, BlocksKnowTheirHeadingsAndLines) {
  const auto examples = markdown_examples(
      "# Spec\n## Ops\n### abs\n```mlir\n// %x: 1\n%y = \"a.abs\"(%x) : (tensor<i8>) -> tensor<i8>\n```\n"
      "```ebnf\n# no heading\n%z = \"a.b\"()\n```\n### neg\n#### Examples\n   ~~~~mlir\n%y = \"a.neg\"(%x) : (tensor<i8>) -> tensor<i8>\n"
      "```\n~~~~\n## Next\n```mlir\nno end");
  ASSERT_EQ(examples.size(), 3U);
  EXPECT_EQ(examples[0].headings, (std::vector<std::string>{"Spec", "Ops", "abs"}));
  EXPECT_EQ(examples[0].first_line, 5);
  EXPECT_EQ(examples[0].line, 6);
  EXPECT_EQ(examples[1].headings, (std::vector<std::string>{"Spec", "Ops", "neg", "Examples"}));
  EXPECT_EQ(examples[1].block, 2);
  EXPECT_EQ(examples[1].line, 15);
  EXPECT_NE(examples[1].text.find("```"), std::string::npos) << "another fence does not close it";
  EXPECT_EQ(examples[2].headings, (std::vector<std::string>{"Spec", "Next"}));
  EXPECT_EQ(examples[2].text, "no end\n");
}

TEST(MarkdownExamples, ANameDefinedAgainBeginsAnotherExample) {
  const std::string one = "// %x: 1\n%y = \"a.abs\"(%x) : (tensor<i8>) -> tensor<i8>\n// %y: 1\n";
  EXPECT_EQ(parts(one + "\n" + one), (std::vector<std::string>{one, one}));
  EXPECT_EQ(parts(one + one), (std::vector<std::string>{one, one})) << "without a blank line: %x is not of the first";
}

TEST(MarkdownExamples, WhatReadsAResultStaysWithIt) {
  const std::string chain = "%a = \"a.b\"() : () -> tensor<i8>\n%c = \"a.d\"(%a) : (tensor<i8>) -> tensor<i8>\n";
  EXPECT_EQ(parts(chain).size(), 1U);
  EXPECT_EQ(parts("%a = \"a.b\"() : () -> tensor<i8>\n\n%c = \"a.d\"(%a) : (tensor<i8>) -> tensor<i8>\n").size(), 1U);
  EXPECT_EQ(parts("%a = \"a.b\"() : () -> tensor<i8>\n\n%c = \"a.d\"(%x) : (tensor<i8>) -> tensor<i8>\n").size(), 2U);
}

TEST(MarkdownExamples, OperationsOverSeveralLinesAndFunctionsAreWhole) {
  EXPECT_EQ(
      parts("%a, %b =\n\"a.b\"(%x) {\n\n  k = 1\n} : (tensor<i8>) ->\n  (tensor<i8>, tensor<i8>)\n%c = \"a.d\"(%x)\n  : (tensor<i8>) -> tensor<i8>\n").size(),
      1U);
  EXPECT_EQ(parts("func.func @f() {\n  %a = \"a.b\"()\n\n  %c = \"a.b\"()\n}\n\nfunc.func @g() {\n  %a = \"a.b\"()\n}\n").size(), 1U);
}

std::string comments(const std::string& text) { return readable_example(text).text; }
const char* const two_results = "%result:2 = \"a.b\"(%operand) : (tensor<i8>) -> (tensor<i8>, tensor<i8>)\n";

TEST(CommentConventions, NamesOfResults) {
  EXPECT_EQ(comments(std::string(two_results) + "// %result0: 1\n// %result#1: [2]\n"), std::string(two_results) + "// %result#0: 1\n// %result#1: [2]\n");
  EXPECT_EQ(comments("%result = \"a.b\"()\n// %result#0: 1\n"), "%result = \"a.b\"()\n// %result: 1\n");
}

TEST(CommentConventions, StrayBlanksAndMissingSigns) {
  const ReadableExample read = readable_example("// operand: [0x7FFF, -1.0]\n%r = \"a.b\"(%operand)\n// % r: [1,\n//  2]\n");
  EXPECT_EQ(read.text, "// %operand: [0x7FFF, -1.0]\n%r = \"a.b\"(%operand)\n// %r: [1,\n//  2]\n");
  EXPECT_EQ(read.notes, (std::vector<std::string>{"'operand' is read as %operand", "'% r' is read as %r"}));
  EXPECT_EQ(comments("// operand: the left one\n%r = \"a.b\"(%operand)\n"), "// operand: the left one\n%r = \"a.b\"(%operand)\n") << "prose";
}

TEST(CommentConventions, ProcessesAndUnknownNamesAreLeftOutWithTheirLines) {
  const ReadableExample grid = readable_example("// %x@(0, 0): [1,\n//            2]\n// more\n%r = \"a.b\"(%x)\n// %r@(0, 0): 1\n");
  EXPECT_TRUE(grid.process_grid);
  EXPECT_EQ(grid.text, "\n\n// more\n%r = \"a.b\"(%x)\n\n");
  const ReadableExample unknown = readable_example("// %z: [1,\n//  2]\n%r = \"a.b\"(%x)\n");
  EXPECT_EQ(unknown.text, "\n\n%r = \"a.b\"(%x)\n");
  EXPECT_EQ(unknown.notes.size(), 1U);
  EXPECT_EQ(comments("%r = \"a.b\"(%x)\n// %r @ tie=away: 3\n"), "%r = \"a.b\"(%x)\n// %r @ tie=away: 3\n") << "a condition is no process";
}

TEST(CommentConventions, OperationsAreSeenWithoutAReader) {
  EXPECT_EQ(readable_example("%a = stablehlo.add %x, %y : tensor<oops\n").ops, std::vector<std::string>{"stablehlo.add"});
  EXPECT_EQ(readable_example("%r = \"a.map\"(%x) ({\n  %0 = \"a.inner\"(%x)\n})\n").ops, std::vector<std::string>{"a.map"});
  EXPECT_FALSE(readable_example("dense<[[0, 1]]> : tensor<1x2xi64>\n#a.b<c = @d>\n").has_operation);
}

}  // namespace
}  // namespace tiebreak
