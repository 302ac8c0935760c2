// SPDX-License-Identifier: Apache-2.0
// What stands behind outputs, against plain integers: accumulators, multipliers and shifts, factors, tables.
#include "testsuite/export/collect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testsuite/export/benches.hpp"
#include "testsuite/oracle/fixed_point.hpp"
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

std::vector<std::string> notes_of(const ExportedCase& exported, const std::string& name) {
  const auto found = std::ranges::find(exported.tensors, name, &ExportedTensor::name);
  return found == exported.tensors.end() ? std::vector<std::string>{} : found->notes;
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
    const auto [mantissa, exponent] = oracle::fixed_multiplier(static_cast<double>(input) * static_cast<double>(filter) / static_cast<double>(output));
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
  const auto [mantissa, exponent] = oracle::fixed_multiplier(0.5 * 0.25 / 4.0);
  EXPECT_EQ(mantissa, 1 << 30);
  EXPECT_EQ(integers(made, "multiplier_output"), (Integers{mantissa}));
  EXPECT_EQ(integers(made, "shift_output"), (Integers{exponent}));
}

TEST(Collect, FloatFactorIsTheOneOfTheProfile) {
  const ExportedCase made = collected(example("onnx.QLinearConv", 3), "onnxruntime-x64");
  EXPECT_EQ(values(made, "factor_y"), (std::vector<Real>{Real::from_double(0.5), Real(1)}));
  EXPECT_TRUE(std::ranges::find(made.clauses, "onnx.QLinearConv/accumulator=wrap") != made.clauses.end());
}

float scale_of(const ExportedCase& exported, const std::string& name) {
  const auto found = std::ranges::find(exported.tensors, name, &ExportedTensor::name);
  return found == exported.tensors.end() ? 0 : static_cast<float>(found->tensor.type().quantized->scales[0].value.to_double());
}

/// `digits`: by how many places the page moves what is scaled to the left before.
void expect_multiplier(const ExportedCase& made, const std::string& of, double factor, int digits = 0) {
  const oracle::FixedMultiplier fixed = oracle::fixed_multiplier(factor);
  EXPECT_EQ(integers(made, "multiplier_" + of), (Integers{fixed.mantissa})) << of;
  EXPECT_EQ(integers(made, "shift_" + of), (Integers{fixed.exponent + digits})) << of;
}

/// Each operand of a sum is scaled by itself, with 20 bits more, and then the sum.
TEST(Collect, OperandsOfASumHaveMultipliersOfTheirOwn) {
  const ExportedCase made = collected(example("tflite.ADD", 2), "tflite-ref-double");
  const float lhs = scale_of(made, "in_lhs"), rhs = scale_of(made, "in_rhs"), output = scale_of(made, "expected_output");
  const double twice = 2.0 * static_cast<double>(std::max(lhs, rhs));
  expect_multiplier(made, "output_lhs", static_cast<double>(lhs) / twice, 20);
  expect_multiplier(made, "output_rhs", static_cast<double>(rhs) / twice, 20);
  expect_multiplier(made, "output_sum", twice / static_cast<double>(std::ldexp(output, 20)));
}

TEST(Collect, AProductOfOperandsIsScaledAsOne) {
  const ExportedCase made = collected(example("tflite.MUL", 1), "tflite-ref-double");
  const float product = scale_of(made, "in_lhs") * scale_of(made, "in_rhs");
  expect_multiplier(made, "output", static_cast<double>(product / scale_of(made, "expected_output")));
}

/// The interpreter subtracts a second sum, for the zero point: the first alone is not what the result is made of.
TEST(Collect, OneOfSeveralSumsIsNoAccumulator) {
  const Case test = example("stablehlo.dot_general", 1);
  EXPECT_EQ(integers(collected(test, "stablehlo-interpreter"), "accumulator_result"), Integers{});
  EXPECT_EQ(integers(collected(test, "reference"), "accumulator_result"), (Integers{40, -20, -528, 1026}));
}

/// The page sums products of real numbers: 40 stands for 40 * 0.5 * 0.25.
TEST(Collect, AnAccumulatorNamesTheScalesWithinTheSum) {
  const std::vector<std::string> notes = notes_of(collected(example("stablehlo.dot_general", 1), "reference"), "accumulator_result");
  EXPECT_TRUE(std::ranges::find(notes, "each stands for itself times 0.5 * 0.25") != notes.end()) << testing::PrintToString(notes);
  for (const std::string& note : notes_of(collected(example("onnx.QLinearConv", 2), "onnx"), "accumulator_y"))
    EXPECT_EQ(note.find("stands for itself"), std::string::npos) << note;
}

/// An output that is an input is given as it is; a value that is an output twice has one accumulator.
TEST(Collect, OutputsMayBeInputsOrTheSameValueTwice) {
  Case test = example("onnx.QLinearConv", 2);
  test.program.outputs.push_back(test.program.outputs.front());
  test.program.outputs.push_back(test.program.inputs.front());
  const ExportedCase made = collected(test, "onnx");
  EXPECT_EQ(values(made, "expected_x"), values(made, "in_x"));
  EXPECT_FALSE(values(made, "in_x").empty());
  EXPECT_EQ(integers(made, "expected_y_2"), integers(made, "expected_y"));
  EXPECT_FALSE(integers(made, "accumulator_y").empty());
  EXPECT_TRUE(integers(made, "accumulator_y_2").empty());
  const std::string bench = verilog_bench(made)[1].text;
  const std::size_t declared = bench.find("] accumulator_y [");
  ASSERT_NE(declared, std::string::npos) << bench;
  EXPECT_EQ(bench.find("] accumulator_y [", declared + 1), std::string::npos) << bench;
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

TEST(Collect, OutputsWithoutAnElementAreToldFromUndefinedOnes) {
  const auto test = case_from_example("// %x: []\n%y = \"onnx.Neg\"(%x) : (tensor<0xf32>) -> tensor<0xf32>\n", "x.md", 1);
  ASSERT_TRUE(test) << to_text(test.error());
  EXPECT_TRUE(has_no_output(collected(*test, "onnx")));
  EXPECT_FALSE(has_no_output(collected(example("onnx.QLinearConv", 4), "onnx")));
}

TEST(Collect, ACaseThatMustBeRefusedIsRefused) {
  const auto made = collect_case({pages(), **pages().find_profile("onnx")}, example("onnx.QLinearConv", 6));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "the case is ill-formed on purpose: it must be refused for B1");
}

}  // namespace
}  // namespace tiebreak
