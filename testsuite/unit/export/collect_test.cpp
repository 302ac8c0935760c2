// SPDX-License-Identifier: Apache-2.0
// What stands behind outputs, against plain integers: accumulators, multipliers and shifts, factors, tables.
#include "testsuite/export/collect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testsuite/sources/case_readers.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

/// The example of a page with this number, from 1.
Case example(const std::string& page, std::size_t number) {
  const auto cases = read_page_cases(*find_page(pages(), page), {});
  return cases->at(number - 1);
}

ExportedCase collected(const Case& test, const std::string& profile) {
  const auto made = collect_case({pages(), **pages().find_profile(profile)}, test);
  EXPECT_TRUE(made) << to_text(made.error());
  return made ? *made : ExportedCase{};
}

std::vector<Real> values(const ExportedCase& exported, const std::string& name) {
  const auto found = std::ranges::find(exported.tensors, name, &ExportedTensor::name);
  std::vector<Real> out;
  if (found == exported.tensors.end()) return out;
  for (std::int64_t i = 0; i < found->tensor.size(); ++i) out.push_back(found->tensor.value(i));
  return out;
}

std::vector<std::int64_t> integers(const ExportedCase& exported, const std::string& name) {
  std::vector<std::int64_t> out;
  for (const Real& value : values(exported, name)) out.push_back(*value.to_int64());
  return out;
}

using Integers = std::vector<std::int64_t>;

/// frexp, and the mantissa rounded to 31 digits.
std::pair<std::int64_t, std::int64_t> multiplier_of(double factor) {
  int exponent = 0;
  auto mantissa = static_cast<std::int64_t>(std::round(std::frexp(factor, &exponent) * 2147483648.0));
  if (mantissa == INT64_C(1) << 31) {
    mantissa /= 2;
    ++exponent;
  }
  return {mantissa, exponent};
}

TEST(Collect, AccumulatorIsTheSumWithItsBias) {
  const ExportedCase made = collected(example("onnx.QLinearConv", 2), "onnx");
  EXPECT_EQ(integers(made, "accumulator_y"), (Integers{1, 3, 5, -1, -3, 1000}));
  EXPECT_EQ(integers(made, "expected_y"), (Integers{3, 5, 5, 3, 1, 127}));
}

/// Beyond 32 bits the profile wraps; the exact sum stays.
TEST(Collect, AccumulatorIsExactBeyondItsWidth) {
  const Case test = example("onnx.QLinearConv", 4);
  EXPECT_EQ(integers(collected(test, "onnxruntime-x64"), "accumulator_y"), (Integers{INT64_C(2147483647) + 4 * 255 * 255}));
}

TEST(Collect, OneMultiplierAndShiftForEachChannel) {
  const Case test = example("tflite.CONV_2D", 1);
  const float input = 0.5F, output = 0.3F;
  Integers multipliers, shifts;
  for (const float filter : {0.25F, 0.125F}) {
    const auto [mantissa, exponent] = multiplier_of(static_cast<double>(input) * static_cast<double>(filter) / static_cast<double>(output));
    multipliers.push_back(mantissa);
    shifts.push_back(exponent);
  }
  for (const char* profile : {"tflite-ref-double", "tflite-ref-single"}) {  // two roundings, and one
    const ExportedCase made = collected(test, profile);
    EXPECT_EQ(integers(made, "multiplier_output"), multipliers) << profile;
    EXPECT_EQ(integers(made, "shift_output"), shifts) << profile;
  }
}

/// One scale for all: the numbers are constants of the formula. A factor of a power of two has a multiplier that is one, too.
TEST(Collect, OneMultiplierForAllChannels) {
  const ExportedCase made = collected(example("tflite.CONV_2D", 2), "tflite-ref-double");
  const auto [mantissa, exponent] = multiplier_of(0.5 * 0.25 / 4.0);
  EXPECT_EQ(mantissa, INT64_C(1) << 30);
  EXPECT_EQ(integers(made, "multiplier_output"), (Integers{mantissa}));
  EXPECT_EQ(integers(made, "shift_output"), (Integers{exponent}));
}

TEST(Collect, FloatFactorIsTheOneOfTheProfile) {
  const ExportedCase made = collected(example("onnx.QLinearConv", 3), "onnxruntime-x64");
  EXPECT_EQ(values(made, "factor_y"), (std::vector<Real>{Real::from_double(0.5), Real(1)}));
  EXPECT_TRUE(std::ranges::find(made.clauses, "onnx.QLinearConv/accumulator=wrap") != made.clauses.end());
}

/// multiplier * 2^(shift - 31) of one element.
double factor_of(const ExportedCase& exported, const std::string& of) {
  const Integers multiplier = integers(exported, "multiplier_" + of), shift = integers(exported, "shift_" + of);
  return multiplier.size() == 1 && shift.size() == 1 ? std::ldexp(static_cast<double>(multiplier[0]), static_cast<int>(shift[0]) - 31) : 0;
}

double scale_of(const ExportedCase& exported, const std::string& name) {
  const auto found = std::ranges::find(exported.tensors, name, &ExportedTensor::name);
  return found == exported.tensors.end() ? 0 : found->tensor.type().quantized->scales[0].value.to_double();
}

/// Each operand of a sum is scaled by itself, and then the sum: both together are the ratio of the scales.
TEST(Collect, OperandsOfASumHaveMultipliersOfTheirOwn) {
  const ExportedCase made = collected(example("tflite.ADD", 2), "tflite-ref-double");
  for (const std::string operand : {"lhs", "rhs"}) {
    const double ratio = scale_of(made, "in_" + operand) / scale_of(made, "expected_output");
    EXPECT_NEAR(factor_of(made, "output_" + operand) * factor_of(made, "output_sum"), ratio, 1e-8 * ratio) << operand;
  }
}

TEST(Collect, AProductOfOperandsIsScaledAsOne) {
  const ExportedCase made = collected(example("tflite.MUL", 1), "tflite-ref-double");
  const double ratio = scale_of(made, "in_lhs") * scale_of(made, "in_rhs") / scale_of(made, "expected_output");
  EXPECT_NEAR(factor_of(made, "output"), ratio, 1e-8 * ratio);
}

TEST(Collect, AnAverageHasItsSum) {
  const ExportedCase made = collected(example("tflite.AVERAGE_POOL_2D", 1), "tflite-ref-double");
  EXPECT_EQ(integers(made, "accumulator_output"), (Integers{2, 259, 130, -4, 247, 122, -3, -6, -4}));
}

TEST(Collect, TableHasTheResultOfEachCode) {
  const Case test = example("onnx.DequantizeLinear", 1);
  ASSERT_EQ(test.inputs.front().element().bits(), 8);
  const ExportedCase made = collected(test, "onnx");
  const std::vector<Real> table = values(made, "table_y"), expected = values(made, "expected_y");
  ASSERT_EQ(table.size(), 256U);
  for (std::int64_t i = 0; i < test.inputs.front().size(); ++i) EXPECT_EQ(table[test.inputs.front().code(i)], expected[static_cast<std::size_t>(i)]) << i;
}

TEST(Collect, UndefinedElementsHaveAMask) {
  const ExportedCase made = collected(example("onnx.QLinearConv", 4), "onnx");
  EXPECT_EQ(integers(made, "defined_y"), (Integers{0}));
  EXPECT_TRUE(has_nothing_defined(made));
  EXPECT_FALSE(has_nothing_defined(collected(example("onnx.QLinearConv", 4), "onnxruntime-x64")));
}

TEST(Collect, ACaseThatMustBeRefusedIsRefused) {
  const auto made = collect_case({pages(), **pages().find_profile("onnx")}, example("onnx.QLinearConv", 6));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "the case is ill-formed on purpose: it must be refused for B1");
}

}  // namespace
}  // namespace tiebreak
