// SPDX-License-Identifier: Apache-2.0
// Ranges of accumulators and narrow ones against plain loops: small contractions whole, larger ones drawn, and the numbers of known overflows.
#include <gtest/gtest.h>

#include <random>

#include "interpreter/orders/accumulator_range.hpp"
#include "testsuite/oracle/accumulator_oracle.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

using Codes32 = std::vector<std::int32_t>;

const std::shared_ptr<const Library>& pages() {
  static const auto library = Library::load(std::string(TIEBREAK_SOURCE_DIR) + "/spec").value();
  return library;
}

AccumulatorReport report_of(const OpCall& call, const AccumulatorQuestion& question, const std::string& profile = "reference") {
  auto report = accumulator_range({*pages(), **pages()->find_profile(profile)}, call, question);
  EXPECT_TRUE(report) << (report ? "" : to_text(report.error()));
  return report.value_or(AccumulatorReport{});
}

NarrowAccumulator narrow(int bits, NarrowOverflow overflow, NarrowOrder order, std::int64_t block = 0) { return {{true, bits}, overflow, order, block}; }

TEST(AccumulatorRange, BitsOfAnInterval) {
  for (int bits = 1; bits < 64; ++bits) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    EXPECT_EQ((IntegerInterval{-half, half - 1}.signed_bits()), bits);
    EXPECT_EQ((IntegerInterval{0, half - 1}.signed_bits()), oracle::signed_bits(0, half - 1));
    EXPECT_EQ((IntegerInterval{-half - 1, 0}.signed_bits()), oracle::signed_bits(-half - 1, 0));
  }
  EXPECT_EQ(IntegerInterval{}.signed_bits(), 0);
}

TEST(AccumulatorRange, EveryRowOfASmallProduct) {
  for (std::int32_t row_zero : {0, 3, 15})
    for (std::int32_t column_zero : {-8, 0, 5})
      for (const Codes32& column : {Codes32{-8, 7, 1}, Codes32{0, 5, -1}, Codes32{7, 7, 7}}) {
        const OpCall call{.op = "onnx.MatMulInteger",
                          .operands = {codes32_tensor("u8", {1, 3}, {0, 0, 0}), codes32_tensor("i8", {3, 1}, column), codes32_tensor("u8", {}, {row_zero}),
                                       codes32_tensor("i8", {}, {column_zero})}};
        const AccumulatorReport report = report_of(call, {.ranges = {{"A", {0, 15}}}, .has_data = false});
        const oracle::SumRange all = oracle::range_by_all_rows(column, row_zero, column_zero, 0, 15, 0);
        EXPECT_EQ(report.worst.total, (IntegerInterval{all.low, all.high}));
        EXPECT_EQ(oracle::range_of_sum(column, row_zero, column_zero, 0, 15, 0), all);
        EXPECT_FALSE(report.observed);
      }
}

TEST(AccumulatorRange, BothOperandsMayBeRanges) {
  const OpCall call{.op = "onnx.MatMulInteger", .operands = {codes32_tensor("u8", {1, 64}, Codes32(64)), codes32_tensor("i8", {64, 1}, Codes32(64))}};
  const AccumulatorReport report = report_of(call, {.ranges = {{"A", {0, 255}}, {"B", {-128, 127}}}, .has_data = false});
  EXPECT_EQ(report.worst.total, (IntegerInterval{-64 * 255 * 128, 64 * 255 * 127}));
  EXPECT_EQ(report.worst.total.high, 2072640);
  EXPECT_EQ(report.worst.total.signed_bits(), 22);
}

TEST(AccumulatorRange, PairsInSixteenBits) {
  const OpCall call{.op = "onnx.MatMulInteger", .operands = {codes32_tensor("u8", {1, 64}, Codes32(64, 255)), codes32_tensor("i8", {64, 1}, Codes32(64, 127))}};
  const AccumulatorReport report = report_of(call, {.ranges = {{"A", {0, 255}}}, .narrow = {narrow(16, NarrowOverflow::saturate, NarrowOrder::blocks, 2)}});
  ASSERT_TRUE(report.observed);
  EXPECT_EQ(report.observed->total, (IntegerInterval{2072640, 2072640}));
  const NarrowOutcome& pairs = report.narrow.at(0);
  ASSERT_TRUE(pairs.first);
  EXPECT_EQ(pairs.first->exact, 2072640);
  EXPECT_EQ(pairs.first->narrow, 1048544) << "32 * 32767";
  EXPECT_EQ(pairs.first->left_at, 2);
  EXPECT_EQ(pairs.results_changed, 1);
  EXPECT_EQ(pairs.at_risk, 1);
  // The page's own alternative is the second witness.
  auto page = evaluate({*pages(),
                        [] {
                          Profile profile = **pages()->find_profile("reference");
                          profile.choices["onnx.MatMulInteger/accumulator"] = ProfileValue{.alternative = "pairs"};
                          return profile;
                        }()},
                       call);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->front().tensor.value(0), Real(pairs.first->narrow));
}

TEST(AccumulatorRange, ASumBeyondThirtyTwoBits) {
  const std::int64_t depth = 66400;
  const OpCall call{.op = "onnx.MatMulInteger",
                    .operands = {codes32_tensor("u8", {1, depth}, Codes32(static_cast<std::size_t>(depth), 255)),
                                 codes32_tensor("i8", {depth, 1}, Codes32(static_cast<std::size_t>(depth), 127))}};
  const AccumulatorReport report =
      report_of(call,
                {.narrow = {narrow(32, NarrowOverflow::wrap, NarrowOrder::end), narrow(32, NarrowOverflow::saturate, NarrowOrder::step),
                            narrow(33, NarrowOverflow::wrap, NarrowOrder::step)}},
                "onnxruntime-x64");
  const std::int64_t exact = depth * 255 * 127;
  ASSERT_TRUE(report.observed);
  EXPECT_EQ(report.observed->total.high, exact);
  EXPECT_EQ(report.observed->total.signed_bits(), 33);
  EXPECT_EQ(report.narrow[0].first->narrow, exact - (std::int64_t{1} << 32));
  EXPECT_EQ(report.narrow[0].results_changed, 0) << "the profile wraps to 32 bits itself";
  EXPECT_EQ(report.narrow[1].first->narrow, INT32_MAX);
  EXPECT_EQ(report.narrow[1].first->left_at, INT32_MAX / (255 * 127) + 1);
  EXPECT_EQ(report.narrow[2].left, 0);
}

TEST(AccumulatorRange, DrawnProductsAgainstLoops) {
  const std::uint32_t seed = 20240611;
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 random(seed);
  auto draw = [&](std::int32_t low, std::int32_t high) { return low + static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(high - low + 1)); };
  for (int round = 0; round < 60; ++round) {
    const std::int64_t rows = draw(1, 3), depth = draw(1, 17), columns = draw(1, 4);
    Codes32 a, b, zeros;
    for (std::int64_t i = 0; i < rows * depth; ++i) a.push_back(draw(0, 255));
    for (std::int64_t i = 0; i < depth * columns; ++i) b.push_back(draw(-128, 127));
    for (std::int64_t i = 0; i < columns; ++i) zeros.push_back(draw(-20, 20));
    const std::int32_t a_zero = draw(0, 255);
    const OpCall call{.op = "onnx.MatMulInteger",
                      .operands = {codes32_tensor("u8", {rows, depth}, a), codes32_tensor("i8", {depth, columns}, b), codes32_tensor("u8", {}, {a_zero}),
                                   codes32_tensor("i8", {columns}, zeros)}};
    AccumulatorQuestion question{.ranges = {{"A", {10, 200}}}};
    const int bits = draw(8, 20);
    for (NarrowOverflow overflow : {NarrowOverflow::wrap, NarrowOverflow::saturate}) {
      question.narrow.push_back(narrow(bits, overflow, NarrowOrder::end));
      question.narrow.push_back(narrow(bits, overflow, NarrowOrder::step));
      question.narrow.push_back(narrow(bits, overflow, NarrowOrder::blocks, 3));
    }
    const AccumulatorReport report = report_of(call, question);
    oracle::SumRange worst{INT64_MAX, INT64_MIN}, observed = worst;
    std::vector<std::int64_t> changed(question.narrow.size(), 0);
    for (std::int64_t n = 0; n < columns; ++n) {
      Codes32 column;
      for (std::int64_t k = 0; k < depth; ++k) column.push_back(b[static_cast<std::size_t>(k * columns + n)]);
      const std::int64_t zero = zeros[static_cast<std::size_t>(n)];
      const oracle::SumRange range = oracle::range_of_sum(column, a_zero, zero, 10, 200, 0);
      EXPECT_EQ(report.worst_by_channel.at(static_cast<std::size_t>(n)).total, (IntegerInterval{range.low, range.high}));
      worst = {std::min(worst.low, range.low), std::max(worst.high, range.high)};
      for (std::int64_t m = 0; m < rows; ++m) {
        const std::vector<std::int64_t> terms =
            oracle::products(std::span(a).subspan(static_cast<std::size_t>(m * depth), static_cast<std::size_t>(depth)), column, a_zero, zero);
        std::int64_t exact = 0;
        for (std::int64_t term : terms) exact += term;
        observed = {std::min(observed.low, exact), std::max(observed.high, exact)};
        for (std::size_t i = 0; i < changed.size(); ++i) {
          const bool saturating = i >= 3;
          const std::int64_t value =
              i % 3 == 2 ? oracle::sum_of_registers(terms, bits, saturating, 3) : oracle::sum_in_register(terms, bits, saturating, i % 3 == 0 ? 0 : 1);
          changed[i] += value != exact ? 1 : 0;
          EXPECT_EQ(narrow_sum(terms, question.narrow[i]).value, value) << to_text(question.narrow[i]);
        }
      }
    }
    EXPECT_EQ(report.worst.total, (IntegerInterval{worst.low, worst.high}));
    EXPECT_EQ(report.observed->total, (IntegerInterval{observed.low, observed.high}));
    for (std::size_t i = 0; i < changed.size(); ++i) {
      EXPECT_EQ(report.narrow[i].sums_changed, changed[i]) << to_text(question.narrow[i]);
      EXPECT_EQ(report.narrow[i].results_changed, changed[i]) << "results of this op are the sums";
    }
  }
}

TEST(AccumulatorRange, ConvolutionWithBiasAndPadding) {
  // One tap lies in the padding: the corner sees fewer free elements, the zero point in their place counts nothing.
  const OpCall call{.op = "onnx.QLinearConv",
                    .operands = {codes32_tensor("u8", {1, 1, 3}, {9, 8, 7}), tensor_of("f32", {}, {"0.5"}), codes32_tensor("u8", {}, {4}),
                                 codes32_tensor("i8", {2, 1, 2}, {3, -5, 2, 2}), tensor_of("f32", {}, {"1"}), codes32_tensor("i8", {}, {0}),
                                 tensor_of("f32", {}, {"1"}), codes32_tensor("u8", {}, {10}), codes32_tensor("i32", {2}, {100, -7})},
                    .attributes = {{"pads", Attribute{AttributeList{Attribute{Real(1)}, Attribute{Real(0)}}}}}};
  const AccumulatorReport report = report_of(call, {.ranges = {{"x", {0, 255}}}, .narrow = {narrow(8, NarrowOverflow::saturate, NarrowOrder::end)}});
  EXPECT_EQ(report.formula, "sum(p) + B");
  ASSERT_EQ(report.worst_by_channel.size(), 2u);
  EXPECT_EQ(report.worst_by_channel[0].total, (IntegerInterval{100 - 4 * 3 - 251 * 5, 100 + 251 * 3 + 4 * 5}));
  EXPECT_EQ(report.worst_by_channel[1].total, (IntegerInterval{-7 - 16, -7 + 251 * 4}));
  // Sums: 100 - 25 = 75, 100 + 15 - 20 = 95, 100 + 12 - 15 = 97; -7 + 10 = 3, -7 + 10 + 8 = 11, -7 + 8 + 6 = 7.
  EXPECT_EQ(report.observed->total, (IntegerInterval{3, 97}));
  EXPECT_EQ(report.narrow[0].left, 0);
  EXPECT_EQ(report.narrow[0].at_risk, 6);
}

TEST(AccumulatorRange, QuantizedFloatsAreCountedInUnitsOfTheirScales) {
  auto type = [](const std::string& text, Shape shape, std::int64_t zero, const std::string& scale) {
    TensorType made{*ElementType::parse(text), std::move(shape), {}};
    made.quantized =
        QuantizedType{made.element, made.element.min(), made.element.max(), *ElementType::parse("f32"), {}, {}, {{*Real::parse(scale)}}, {{Real(zero)}}};
    return made;
  };
  Tensor left = *Tensor::zeros(type("i8", {1, 4}, 1, "0x1p-1")), right = *Tensor::zeros(type("i8", {4, 1}, 0, "0x1p-2"));
  for (std::int64_t k = 0; k < 4; ++k) {
    left.set_code(k, *left.element().encode(Real(100)));
    right.set_code(k, *right.element().encode(Real(-3)));
  }
  auto dimension = [](std::int64_t d) { return Attribute{AttributeList{Attribute{Real(d)}}}; };
  const OpCall call{.op = "stablehlo.dot_general",
                    .operands = {left, right},
                    .attributes = {{"lhs_contracting_dimensions", dimension(1)}, {"rhs_contracting_dimensions", dimension(0)}},
                    .result_types = {type("i8", {1, 1}, 0, "1")}};
  const AccumulatorReport report = report_of(call, {.ranges = {{"lhs", {-128, 127}}}, .narrow = {narrow(10, NarrowOverflow::wrap, NarrowOrder::end)}});
  EXPECT_TRUE(report.leaves_out_rounding);
  EXPECT_EQ(report.worst.total, (IntegerInterval{4 * 126 * -3, 4 * 129 * 3}));
  EXPECT_EQ(report.observed->total, (IntegerInterval{-1188, -1188}));
  ASSERT_TRUE(report.narrow[0].first);
  EXPECT_EQ(report.narrow[0].first->narrow, -1188 + 1024);
  EXPECT_EQ(report.narrow[0].first->exact_result, "-128");
  EXPECT_EQ(report.narrow[0].first->narrow_result, "-20") << "-164 / 8 = -20.5, to even";
}

TEST(AccumulatorRange, WhatHasNoWholeSumIsRefused) {
  const Profile& reference = **pages()->find_profile("reference");
  const OpCall one{.op = "onnx.Neg", .operands = {tensor_of("i8", {1}, {"1"})}};
  EXPECT_EQ(accumulator_range({*pages(), reference}, one, {}).error().code, Errc::unsupported);
  const OpCall product{.op = "onnx.MatMulInteger",
                       .operands = {codes32_tensor("u8", {1, 1}, {1}), codes32_tensor("i8", {1, 1}, {1}), codes32_tensor("u8", {}, {1})}};
  EXPECT_EQ(accumulator_range({*pages(), reference}, product, {.ranges = {{"a_zero_point", {0, 1}}}}).error().code, Errc::unsupported);
  EXPECT_EQ(accumulator_range({*pages(), reference}, product, {.ranges = {{"AA", {0, 1}}}}).error().code, Errc::unknown_name);
  EXPECT_EQ(accumulator_range({*pages(), reference}, product, {.ranges = {{"A", {-1, 1}}}}).error().code, Errc::usage);
  EXPECT_EQ(accumulator_range({*pages(), reference}, product, {.narrow = {narrow(63, NarrowOverflow::wrap, NarrowOrder::end)}}).error().code, Errc::usage);
  ToyLibrary toy(std::map<std::string, std::string>{{"t/s", "op t.s(a: i8, b: i8) -> y: i32\nstructure dot.onnx(a, b)\ny = wrap.i32(sum(a * a * b))"}});
  const OpCall square{.op = "t.s", .operands = {codes32_tensor("i8", {1, 1}, {1}), codes32_tensor("i8", {1, 1}, {1})}};
  EXPECT_EQ(accumulator_range({*toy.library, **toy.library->find_profile("reference")}, square, {.ranges = {{"a", {0, 1}}}}).error().code, Errc::unsupported);
}

}  // namespace
}  // namespace tiebreak
