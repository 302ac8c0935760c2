// SPDX-License-Identifier: Apache-2.0
#include "testsuite/unit/elementwise/filled_results.hpp"

namespace tiebreak {
namespace {

/// Bit patterns all over the type: every sign and exponent, nan and infinities among them.
Tensor patterns(const std::string& type, Shape shape, std::uint64_t step) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  const int bits = tensor.element().bits();
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, static_cast<std::uint64_t>(i) * step & mask);
  return tensor;
}

Tensor number(const std::string& type, double value) { return exact_scalar(type, Real::from_double(value)); }
Tensor line(const std::string& type, const std::vector<double>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {static_cast<std::int64_t>(values.size())}, {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), *tensor.element().encode(Real::from_double(values[i])));
  return tensor;
}

constexpr std::uint64_t odd = 2654435761u;  // visits the codes of a type in no order

OpCall quantize(Tensor x, Tensor scale, Tensor zero_point, std::int64_t axis = 1) {
  OpCall call{.op = "onnx.QuantizeLinear", .operands = {std::move(x), std::move(scale), std::move(zero_point)}, .version = 21};
  call.attributes = {{"axis", Attribute{axis}}};
  return call;
}

constexpr std::int64_t many = std::int64_t{1} << 19;

TEST(FillByStairs, QuantizationsOfEveryInput) {
  for (const char* profile : {"onnx", "onnxruntime-x64", "reference"})
    for (const char* code : {"u8", "i8"}) expect_filled(quantize(patterns("f32", {many}, odd), number("f32", 0.1f), number(code, 3)), profile);
}

TEST(FillByStairs, ScalesFarFromOne) {
  for (const double scale : {0x1p-100, 0x1p-30, 3e20, 0x1p120}) {
    SCOPED_TRACE(scale);
    expect_filled(quantize(patterns("f32", {many}, odd), number("f32", static_cast<float>(scale)), number("u8", 128)), "onnx");
  }
}

TEST(FillByStairs, ParametersOfEachChannel) {
  expect_filled(quantize(patterns("f32", {2, 3, many / 4}, odd), line("f32", {0.5, 0.1f, 7}), line("i8", {0, -128, 127})), "onnx");
  expect_filled(quantize(patterns("f32", {many / 4, 3}, odd), line("f32", {0.5, 0.1f, 7}), line("i8", {0, -128, 127})), "onnx");
}

TEST(FillByStairs, HalvesAndWholeNumbers) {
  expect_filled(quantize(patterns("f16", {many}, 7), number("f16", 0.25), number("u8", 100)), "onnx");
  expect_filled(quantize(patterns("bf16", {many}, 7), number("bf16", 0.25), number("i8", 100)), "onnx");
  expect_filled(quantize(patterns("i32", {many}, odd), number("f32", 0x1p20), number("i8", 1)), "onnx");
}

TEST(FillByStairs, RequantizationsOfSystems) {
  for (const char* profile : {"tflite-ref-double", "tflite-ref-single", "onnxruntime-x64", "xnnpack-x64", "cmsis-nn-2023"})
    if (spec_pages()->find_profile(profile))
      for (const double scale : {100.0, 3000.0, 1e6}) {
        OpCall call{.op = "quant.requantize",
                    .operands = {patterns("i32", {many}, odd), number("f32", 0.25), number("f32", 1), number("f32", scale), number("i8", -3)}};
        expect_filled(call, profile);
      }
}

TEST(FillByStairs, TooFewCellsForTheStairsAreLeftOver) {
  expect_filled(quantize(patterns("f32", {1 << 15}, odd), number("f32", 0.1f), number("u8", 3)), "onnx", Fill::left_over);
}

TEST(FillByCodes, OneOperand) {
  for (const char* type : {"u8", "i8", "u4", "i4"}) {
    OpCall call{.op = "onnx.DequantizeLinear", .operands = {patterns(type, {5000}, 7), number("f32", 0.1f), number(type, 3)}, .version = 21};
    expect_filled(call, "onnx");
  }
}

TEST(FillByCodes, ParametersOfEachChannel) {
  for (const Shape& shape : {Shape{3, 5000}, Shape{2, 3, 4000}}) {
    OpCall call{.op = "onnx.DequantizeLinear", .operands = {patterns("i8", shape, 7), line("f32", {0.5, 0.1f, 7}), line("i8", {0, -128, 127})}, .version = 21};
    call.attributes = {{"axis", Attribute{std::int64_t{shape.size() == 2 ? 0 : 1}}}};
    expect_filled(call, "onnx");
  }
  OpCall last{
      .op = "onnx.DequantizeLinear", .operands = {patterns("i8", {5000, 3}, 7), line("f32", {0.5, 0.1f, 7}), line("i8", {0, -128, 127})}, .version = 21};
  expect_filled(last, "onnx");
}

TEST(FillByCodes, EightBitFloatsWithTheirNan) {
  for (const char* type : {"f8E4M3FN", "f8E5M2"}) {
    OpCall call{.op = "onnx.DequantizeLinear", .operands = {patterns(type, {5000}, 7), number("f32", 0.1f), number(type, 0)}, .version = 21};
    expect_filled(call, "onnx");
  }
}

TEST(FillByCodes, TwoOperands) {
  for (const char* type : {"u8", "i8"}) {
    OpCall call{.op = "microsoft.QLinearAdd",
                .operands = {patterns(type, {many}, 7), number("f32", 0.1f), number(type, 3), patterns(type, {many}, odd >> 5), number("f32", 0.3f),
                             number(type, 4), number("f32", 0.35f), number(type, 5)}};
    expect_filled(call, "onnxruntime-x64");
  }
}

TEST(FloatOperations, SumsAndQuotientsOfEveryInput) {
  for (const char* op : {"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div"})
    expect_filled({.op = op, .operands = {patterns("f32", {many}, odd), patterns("f32", {many}, 40503u * 77777u)}, .version = 14}, "onnx");
}

TEST(FloatOperations, OneNumberForAll) {
  for (const double one : {0.0, -0.0, 0.3, 0x1p-140})
    expect_filled({.op = "onnx.Div", .operands = {patterns("f32", {many}, odd), number("f32", static_cast<float>(one))}, .version = 14}, "onnx");
}

TEST(FloatOperations, NumbersOfEachChannel) {
  for (const Shape& shape : {Shape{3, 1, 1}, Shape{1, 3, 1}, Shape{64}, Shape{1, 1, 64}, Shape{3, 5, 1}})
    for (const bool second : {false, true}) {
      std::vector<std::optional<Tensor>> operands{patterns("f32", {3, 40, 64}, odd), patterns("f32", shape, 0x12345679)};
      if (shape == Shape{1, 3, 1} || shape == Shape{3, 5, 1}) operands[0] = patterns("f32", {3, shape[1], 640}, odd);
      if (second) std::swap(operands[0], operands[1]);
      expect_filled({.op = "onnx.Sub", .operands = operands, .version = 14}, "onnx");
    }
}

TEST(FloatOperations, WhatNeedsNoRounding) {
  const Tensor every = patterns("f32", {many}, odd);
  for (const char* op : {"onnx.Relu", "onnx.LeakyRelu", "onnx.Neg", "onnx.Abs", "onnx.Sqrt"})
    expect_filled({.op = op, .operands = {every}, .version = 16}, "onnx");
  for (const char* op : {"onnx.Max", "onnx.Min"}) {
    expect_filled({.op = op, .operands = {every, patterns("f32", {many}, 40503u * 77777u)}, .version = 13}, "onnx");
    for (const double one : {0.0, -0.0, 3.0}) expect_filled({.op = op, .operands = {every, number("f32", one)}, .version = 13}, "onnx");
  }
  for (const double low : {0.0, -0.0, -1.0})
    expect_filled({.op = "onnx.Clip", .operands = {every, number("f32", low), number("f32", 6)}, .version = 13}, "onnx");
}

TEST(FloatOperations, WholeNumbersAreRoundedOnce) {
  OpCall cast{.op = "onnx.Cast", .operands = {patterns("i32", {many}, odd)}, .version = 19};
  cast.attributes = {{"to", Attribute{*ElementType::parse("f32")}}};
  expect_filled(cast, "onnx");
}

TEST(FloatOperations, WhatIsNoSingleOperationIsLeftOver) {
  expect_filled({.op = "onnx.Add", .operands = {patterns("f16", {many}, 7), patterns("f16", {many}, 11)}, .version = 14}, "onnx", Fill::left_over);
  expect_filled({.op = "onnx.Tanh", .operands = {patterns("f32", {5000}, odd)}, .version = 13}, "onnx", Fill::left_over);
}

OpCall convolved(Tensor w_scale, bool has_bias) {
  const std::int64_t features = w_scale.size();
  OpCall call{.op = "onnx.QLinearConv",
              .operands = {patterns("u8", {1, 8, 300, 300}, 7), number("f32", 0.02f), number("u8", 128), patterns("i8", {features, 8, 3, 3}, 41), w_scale,
                           number("i8", 0), number("f32", 0.3f), number("u8", 100)},
              .version = 10};
  if (has_bias) call.operands.push_back(patterns("i32", {features}, 977));
  return call;
}

TEST(BehindSums, ConvolutionsAndMatrices) {
  for (const char* profile : {"onnx", "onnxruntime-x64"})
    for (const bool has_bias : {false, true}) expect_filled(convolved(number("f32", 0.01f), has_bias), profile);
  expect_filled(convolved(line("f32", {0.01f, 0.02f, 0.03f}), true), "onnx");
  OpCall matrices{.op = "onnx.QLinearMatMul",
                  .operands = {patterns("i8", {500, 64}, 7), number("f32", 0.02f), number("i8", 1), patterns("i8", {64, 700}, 41), number("f32", 0.01f),
                               number("i8", 3), number("f32", 0.3f), number("i8", -5)},
                  .version = 21};
  expect_filled(matrices, "onnx");
}

TEST(BehindSums, SumsThatAreFloatsOrTheResultItselfAreLeftOver) {
  expect_filled({.op = "onnx.MatMulInteger", .operands = {patterns("i8", {500, 64}, 7), patterns("i8", {64, 700}, 41)}, .version = 10}, "onnx",
                Fill::left_over);
  expect_filled({.op = "onnx.MatMul", .operands = {patterns("f32", {300, 8}, odd), patterns("f32", {8, 300}, odd)}, .version = 13}, "onnx", Fill::left_over);
}

TEST(WithinRows, DynamicQuantization) {
  Tensor x = patterns("f32", {3, 50, 700}, odd);
  for (std::int64_t i = 0; i < x.size(); ++i) x.set_code(i, std::bit_cast<std::uint32_t>(static_cast<float>(i % 5003 - 1000) * 0.0137f));
  for (const char* profile : {"onnx", "onnxruntime-x64"}) expect_filled({.op = "onnx.DynamicQuantizeLinear", .operands = {x}, .version = 11}, profile);
  x.set_code(77, 0x7FC00000u);
  expect_filled({.op = "onnx.DynamicQuantizeLinear", .operands = {x}, .version = 11}, "onnx", Fill::left_over);
}

TEST(WithinRows, EachRowHasItsOwnParameters) {
  Tensor x = *Tensor::zeros({*ElementType::parse("f32"), {3, 2, 200000}, {}});
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.set_code(i, std::bit_cast<std::uint32_t>(static_cast<float>(i % 5003 - 1000) * 0.0137f * static_cast<float>(1 + i / 400000)));
  for (const bool last : {true, false}) {
    OpCall call{.op = "quant.dynamic", .operands = {x}};
    call.attributes = {{"axes", Attribute::integers(last ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{0, 2})}};
    expect_filled(call, "reference", last ? Fill::whole : Fill::left_over);  // rows along other dimensions lie apart
  }
}

}  // namespace
}  // namespace tiebreak
