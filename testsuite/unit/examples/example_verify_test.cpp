// SPDX-License-Identifier: Apache-2.0
// Examples of small Markdown texts: each answer, each reason, and the rule for printed decimals.
#include "testsuite/examples/example_verify.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testsuite/examples/documented_value.hpp"

namespace tiebreak {
namespace {

const char* const half_page =
    "# demo.half\n\n```semantics\nop demo.half(x: T) -> y: T\ntypes T: f32 f64 i8\nconstraint C1: x.size < 9\nstructure elementwise(x)\n"
    "choice tie(v): even = rne(v) | away = rna(v)\ny = if T is float then T(x / 2) else if x == 127 then undefined else sat.T(tie(x / 2))\n```\n";

class ExampleVerify : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string path = (std::filesystem::temp_directory_path() / "tiebreak-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    std::filesystem::create_directories(path + "/demo");
    std::filesystem::create_directories(path + "/profiles");
    std::ofstream(path + "/demo/half.md") << half_page;
    auto loaded = Library::load(path);
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library_ = *loaded;
    std::filesystem::remove_all(path);
  }
  static void TearDownTestSuite() { library_.reset(); }

  static std::vector<ExampleAnswer> answers(const std::string& text) {
    auto found = verify_markdown(*library_, "reference", "text.md", text);
    EXPECT_TRUE(found) << (found ? "" : to_text(found.error()));
    return found ? *found : std::vector<ExampleAnswer>{};
  }
  static ExampleAnswer answer(const std::string& block) {
    const auto all = answers("# Text\n## half\n```mlir\n" + block + "```\n");
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? ExampleAnswer{} : all[0];
  }
  /// An example of three elements.
  static ExampleAnswer half(const std::string& type, const std::string& x, const std::string& after) {
    return answer("// %x: " + x + "\n%y = \"demo.half\"(%x) : (tensor<3x" + type + ">) -> tensor<3x" + type + ">\n" + after + "\n");
  }
  static std::shared_ptr<const Library> library_;
};
std::shared_ptr<const Library> ExampleVerify::library_;

TEST_F(ExampleVerify, Holds) {
  const ExampleAnswer holds = half("i8", "[1, 3, -1]", "// %y: [0, 2, 0]");
  EXPECT_EQ(holds.answer, Answer::holds) << holds.reason;
  EXPECT_EQ(holds.as_printed, 0U);
  EXPECT_EQ(holds.id, "text/half/example-1");
  EXPECT_EQ(holds.op, "demo.half");
  EXPECT_EQ(holds.line, 5);
  EXPECT_EQ(half("f32", "[1.0, 0x7F800000, -nan]", "// %y = [0.5, inf, 0x7FC00000] // bits are values").answer, Answer::holds);
}

TEST_F(ExampleVerify, HoldsAsPrinted) {
  const ExampleAnswer printed = half("f32", "[1.1, 2.0, 0.29]", "// %y: [0.6, 1.0, 0.1]");
  EXPECT_EQ(printed.answer, Answer::holds) << printed.reason;
  EXPECT_EQ(printed.as_printed, 2U);
  EXPECT_EQ(half("f32", "[1.1, 2.0, 0.32]", "// %y: [0.6, 1.0, 0.1]").answer, Answer::differs) << "0.16 is printed as 0.2";
  EXPECT_EQ(half("f32", "[1.0, 2.0, 3.0]", "// %y: [0.5, 1.0, 2]").answer, Answer::differs) << "a whole number is exact";
}

TEST_F(ExampleVerify, DiffersNamesElementValuesAndDistance) {
  const ExampleAnswer differs = half("f64", "[1.0, 0.2, 0.2]", "// %y: [0.5, 0.100000001, 0.10000002]");
  ASSERT_EQ(differs.answer, Answer::differs);
  ASSERT_EQ(differs.differences.size(), 2U);
  const DocumentedDifference& found = differs.differences[0];
  EXPECT_EQ(found.output + found.index, "y[1]");
  EXPECT_EQ(found.documented, "0.100000001");
  EXPECT_EQ(found.computed, "0.1");
  EXPECT_EQ(found.count, 2);
  EXPECT_EQ(found.unit, "ulp");
  EXPECT_NE(found.distance, "");
  EXPECT_EQ(found.where, "text.md:6");
  const ExampleAnswer integers = half("i8", "[1, 3, -1]", "// %y: [0, 4, 0]");
  EXPECT_EQ(integers.reason, "y[1]: documented 4, computed 2 (exactly 1.5), 2 LSB away");
  EXPECT_EQ(half("f32", "[-0.0, 0.0, 1.0]", "// %y: [0.0, 0.0, 0.5]").answer, Answer::differs) << "the sign of zero";
  EXPECT_EQ(half("i8", "[1, 3, -1]", "// %y: [0, 2]").answer, Answer::differs) << "a missing element";
  EXPECT_EQ(half("i8", "[1, 3, -1]", "// %y: [[0], [2], [0]]").answer, Answer::differs) << "another shape";
}

TEST_F(ExampleVerify, WhatTheOpLeavesUndefinedMayBeAnything) {
  const ExampleAnswer open = half("i8", "[1, 127, 127]", "// %y: [0, 5, undefined]");
  EXPECT_EQ(open.answer, Answer::holds) << open.reason;
  EXPECT_EQ(open.notes, std::vector<std::string>{"1 element of y left undefined by the op"});
  EXPECT_EQ(half("i8", "[1, 127, 2]", "// %y: [0, 5, undefined]").answer, Answer::differs) << "the third is defined";
}

TEST_F(ExampleVerify, ConditionsAndErrorsAreThoseOfPages) {
  EXPECT_EQ(half("i8", "[1, 3, -1]", "// %y: [0, 2, 0]\n// %y @ tie=away: [1, 2, -1]").answer, Answer::holds);
  const ExampleAnswer away = half("i8", "[1, 3, -1]", "// %y @ tie=away: [0, 2, 0]");
  EXPECT_EQ(away.differences.at(0).condition, "tie=away");
  EXPECT_EQ(half("i8", "[1, 3, -1]", "// %y @ tie=awry: [0, 2, 0]").answer, Answer::ill_formed);
  const std::string nine = "// %x: dense<1>\n%y = \"demo.half\"(%x) : (tensor<9xi8>) -> tensor<9xi8>\n";
  EXPECT_EQ(answer(nine + "// error C1\n").answer, Answer::holds);
  EXPECT_EQ(answer(nine + "// error C2\n").answer, Answer::differs);
  const ExampleAnswer broken = answer(nine + "// %y: dense<0>\n");
  EXPECT_EQ(broken.answer, Answer::ill_formed);
  EXPECT_NE(broken.reason.find("C1"), std::string::npos) << broken.reason;
}

TEST_F(ExampleVerify, IllFormedSaysWhere) {
  const ExampleAnswer open = answer("// %x: 1\n%y = \"demo.half\"(%x) : (tensor<i8) -> tensor<i8>\n");
  EXPECT_EQ(open.answer, Answer::ill_formed);
  EXPECT_NE(open.reason.find("(line 5:"), std::string::npos) << open.reason;
  EXPECT_EQ(half("i8", "[1, 300, 2]", "// %y: [0, 0, 0]").answer, Answer::ill_formed) << "300 is no i8";
  EXPECT_EQ(half("i8", "[1, 2]", "// %y: [0, 0, 0]").answer, Answer::ill_formed) << "two elements for three";
}

TEST_F(ExampleVerify, NotCheckableSaysWhy) {
  auto cause = [](const std::string& block) {
    const ExampleAnswer found = answer(block);
    EXPECT_EQ(found.answer, Answer::not_checkable) << block << found.reason;
    EXPECT_FALSE(found.reason.empty());
    return found.cause;
  };
  EXPECT_EQ(cause("%y = \"demo.other\"(%x) : (tensor<i8>) -> tensor<i8>\n"), "no page");
  EXPECT_EQ(cause("%y = \"demo.half\"(%x) : (tensor<i8>) -> tensor<i8>\n// %y: 1\n"), "no inputs");
  EXPECT_EQ(cause("// %x: 1\n%y = \"demo.half\"(%x) : (tensor<i8>) -> tensor<i8>\n"), "states nothing");
  EXPECT_EQ(cause("// %x@(0, 0): 1\n%y = \"demo.half\"(%x) : (tensor<i8>) -> tensor<i8>\n"), "process grid");
  EXPECT_EQ(cause("dense<[[0, 1]]> : tensor<1x2xi64>\n"), "a fragment");
  EXPECT_NE(cause("// %x: (1.0, 2.0)\n%y = \"demo.half\"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>\n").find("complex"), std::string::npos);
  EXPECT_NE(cause("%y = \"demo.half\"(%x) : (!demo.token) -> !demo.token\n").find("token"), std::string::npos);
}

TEST_F(ExampleVerify, IdsCountUnderTheirHeading) {
  const std::string one = "```mlir\n%y = \"demo.other\"(%x) : (tensor<i8>) -> tensor<i8>\n```\n";
  const auto all = answers("# T\n## a b\n" + one + "### Examples\n" + one + "## c\n" + one);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].id, "text/a-b/example-1");
  EXPECT_EQ(all[1].id, "text/a-b/example-2");
  EXPECT_EQ(all[2].id, "text/c/example-1");
}

TEST_F(ExampleVerify, BaselinesMarkWhatIsKnownAndWhatIsStale) {
  std::vector<ExampleAnswer> all = {half("i8", "[1, 3, -1]", "// %y: [0, 4, 0]"), half("i8", "[1, 3, -1]", "// %y: [0, 2, 0]")};
  all[0].id = "text/half/example-1";
  all[1].id = "text/half/example-2";
  AnsweredReport answered = report_answers(all, {}, "reference");
  EXPECT_EQ(answered.report.exit_code(), 1);
  answered = report_answers(all, {{"text/half/example-1", "a misprint"}, {"text/none", "gone"}}, "reference");
  EXPECT_EQ(answered.report.exit_code(), 0);
  EXPECT_EQ(all[0].known, "a misprint");
  EXPECT_EQ(answered.warnings.size(), 1U);
  answered = report_answers(all, {{"text/half/example-*", "a misprint"}}, "reference");
  EXPECT_EQ(answered.report.exit_code(), 6) << "the second one holds";
}

TEST(DocumentedValue, HalfOfTheLastDigit) {
  auto half = [](const std::string& text) { return half_of_last_digit(text)->to_string(); };
  EXPECT_EQ(half("1.5"), "1/20");
  EXPECT_EQ(half("-0.250"), "1/2000");
  EXPECT_EQ(half("1.63312e+16"), "50000000000");
  EXPECT_EQ(half("1.5E-1"), "1/200");
  EXPECT_EQ(half("3."), "1/2");
  for (const char* exact : {"12", "0x7FC00000", "0x1.8p3", "inf", "true", "1e3"}) EXPECT_EQ(half(exact), "0") << exact;
}

}  // namespace
}  // namespace tiebreak
