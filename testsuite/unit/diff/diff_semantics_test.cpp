// SPDX-License-Identifier: Apache-2.0
// Comparison of semantics: counts against evaluation of every input in a window that holds all differences, sweeps, matrix, texts.
#include "testsuite/diff/diff_semantics.hpp"

#include <gtest/gtest.h>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"
#include "testsuite/unit/helpers/text_tensor.hpp"

namespace tiebreak {
namespace {

Tensor scalar(const char* type, const char* value) { return text_tensor(type, {}, {value}); }

DiffQuestion requantize(std::vector<SweepAxis> axes) {
  DiffQuestion question;
  question.call = {.op = "quant.requantize", .operands = {scalar("i32", "0"), scalar("f32", "1"), scalar("f32", "1"), scalar("f32", "4"), scalar("i32", "3")}};
  question.varied = "acc";
  question.sweep = Sweep(std::move(axes));
  return question;
}

SweepAxis axis(const char* name, const char* type, const char* text) { return {name, type, *parse_values(text, *ElementType::parse(type), name)}; }

Profile semantics(const char* word) {
  auto profile = parse_semantics(pages(), "quant.requantize", word);
  EXPECT_TRUE(profile) << to_text(profile.error());
  return *profile;
}

TEST(DiffSemantics, CountsEveryInputOfEverySet) {
  const DiffQuestion question = requantize({axis("y_scale", "f32", "4,12,100,0.75"), axis("y_zero_point", "i32", "-5..5/3")});
  const Profile first = semantics("reference:code=one_stage,multiplier=f64"), second = semantics("reference:code=two_stages,multiplier=f64");
  auto report = diff_semantics(pages(), first, second, question);
  ASSERT_TRUE(report) << to_text(report.error());
  ASSERT_EQ(report->points.size(), 12U);
  auto a = ScalarFunction::compile({pages(), first}, question.call, "acc"), b = ScalarFunction::compile({pages(), second}, question.call, "acc");
  for (const DiffPoint& point : report->points) {
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(a->set(question.sweep.axes()[i].name, question.sweep.value(point.set, i)));
      ASSERT_TRUE(b->set(question.sweep.axes()[i].name, question.sweep.value(point.set, i)));
    }
    // All results are saturated outside this window, but where the left shift of two_stages wraps.
    std::uint64_t expected = 0;
    std::vector<std::int64_t> inputs, x, y;
    for (std::int64_t acc = -40000; acc <= 40000; ++acc) inputs.push_back(acc);
    x.resize(inputs.size());
    y.resize(inputs.size());
    ASSERT_TRUE(a->evaluate(inputs, x) && b->evaluate(inputs, y));
    for (std::size_t i = 0; i < inputs.size(); ++i) expected += x[i] != y[i] ? 1 : 0;
    const Disagreement& d = point.disagreement;
    EXPECT_EQ(d.by_minus_one + d.by_plus_one, expected) << question.sweep.text(point.set);
    EXPECT_EQ(d.total, std::uint64_t{1} << 32);
  }
  EXPECT_EQ(report->total.witness_first + 1, report->total.witness_second);
  ASSERT_EQ(report->parting.size(), 1U);
  EXPECT_TRUE(report->parting[0].starts_with("code: one_stage (")) << report->parting[0];
  EXPECT_TRUE(report->law.known);
  EXPECT_GT(report->law.a_stair, 0.3);
  EXPECT_LT(report->law.a_stair, 1.1) << "one rounding of two moves every stair by less than one accumulator";
  const std::string text = diff_text(*report, question, 3);
  EXPECT_NE(text.find("smallest witness: acc="), std::string::npos) << text;
  EXPECT_EQ(diff_text(*report, question, 3), text);
  EXPECT_TRUE(diff_svg(*report, question).starts_with("<svg xmlns="));
}

TEST(DiffSemantics, JobsDoNotChangeAByte) {
  DiffQuestion question = requantize({axis("y_scale", "f32", "0.5..5000/150")});
  const Profile first = semantics("reference:code=f32"), second = semantics("reference:code=f32_before");
  auto alone = diff_semantics(pages(), first, second, question);
  question.jobs = 2;
  auto together = diff_semantics(pages(), first, second, question);
  ASSERT_TRUE(alone && together);
  EXPECT_EQ(diff_json(*alone, question, 200), diff_json(*together, question, 200));
}

TEST(DiffSemantics, MatrixFindsClassesOfEqualSemantics) {
  const DiffQuestion question = requantize({axis("y_scale", "f32", "4,12")});
  auto matrix =
      diff_matrix(pages(), {semantics("reference"), semantics("reference:tie=away"), semantics("reference:tie=even"), semantics("reference:tie=up")}, question);
  ASSERT_TRUE(matrix) << to_text(matrix.error());
  ASSERT_EQ(matrix->classes.size(), 3U);
  EXPECT_EQ(matrix->classes[0], (std::vector<std::string>{"reference", "reference:tie=even"}));
  EXPECT_EQ(matrix->counts[1][2], matrix->counts[2][1]);
  EXPECT_GT(matrix->counts[0][1], 0U);
}

TEST(Sweep, ReadsListsRangesAndSteps) {
  const ElementType i8 = *ElementType::parse("i8"), f32 = *ElementType::parse("f32");
  EXPECT_EQ(parse_values("-128..127", i8, "t")->size(), 256U);
  EXPECT_EQ(parse_values("-128..127/3", i8, "t")->at(1), Real(-1));
  EXPECT_EQ(parse_values("1..4096/13", f32, "t")->at(6), Real(64));
  EXPECT_EQ(parse_values("0.1,3", f32, "t")->front(), *Real::parse("0x1.99999ap-4"));
  for (const char* bad : {"", "1..2", "0..1/5", "x", "1..2/0", "3..1/2", "inf..1/3"}) EXPECT_FALSE(parse_values(bad, f32, "t")) << bad;
  for (const char* bad : {"300", "1.5", "5..1", "-128..127/x"}) EXPECT_FALSE(parse_values(bad, i8, "t")) << bad;
}

TEST(SemanticsWord, NamesTheNearest) {
  auto wrong = parse_semantics(pages(), "quant.requantize", "reference:tie=evn");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().hint.find("even"), std::string::npos);
  EXPECT_FALSE(parse_semantics(pages(), "quant.requantize", "reference:ties=even"));
  EXPECT_FALSE(parse_semantics(pages(), "quant.requantize", "refrence"));
}

}  // namespace
}  // namespace tiebreak
