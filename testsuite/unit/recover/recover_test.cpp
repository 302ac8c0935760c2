// SPDX-License-Identifier: Apache-2.0
// Parameters come back from types, operands, folded arithmetic and weights on a grid; what does not is listed with its place.
#include "testsuite/recover/recover.hpp"

#include <gtest/gtest.h>

#include "interpreter/relay/relay.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

RecoveredParameters recovered(const std::string& text, int printed_digits = 0) {
  const auto parsed = parse_program(text, "p");
  if (!parsed) {
    ADD_FAILURE() << to_text(parsed.error());
    return {};
  }
  const auto found = recover_parameters(pages(), parsed->functions.at(0), {.printed_digits = printed_digits});
  if (!found) {
    ADD_FAILURE() << to_text(found.error());
    return {};
  }
  return *found;
}

/// `x: !quant... <- from`, a line each; then `lost x: scale`.
std::string said(const RecoveredParameters& found) {
  std::string text;
  for (const RecoveredTensor& tensor : found.tensors) text += tensor.parameters.tensor + ": " + to_text(tensor.parameters.type) + "\n";
  for (const LostParameter& lost : found.lost) text += "lost " + lost.tensor + ": " + lost.what + "\n";
  return text;
}

std::string scale(double value) { return scale_text(Real::from_double(value)); }

constexpr const char* folded_relay = R"(def @main(%X: Tensor[(1, 8), float32]) -> Tensor[(1, 8), float32] {
  %0 = multiply(%X, 8429.23f /* ty=float32 */) /* ty=Tensor[(1, 8), float32] */;
  %1 = round(%0) /* ty=Tensor[(1, 8), float32] */;
  %2 = clip(%1, a_min=-127f, a_max=127f) /* ty=Tensor[(1, 8), float32] */;
  %3 = cast(%2, dtype="int8") /* ty=Tensor[(1, 8), int8] */;
  %4 = nn.dense(%3, meta[relay.Constant][0] /* ty=Tensor[(8, 8), int8] */ /* ty=Tensor[(8, 8), int8] */, units=None, out_dtype="int8") /* ty=Tensor[(1, 8), int8] */;
  %5 = on_device(%4, meta[relay.attrs.OnDeviceAttrs][0]) /* ty=Tensor[(1, 8), int8] */;
  %6 = annotation.quantize_info(%5, meta[relay.attrs.QuantizeInfoAttrs][0]) /* ty=Tensor[(1, 8), int8] */;
  %7 = on_device(%6, meta[relay.attrs.OnDeviceAttrs][1]) /* ty=Tensor[(1, 8), int8] */;
  %8 = cast(%7, dtype="float32") /* ty=Tensor[(1, 8), float32] */;
  multiply(%8, 4.63417e-07f /* ty=float32 */) /* ty=Tensor[(1, 8), float32] */
})";

TEST(Recover, TheScaleThatTvmFoldedAway) {
  const RecoveredParameters found = recovered(folded_relay, 6);
  EXPECT_EQ(found.lost.size(), 0u) << said(found);
  ASSERT_EQ(found.tensors.size(), 3u) << said(found);
  const TensorParameters& x = found.tensors[1].parameters.tensor == "X" ? found.tensors[1].parameters : found.tensors[0].parameters;
  EXPECT_EQ(x.tensor, "X");
  EXPECT_EQ(x.from, "recovered: 1 / 8429.23");
  const float factor = 8429.23f, reciprocal = 1.0f / factor;
  EXPECT_TRUE(x.type.scales[0].value.identical(Real::from_double(reciprocal)));
  EXPECT_EQ(1.0f / reciprocal, factor) << "its reciprocal is the factor";
  EXPECT_EQ(x.type.storage_min, Real(-127));
  EXPECT_EQ(x.type.storage_max, Real(127));
  EXPECT_TRUE(x.type.zero_points[0].value.is_zero());
  ASSERT_TRUE(x.range);
  EXPECT_NEAR(x.range->high.to_double(), 0.015185, 5e-7) << "128 steps";
  const ParameterSet set = found.set();
  const TensorParameters* weight = set.find("meta.relay.Constant.0");
  ASSERT_NE(weight, nullptr) << said(found);
  EXPECT_TRUE(weight->type.scales[0].value.identical(Real::dyadic(1, -8)));
  EXPECT_EQ(weight->from, "recovered: 4.63417e-07 / scale of X, 2^-8");
  ASSERT_NE(set.find("result"), nullptr);
  EXPECT_EQ(set.find("result")->from, "recovered: 4.63417e-07");
}

TEST(Recover, SixDigitsDoNotDecideWhatNineDo) {
  // Taken as an exact f32, the constant is no power of two away from the product.
  const ParameterSet set = recovered(folded_relay).set();
  ASSERT_NE(set.find("meta.relay.Constant.0"), nullptr);
  EXPECT_FALSE(set.find("meta.relay.Constant.0")->type.scales[0].value.identical(Real::dyadic(1, -8)));
}

TEST(Recover, TheSameInOnnxOperators) {
  const std::string text = R"(func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xi8>) -> tensor<2x4xf32> {
    %m = stablehlo.constant dense<64.0> : tensor<f32>
    %lo = stablehlo.constant dense<-127.0> : tensor<f32>
    %hi = stablehlo.constant dense<127.0> : tensor<f32>
    %s = stablehlo.constant dense<0.001953125> : tensor<f32>
    %0 = "onnx.Mul"(%x, %m) <{version = 14 : i64}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %1 = "onnx.Round"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "onnx.Clip"(%1, %lo, %hi) <{version = 13 : i64}> : (tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
    %x.q = "onnx.Cast"(%2) {to = i8} : (tensor<2x3xf32>) -> tensor<2x3xi8>
    %acc = "onnx.MatMulInteger"(%x.q, %w) : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
    %f = "onnx.Cast"(%acc) {to = f32} : (tensor<2x4xi32>) -> tensor<2x4xf32>
    %y = "onnx.Mul"(%f, %s) <{version = 14 : i64}> : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    return %y : tensor<2x4xf32>
  })";
  EXPECT_EQ(said(recovered(text)),
            "w: !quant.uniform<i8:f32, 0.125>\nx: !quant.uniform<i8<-127:127>:f32, 0.015625>\ny: !quant.uniform<i32:f32, 0.001953125>\n");
}

TEST(Recover, ADivisionAndAZeroPoint) {
  const std::string text = R"(func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %s = stablehlo.constant dense<0.1> : tensor<2x3xf32>
    %z = stablehlo.constant dense<7.0> : tensor<2x3xf32>
    %lo = stablehlo.constant dense<0.0> : tensor<f32>
    %hi = stablehlo.constant dense<255.0> : tensor<f32>
    %0 = stablehlo.divide %x, %s : tensor<2x3xf32>
    %1 = stablehlo.round_nearest_even %0 : tensor<2x3xf32>
    %2 = stablehlo.add %1, %z : tensor<2x3xf32>
    %3 = stablehlo.clamp %lo, %2, %hi : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %4 = stablehlo.convert %3 : (tensor<2x3xf32>) -> tensor<2x3xui8>
    %5 = stablehlo.convert %4 : (tensor<2x3xui8>) -> tensor<2x3xf32>
    %6 = stablehlo.subtract %5, %z : tensor<2x3xf32>
    %7 = stablehlo.multiply %6, %s : tensor<2x3xf32>
    return %7 : tensor<2x3xf32>
  })";
  EXPECT_EQ(said(recovered(text)), "x: !quant.uniform<u8:f32, " + scale(0.1f) + ":7>\n");
}

TEST(Recover, CodesThatAreGivenAndDequantizedByHand) {
  const std::string text = R"(func.func @main(%x: tensor<2xui8>) -> tensor<2xf32> {
    %s = stablehlo.constant dense<0.25> : tensor<2xf32>
    %z = stablehlo.constant dense<3.0> : tensor<2xf32>
    %5 = stablehlo.convert %x : (tensor<2xui8>) -> tensor<2xf32>
    %6 = stablehlo.subtract %5, %z : tensor<2xf32>
    %y = stablehlo.multiply %6, %s : tensor<2xf32>
    return %y : tensor<2xf32>
  })";
  EXPECT_EQ(said(recovered(text)), "y: !quant.uniform<u8:f32, 0.25:3>\n");
}

TEST(Recover, OperandsAndTypes) {
  const std::string qdq = R"(func.func @main(%x: tensor<1x2xf32>) -> tensor<1x3xf32> {
    %s = stablehlo.constant dense<0.5> : tensor<f32>
    %z = stablehlo.constant dense<3> : tensor<ui8>
    %w.q = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
    %ws = stablehlo.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>
    %wz = stablehlo.constant dense<0> : tensor<3xi8>
    %q = "onnx.QuantizeLinear"(%x, %s, %z) <{version = 13 : i64}> : (tensor<1x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2xui8>
    %d = "onnx.DequantizeLinear"(%q, %s, %z) <{version = 13 : i64}> : (tensor<1x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2xf32>
    %w = "onnx.DequantizeLinear"(%w.q, %ws, %wz) <{axis = 1 : i64, version = 13 : i64}> : (tensor<2x3xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3xf32>
    %y = "onnx.MatMul"(%d, %w) <{version = 13 : i64}> : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
    return %y : tensor<1x3xf32>
  })";
  EXPECT_EQ(said(recovered(qdq)), "w: !quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>\nx: !quant.uniform<u8:f32, 0.5:3>\n");
  const std::string typed = R"(!q = !quant.uniform<i8<-127:127>:f32, 0.5>
  func.func @main(%x: tensor<2xf32>, %a: tensor<2x!quant.any<i8:f32>>) -> tensor<2xf32> {
    %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!q>
    %y.q = stablehlo.add %0, %0 : tensor<2x!q>
    %1 = stablehlo.uniform_dequantize %y.q : (tensor<2x!q>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  })";
  EXPECT_EQ(said(recovered(typed)), "x: !quant.uniform<i8<-127:127>:f32, 0.5>\ny: !quant.uniform<i8<-127:127>:f32, 0.5>\nlost a: scale\nlost a: zero point\n");
}

TEST(Recover, OperandsOfRelay) {
  const std::string text = R"(fn (%data: Tensor[(1, 1, 3, 3), float32], %weight: Tensor[(1, 1, 2, 2), int8], %bias: Tensor[(1), int32]) {
    %0 = qnn.quantize(%data, 0.25f, -1, out_dtype="int8", axis=1) /* ty=Tensor[(1, 1, 3, 3), int8] */;
    %1 = qnn.conv2d(%0, %weight, -1, 0, 0.25f, 0.125f, padding=[0, 0, 0, 0], channels=1, kernel_size=[2, 2], out_dtype="int32") /* ty=Tensor[(1, 1, 2, 2), int32] */;
    %2 = nn.bias_add(%1, %bias) /* ty=Tensor[(1, 1, 2, 2), int32] */;
    %3 = qnn.requantize(%2, 0.03125f, 0, 0.5f, 3, axis=1, out_dtype="int8") /* ty=Tensor[(1, 1, 2, 2), int8] */;
    qnn.dequantize(%3, 0.5f, 3) /* ty=Tensor[(1, 1, 2, 2), float32] */
  })";
  EXPECT_EQ(said(recovered(text, 6)),
            "weight: !quant.uniform<i8:f32, 0.125>\nbias: !quant.uniform<i32:f32, 0.03125>\ndata: !quant.uniform<i8:f32, 0.25:-1>\n"
            "1: !quant.uniform<i32:f32, 0.03125>\n2: !quant.uniform<i32:f32, 0.03125>\nresult: !quant.uniform<i8:f32, 0.5:3>\n");
}

TEST(Recover, AnAnnotationCarriesThem) {
  const std::string text = R"(fn (%x: Tensor[(1, 2), int8], %w: Tensor[(3, 2), int8]) {
    %0 = annotation.quantize_info(%x, ndom_scale=0.5f, nclip_min=-127, nclip_max=127);
    %1 = nn.dense(%0, %w, units=3, out_dtype="int32") /* ty=Tensor[(1, 3), int32] */;
    %2 = annotation.quantize_info(%1, ndom_scale=0.0625f, nclip_min=-2147483647, nclip_max=2147483647);
    cast(%2, dtype="float32")
  })";
  EXPECT_EQ(said(recovered(text, 6)),
            "x: !quant.uniform<i8<-127:127>:f32, 0.5>\nw: !quant.uniform<i8:f32, 0.125>\n1: !quant.uniform<i32<-2147483647:2147483647>:f32, 0.0625>\n");
}

TEST(Recover, WhatIsLostIsSaidWithItsPlace) {
  const RecoveredParameters dynamic = recovered(R"(func.func @main(%x: tensor<1x2xf32>, %w: tensor<2x3xi8>) -> tensor<1x3xi32> {
    %q, %s, %z = "onnx.DynamicQuantizeLinear"(%x) : (tensor<1x2xf32>) -> (tensor<1x2xui8>, tensor<f32>, tensor<ui8>)
    %y = "onnx.MatMulInteger"(%q, %w, %z) : (tensor<1x2xui8>, tensor<2x3xi8>, tensor<ui8>) -> tensor<1x3xi32>
    return %y : tensor<1x3xi32>
  })");
  EXPECT_EQ(said(dynamic), "lost w: scale\nlost q: scale\nlost q: zero point\nlost y: scale\n");
  EXPECT_EQ(dynamic.lost[1].why, "y_scale of onnx.DynamicQuantizeLinear is computed while the program runs");
  EXPECT_EQ(dynamic.lost[1].place, "p:2:18");

  // Requantized by a single factor: of both scales only the quotient is left.
  const RecoveredParameters requantized = recovered(R"(func.func @main(%x: tensor<1x2xi8>, %w: tensor<2x3xi8>) -> tensor<1x3xi8> {
    %m = stablehlo.constant dense<0.125> : tensor<1x3xf32>
    %acc = "onnx.MatMulInteger"(%x, %w) : (tensor<1x2xi8>, tensor<2x3xi8>) -> tensor<1x3xi32>
    %f = stablehlo.convert %acc : (tensor<1x3xi32>) -> tensor<1x3xf32>
    %p = stablehlo.multiply %f, %m : tensor<1x3xf32>
    %r = stablehlo.round_nearest_even %p : tensor<1x3xf32>
    %y = stablehlo.convert %r : (tensor<1x3xf32>) -> tensor<1x3xi8>
    return %y : tensor<1x3xi8>
  })");
  EXPECT_EQ(said(requantized), "lost x: scale\nlost w: scale\nlost acc: scale\nlost y: scale\n");
}

std::string with_weights(const std::string& weights) {
  return R"(func.func @main(%x: tensor<1x2xf32>) -> tensor<1x3xf32> {
    %s = stablehlo.constant dense<0.5> : tensor<f32>
    %z = stablehlo.constant dense<3> : tensor<ui8>
    %w = stablehlo.constant dense<)" +
         weights + R"(> : tensor<2x3xf32>
    %q = "onnx.QuantizeLinear"(%x, %s, %z) <{version = 13 : i64}> : (tensor<1x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2xui8>
    %d = "onnx.DequantizeLinear"(%q, %s, %z) <{version = 13 : i64}> : (tensor<1x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2xf32>
    %y = "onnx.MatMul"(%d, %w) <{version = 13 : i64}> : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
    return %y : tensor<1x3xf32>
  })";
}

TEST(Recover, WeightsThatWereFoldedToFloats) {
  const std::string x = "x: !quant.uniform<u8:f32, 0.5:3>\n";
  const auto code = [](int whole) { return scale(static_cast<float>(whole) * 0.0137f); };
  const std::string grid = "[[" + code(127) + ", " + code(-3) + ", " + code(0) + "], [" + code(-50) + ", " + code(1) + ", " + code(64) + "]]";
  EXPECT_EQ(said(recovered(with_weights(grid))), x + "w: !quant.uniform<i8<-127:127>:f32, " + scale(0.0137f) + ">\n");
  EXPECT_EQ(said(recovered(with_weights("[[0.1, 0.7234234, -0.31234], [0.5123, -0.912311, 0.222334]]"))), x + "lost w: scale\n");
}

}  // namespace
}  // namespace tiebreak
