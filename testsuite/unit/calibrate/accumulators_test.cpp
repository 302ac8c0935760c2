// SPDX-License-Identifier: Apache-2.0
// How wide accumulators must be: what is read off a float product is what `bits` finds of the integer operation with the same codes.
#include "testsuite/calibrate/accumulators.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpreter/orders/accumulator_range.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

Semantics plain_readings() { return {pages(), **pages().find_profile("reference")}; }
ElementType element(const char* name) { return *ElementType::parse(name); }

Tensor drawn(const char* type, Shape shape, std::uint32_t seed, int span) {
  auto tensor = Tensor::zeros({element(type), std::move(shape), {}});
  for (std::int64_t i = 0; i < tensor->size(); ++i) {
    seed = seed * 1664525U + 1013904223U;
    tensor->set_code(i, *tensor->element().encode(Real(static_cast<std::int64_t>(seed >> 8) % span - span / 2)));
  }
  return *std::move(tensor);
}

/// Scale 1: the codes of a float are the float, moved by the zero point.
QuantizedType by_one(const char* storage, const std::vector<std::int64_t>& zero_points, int axis = -1) {
  const ElementType type = element(storage);
  QuantizedType made{type, type.min(), type.max(), element("f32"), {}, {}, {}, {}};
  if (axis >= 0) made.dimensions = {{axis, 1}}, made.parameter_shape = {static_cast<std::int64_t>(zero_points.size())};
  for (const std::int64_t zero : zero_points) {
    made.scales.push_back({Real(1)});
    made.zero_points.push_back({Real(zero)});
  }
  return made;
}

AccumulatorNeed need_of(ProductOfCodes product) {
  const auto need = accumulator_need(plain_readings(), product);
  EXPECT_TRUE(need.has_value()) << to_text(need.error());
  EXPECT_TRUE(need && need->has_value()) << product.call.op;
  return need && *need ? **need : AccumulatorNeed{};
}

/// Weights with zero point 3, codes of u8 with zero point 100: the integer operation with these.
IntegerInterval bits_of(const char* op, const Tensor& x, const Tensor& weights, const char* ranged) {
  auto codes = Tensor::zeros({element("i8"), weights.shape(), {}}), zero_x = Tensor::zeros({element("u8"), {}, {}}),
       zero_w = Tensor::zeros({element("i8"), {}, {}});
  for (std::int64_t i = 0; i < weights.size(); ++i) codes->set_code(i, *codes->element().encode(weights.value(i) + Real(3)));
  zero_x->set_code(0, 100);
  zero_w->set_code(0, 3);
  const OpCall call{.op = op, .operands = {*Tensor::zeros({element("u8"), x.shape(), {}}), *codes, *zero_x, *zero_w}};
  const auto report = accumulator_range(plain_readings(), call, {.ranges = {{ranged, {0, 255}}}, .has_data = false});
  EXPECT_TRUE(report.has_value()) << to_text(report.error());
  return report ? report->worst.total : IntegerInterval{};
}

TEST(Accumulators, AreThoseOfTheIntegerOperation) {
  const QuantizedType u8 = by_one("u8", {100}), i8 = by_one("i8", {3});
  const Tensor x = drawn("f32", {2, 7}, 1, 100), w = drawn("f32", {7, 5}, 2, 200);
  const AccumulatorNeed dot = need_of({.call = {.op = "onnx.MatMul", .operands = {x, w}}, .types = {&u8, &i8}, .constant = {false, true}});
  EXPECT_EQ(dot.sums, bits_of("onnx.MatMulInteger", x, w, "A"));
  EXPECT_EQ(dot.terms, 7);
  const Tensor image = drawn("f32", {1, 3, 5, 5}, 3, 100), kernel = drawn("f32", {4, 3, 2, 2}, 4, 200);
  const AccumulatorNeed conv = need_of({.call = {.op = "onnx.Conv", .operands = {image, kernel}}, .types = {&u8, &i8}, .constant = {false, true}});
  EXPECT_EQ(conv.sums, bits_of("onnx.ConvInteger", image, kernel, "x"));
  EXPECT_EQ(conv.terms, 12);
}

/// 7 terms of any codes: 7 * 155 * 124 above zero, 7 * 155 * -131 below; the bias in i32 adds its own.
TEST(Accumulators, OperandsWithoutDataAndBiases) {
  const QuantizedType u8 = by_one("u8", {100}), i8 = by_one("i8", {3}), i32 = by_one("i32", {0});
  const Tensor x = drawn("f32", {2, 7}, 1, 100), y = drawn("f32", {7, 5}, 2, 200);
  const AccumulatorNeed any = need_of({.call = {.op = "onnx.MatMul", .operands = {x, y}}, .types = {&u8, &i8}, .constant = {false, false}});
  EXPECT_EQ(any.sums, (IntegerInterval{7 * 155 * -131, 7 * 155 * 124}));
  EXPECT_EQ(any.bits(), 19);
  auto bias = Tensor::zeros({element("f32"), {5}, {}});
  bias->set_code(4, *bias->element().encode(Real(1000000)));
  const AccumulatorNeed biased = need_of({.call = {.op = "onnx.Gemm", .operands = {x, y, *bias}}, .types = {&u8, &i8, &i32}, .constant = {false, false, true}});
  EXPECT_EQ(biased.sums, (IntegerInterval{7 * 155 * -131, 7 * 155 * 124 + 1000000}));
}

/// Zero points of channels: column 0 has codes -1 .. 1 about 0, column 1 about 120.
TEST(Accumulators, WeightsWithAScaleForEachChannel) {
  const QuantizedType u8 = by_one("u8", {0}), i8 = by_one("i8", {0, 120}, 1);
  auto x = Tensor::zeros({element("f32"), {1, 2}, {}}), w = Tensor::zeros({element("f32"), {2, 2}, {}});
  for (const std::int64_t i : {0, 1, 3}) w->set_code(i, *w->element().encode(Real(i == 0 ? -1 : 7)));
  const AccumulatorNeed need = need_of({.call = {.op = "onnx.MatMul", .operands = {*x, *w}}, .types = {&u8, &i8}, .constant = {false, true}});
  EXPECT_EQ(need.sums, (IntegerInterval{-255, 2 * 255 * 7}));
}

TEST(Accumulators, WhatIsNoProductHasNone) {
  const QuantizedType u8 = by_one("u8", {0});
  const Tensor x = drawn("f32", {2, 7}, 1, 100);
  EXPECT_FALSE(sums_products(pages(), {.op = "onnx.Add", .operands = {x, x}}));
  EXPECT_TRUE(sums_products(pages(), {.op = "onnx.MatMul", .operands = {x, drawn("f32", {7, 5}, 2, 200)}}));
  const auto none = accumulator_need(plain_readings(), {.call = {.op = "onnx.Softmax", .operands = {x}}, .types = {&u8}, .constant = {false}});
  ASSERT_TRUE(none.has_value());
  EXPECT_FALSE(none->has_value());
}

}  // namespace
}  // namespace tiebreak
