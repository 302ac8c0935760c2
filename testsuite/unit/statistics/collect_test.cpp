// SPDX-License-Identifier: Apache-2.0
// Statistics of small programs whose numbers are counted by hand.
#include <gtest/gtest.h>

#include "interpreter/json/json_value.hpp"
#include "testsuite/statistics/statistics.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

constexpr const char* float_net = R"(func.func @net(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = stablehlo.negate %x : tensor<2x3xf32>
  %b = stablehlo.add %a, %a : tensor<2x3xf32>
  return %b : tensor<2x3xf32>
})";
// One unit at element [1, 0] of a is what somebody got wrong.
constexpr const char* planted_net = R"(func.func @net(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %error = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %a.right = stablehlo.negate %x : tensor<2x3xf32>
  %a = stablehlo.add %a.right, %error : tensor<2x3xf32>
  %b = stablehlo.add %a, %a : tensor<2x3xf32>
  return %b : tensor<2x3xf32>
})";
constexpr const char* quantized_net = R"(func.func @net(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a.right = stablehlo.negate %x : tensor<2x3xf32>
  %a.q = stablehlo.uniform_quantize %a.right : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 1.0>>
  %b.q = stablehlo.uniform_quantize %a.right : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 2.0>>
  %b = stablehlo.uniform_dequantize %a.q : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
})";

Program program_of(const char* text) { return parse_mlir(text, "test.mlir")->functions.front(); }

Batch batch_of(const std::string& values) {
  return {{*parse_literal(values, TensorType{ElementType(find_float_format("f32")), {2, 3}, {}}, "test")}, {"given"}};
}

Result<StatisticsReport> statistics_of(const char* form, const std::vector<Batch>& batches, StatisticsOptions options = {},
                                       const ParameterSet& parameters = {}) {
  const auto& library = pages();
  const Profile profile = **library.find_profile("reference");
  return collect_statistics(library, {"float", program_of(float_net), profile}, {{"form", program_of(form), profile}}, parameters, batches, options);
}

TEST(Statistics, ThePlantedErrorIsNamedFirst) {
  const auto report = statistics_of(planted_net, {batch_of("[[1, 2, 3], [4, 5, 6]]"), batch_of("[[1, 2, 3], [3, 5, 6]]")});
  ASSERT_TRUE(report) << to_text(report.error());
  ASSERT_EQ(report->nodes.size(), 2u);
  const NodeStatistics &a = report->nodes[0], &b = report->nodes[1];
  EXPECT_EQ(a.node, "a");
  EXPECT_EQ(a.elements, 12);
  EXPECT_EQ(a.different, 2);
  EXPECT_EQ(a.place.batch, 0u);
  EXPECT_EQ(a.place.index, "[1, 0]");
  EXPECT_EQ(a.greatest_error(), Real(1));
  EXPECT_EQ(a.error_sum(), Real(2));
  EXPECT_EQ(a.signal.value(), Real(1 + 4 + 9 + 16 + 25 + 36 + 1 + 4 + 9 + 9 + 25 + 36));
  EXPECT_EQ(a.noise(), Real(2));
  EXPECT_EQ(b.noise(), Real(8));
  EXPECT_EQ(a.sqnr(), b.sqnr());
  EXPECT_EQ(a.rows, 4);
  EXPECT_EQ(a.arg_max_changed, 0);  // -4 + 1 is still the greatest of its row
  EXPECT_NE(statistics_text(*report).find("the first value that differs is a (stablehlo.negate), in 2 of 12 elements, by at most 1 at [1, 0] of batch 0"),
            std::string::npos);
}

TEST(Statistics, ArgMaxAlongAnAxis) {
  StatisticsOptions options;
  options.axis = 0;
  const auto report = statistics_of(planted_net, {batch_of("[[3.5, 2, 3], [4, 5, 6]]")}, options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->nodes[0].rows, 3);
  EXPECT_EQ(report->nodes[0].arg_max_changed, 1);  // -3.5 against -4 + 1
}

TEST(Statistics, CodesTiesAndSaturation) {
  const auto report = statistics_of(quantized_net, {batch_of("[[0.5, 200, -1.5], [0.25, -300, 2]]")});
  ASSERT_TRUE(report) << to_text(report.error());
  const NodeStatistics& b = report->nodes.front();  // a has no value of its own here, and no parameters say what a.q is
  EXPECT_EQ(b.node, "b");
  ASSERT_TRUE(b.codes);
  EXPECT_EQ(b.codes->from, "b.q");
  EXPECT_EQ(b.codes->at_low + b.codes->at_high, 1);  // 300 / 2 is beyond 127
  EXPECT_EQ(b.codes->tie_known, 6);
  EXPECT_EQ(b.codes->tied, 0);  // halves of 0.5, 1.5, 0.25: none at a tie
  EXPECT_EQ(b.codes->range(), 256);
}

TEST(Statistics, AStepOfOneCodeReachesAFloatOutput) {
  StatisticsOptions options;
  options.growth = true;
  const auto report = statistics_of(quantized_net, {batch_of("[[0.5, 200, -1.5], [0.25, -300, 2]]")}, options);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->growth.size(), 1u);  // no output depends on b.q
  EXPECT_EQ(report->growth[0].node, "a.q");
  EXPECT_EQ(report->growth[0].output, "b");
  EXPECT_EQ(report->growth[0].unit, "value");
  EXPECT_EQ(report->growth[0].moved, 5);
  EXPECT_EQ(report->growth[0].all_changed, 5);
  EXPECT_EQ(report->growth[0].all_greatest, Real(1));
}

TEST(Statistics, OneProgramGrowsItsOwnCodes) {
  constexpr const char* chain = R"(func.func @net(%x: tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 4.0>> {
  %q = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8<-127:120>:f32, 1.0>>
  %y = stablehlo.uniform_quantize %q : (tensor<2x3x!quant.uniform<i8<-127:120>:f32, 1.0>>) -> tensor<2x3x!quant.uniform<i8:f32, 4.0>>
  return %y : tensor<2x3x!quant.uniform<i8:f32, 4.0>>
})";
  const auto& library = pages();
  const StatisticsSide side{"chain", program_of(chain), **library.find_profile("reference")};
  StatisticsOptions options;
  options.growth = true;
  const auto report = collect_statistics(library, side, {side}, {}, {batch_of("[[0, 1, 2], [3, 5, 127]]")}, options);
  ASSERT_TRUE(report) << to_text(report.error());
  ASSERT_EQ(report->growth.size(), 1u);
  const GrowthLine& line = report->growth.front();
  EXPECT_EQ(line.node, "q");
  EXPECT_EQ(line.output, "y");
  EXPECT_EQ(line.unit, "codes");
  EXPECT_EQ(line.moved, 5);        // 127 becomes 120, the upper end
  EXPECT_EQ(line.all_changed, 2);  // codes 0 1 2 3 5: 2 -> 3 is 0.5 -> 0.75, 5 -> 6 is 1.25 -> 1.5
  EXPECT_EQ(line.tried, 5);
  EXPECT_EQ(line.one_changed, 2);
  EXPECT_EQ(report->nodes.front().sqnr(), "inf");
}

TEST(Statistics, OtherShapesAreAnError) {
  const auto& library = pages();
  const Profile profile = **library.find_profile("reference");
  constexpr const char* turned = R"(func.func @net(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %a = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %a : tensor<3x2xf32>
})";
  const auto report = collect_statistics(library, {"float", program_of(float_net), profile}, {{"turned", program_of(turned), profile}}, {},
                                         {batch_of("[[1, 2, 3], [4, 5, 6]]")}, {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Errc::type);
  EXPECT_EQ(report.error().where, "turned");
}

}  // namespace
}  // namespace tiebreak
