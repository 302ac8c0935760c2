// SPDX-License-Identifier: Apache-2.0
// Layouts, parameters and refusals of the lowerings, without a runtime: whether the operators then compute what a profile says is asked of the backends.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "testsuite/tflite/lower.hpp"
#include "testsuite/tflite/script.hpp"

namespace tiebreak::tflite {
namespace {

Tensor scale(std::vector<float> values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), values.size() == 1 ? Shape{} : Shape{static_cast<std::int64_t>(values.size())}, {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), std::bit_cast<std::uint32_t>(values[i]));
  return tensor;
}

/// 0, 1, 2 ... as codes.
Tensor counting(const char* type, Shape shape) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, static_cast<std::uint64_t>(i) & 0xFFU);
  return tensor;
}

Tensor zero_point(const char* type, int value) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {}, {}});
  tensor.set_code(0, static_cast<std::uint64_t>(value) & 0xFFU);
  return tensor;
}

OpCall convolution(const char* type, int weights_zero_point) {
  const ElementType element = *ElementType::parse(type);
  return {"onnx.QLinearConv",
          {{"pads", Attribute::integers({1, 0, 0, 0})}},
          {counting(type, {1, 2, 3, 4}), scale({0.5f}), zero_point(type, 7), counting(type, {5, 2, 2, 1}), scale({0.25f}), zero_point(type, weights_zero_point),
           scale({2.0f}), zero_point(type, 1)},
          {element, {1, 5, 3, 4}, {}}};
}

TEST(Lower, ConvolutionsPutChannelsLastAndThePaddingIntoTheTensor) {
  const auto lowered = lower(convolution("i8", 0), {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const Tensor& x = lowered->inputs.at(0);
  EXPECT_EQ(x.shape(), (Shape{1, 4, 4, 2}));
  EXPECT_EQ(x.code(0), 7U) << "a row of zero points before the first";
  EXPECT_EQ(x.code(4 * 2), 0U);
  EXPECT_EQ(x.code(4 * 2 + 1), 12U) << "the second channel of the first place";
  const ModelTensor& w = lowered->model.tensors.at(1);
  EXPECT_EQ(w.type.shape, (Shape{5, 2, 1, 2}));
  EXPECT_EQ(w.constant->code(1), 2U) << "second input channel, same place";
  const ModelTensor& bias = lowered->model.tensors.at(2);
  EXPECT_EQ(bias.quantization->scales.at(0), 0.125f);
  EXPECT_EQ(bias.type.shape, (Shape{5}));
}

TEST(Lower, ResultsComeBackChannelsFirst) {
  const auto lowered = lower(convolution("i8", 0), {});
  ASSERT_TRUE(lowered);
  const auto result = result_of(*lowered, counting("i8", {1, 3, 4, 5}));
  ASSERT_TRUE(result) << to_text(result.error());
  EXPECT_EQ(result->shape(), (Shape{1, 5, 3, 4}));
  EXPECT_EQ(result->code(1), 5U) << "next place, same channel";
  EXPECT_EQ(result->code(12), 1U) << "next channel";
  EXPECT_FALSE(result_of(*lowered, counting("i8", {1, 3, 4, 4})));
}

TEST(Lower, AHostWithoutInt8GetsU8MovedBy128) {
  OpCall call{
      "quant.add",
      {},
      {counting("i8", {2}), scale({0.5f}), zero_point("i8", -5), counting("i8", {2}), scale({0.5f}), zero_point("i8", 0), scale({1.0f}), zero_point("i8", 3)},
      {*ElementType::parse("i8"), {2}, {}}};
  const auto lowered = lower(call, {.unsigned_host = true});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  EXPECT_EQ(lowered->inputs.at(0).element().name(), "u8");
  EXPECT_EQ(lowered->inputs.at(0).code(1), 129U);
  EXPECT_EQ(lowered->model.tensors.at(0).quantization->zero_points.at(0), 123);
  EXPECT_EQ(lowered->model.operators.size(), 4U) << "QUANTIZE, QUANTIZE, ADD, QUANTIZE";
  const auto result = result_of(*lowered, counting("u8", {2}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->code(0), 0x80U) << "0 of u8 is -128 of i8";
  EXPECT_EQ(lower(call, {})->model.operators.size(), 1U);
}

TEST(Lower, MatricesHaveTheirWeightsTransposed) {
  OpCall call{"onnx.QLinearMatMul",
              {},
              {counting("i8", {2, 3}), scale({0.5f}), zero_point("i8", 0), counting("i8", {3, 4}), scale({1, 2, 3, 4}), zero_point("i8", 0), scale({1.0f}),
               zero_point("i8", 0)},
              {*ElementType::parse("i8"), {2, 4}, {}}};
  const auto lowered = lower(call, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const ModelTensor& w = lowered->model.tensors.at(1);
  EXPECT_EQ(w.type.shape, (Shape{4, 3}));
  EXPECT_EQ(w.constant->code(1), 4U);
  EXPECT_EQ(w.quantization->scales.size(), 4U);
  EXPECT_EQ(lowered->model.operators.at(0).version, 12);
}

/// The delegate leaves such scales to another kernel, and not every host says so.
TEST(Lower, AddRefusesScalesThatTheDelegateDoesNotTake) {
  OpCall call{"quant.add",
              {},
              {counting("i8", {2}), scale({0.5f}), zero_point("i8", 0), counting("i8", {2}), scale({0x1p-11f}), zero_point("i8", 0), scale({1.0f}),
               zero_point("i8", 0)},
              {*ElementType::parse("i8"), {2}, {}}};
  EXPECT_FALSE(lower(call, {}));
  EXPECT_TRUE(lower(call, {.builtin_kernels = true}));
  call.operands[4] = scale({0x1p-10f});
  EXPECT_TRUE(lower(call, {}));
}

TEST(Lower, HybridProductsHaveFloatRowsAndConstantWeights) {
  QuantizedType quantized{*ElementType::parse("i8"),  Real(-128),          Real(127), *ElementType::parse("f32"), {}, {},
                          {Scale{Real(1) / Real(4)}}, {ZeroPoint{Real(0)}}};
  Tensor weights = *Tensor::zeros({*ElementType::parse("i8"), {3, 2}, quantized});
  weights.set_code(1, 7);
  OpCall call{"hybrid.dot_general",
              {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}},
              {*Tensor::zeros({*ElementType::parse("f32"), {4, 3}, {}}), weights},
              {*ElementType::parse("f32"), {4, 2}, {}}};
  const auto lowered = lower(call, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const ModelTensor& w = lowered->model.tensors.at(1);
  EXPECT_EQ(w.type.shape, (Shape{2, 3}));
  EXPECT_EQ(w.constant->code(3), 7U) << "the second column's first";
  EXPECT_EQ(w.quantization->scales, (std::vector<float>{0.25f}));
  EXPECT_FALSE(lowered->model.tensors.at(0).quantization);
  EXPECT_FALSE(lower(call, {.builtin_kernels = true})->model.tensors.at(1).constant) << "the delegate takes constant weights alone";
  call.attributes["rhs_contracting_dimensions"] = Attribute::integers({1});
  EXPECT_FALSE(lower(call, {}));
}

/// [1, 3, 2] by [2, 1 or 2, 4], channels last, a place of padding.
OpCall hybrid_convolution(std::int64_t groups, std::vector<Scale> scales) {
  QuantizedType quantized{*ElementType::parse("i8"), Real(-128), Real(127), *ElementType::parse("f32"), {}, {}, scales, {}};
  quantized.zero_points.assign(scales.size(), ZeroPoint{Real(0)});
  if (scales.size() > 1) {
    quantized.dimensions = {{2, 1}};
    quantized.parameter_shape = {static_cast<std::int64_t>(scales.size())};
  }
  Tensor weights = counting("i8", {2, 2 / groups, 4});
  weights.set_type({weights.element(), weights.shape(), quantized});
  const auto number = [](std::int64_t value) { return Attribute{Real(value)}; };
  return {"hybrid.convolution",
          {{"input_batch_dimension", number(0)},
           {"input_spatial_dimensions", Attribute::integers({1})},
           {"input_feature_dimension", number(2)},
           {"kernel_spatial_dimensions", Attribute::integers({0})},
           {"kernel_input_feature_dimension", number(1)},
           {"kernel_output_feature_dimension", number(2)},
           {"output_batch_dimension", number(0)},
           {"output_spatial_dimensions", Attribute::integers({1})},
           {"output_feature_dimension", number(2)},
           {"feature_group_count", number(groups)},
           {"padding", Attribute{AttributeList{Attribute::integers({1, 0})}}}},
          {*Tensor::zeros({*ElementType::parse("f32"), {1, 3, 2}, {}}), weights},
          {*ElementType::parse("f32"), {1, 3, 4}, {}}};
}

TEST(Lower, HybridConvolutionsHaveConstantFilters) {
  const Scale half{Real(1) / Real(2)};
  const auto plain = lower(hybrid_convolution(1, {half, half, half, half}), {});
  ASSERT_TRUE(plain) << to_text(plain.error());
  EXPECT_EQ(plain->inputs.at(0).shape(), (Shape{1, 1, 4, 2})) << "the padding is in the tensor";
  const ModelTensor& filter = plain->model.tensors.at(1);
  EXPECT_EQ(filter.type.shape, (Shape{4, 1, 2, 2}));
  EXPECT_EQ(filter.constant->code(1), 4U) << "first result, first place, second channel";
  EXPECT_EQ(filter.quantization->scales.size(), 4U);
  EXPECT_EQ(filter.quantization->axis, 0);
  const auto depthwise = lower(hybrid_convolution(2, {half}), {.builtin_kernels = true});
  ASSERT_TRUE(depthwise) << to_text(depthwise.error());
  EXPECT_EQ(depthwise->model.tensors.at(1).type.shape, (Shape{1, 1, 2, 4}));
  EXPECT_EQ(depthwise->model.tensors.at(1).quantization->scales.size(), 4U) << "the kernel reads a scale for each channel";
  EXPECT_EQ(depthwise->model.tensors.at(1).quantization->axis, 3);
  EXPECT_EQ(std::get<std::int8_t>(depthwise->model.operators.at(0).options.fields.back().value), 5) << "an activation that the delegate declines";
}

TEST(Lower, HybridConvolutionsWithoutAWordAreRefused) {
  const auto refused = [](const char* name, Attribute value) {
    OpCall call = hybrid_convolution(1, {Scale{Real(1)}});
    call.attributes[name] = std::move(value);
    const auto lowered = lower(call, {});
    return lowered ? std::string("taken") : lowered.error().what;
  };
  EXPECT_EQ(refused("window_reversal", Attribute{AttributeList{Attribute{true}}}), "a reversed filter");
  EXPECT_EQ(refused("lhs_dilation", Attribute::integers({2})), "a dilated activation");
  EXPECT_EQ(refused("batch_group_count", Attribute{Real(2)}), "groups of images");
  EXPECT_EQ(refused("padding", Attribute{AttributeList{Attribute::integers({-1, 0})}}), "padding that takes away");
  EXPECT_EQ(refused("rhs_dilation", Attribute::integers({1})), "taken");
}

TEST(Lower, PoolsKnowTwoPaddingsAndOnePairOfParameters) {
  OpCall call{"qnn.avg_pool2d",
              {{"pool_size", Attribute::integers({3, 3})}, {"padding", Attribute::integers({1, 1, 1, 1})}},
              {counting("i8", {1, 2, 4, 5}), scale({0.5f}), zero_point("i32", 3), scale({0.5f}), zero_point("i32", 3)},
              {*ElementType::parse("i8"), {1, 2, 4, 5}, {}}};
  const auto lowered = lower(call, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  EXPECT_EQ(lowered->inputs.at(0).shape(), (Shape{1, 4, 5, 2}));
  EXPECT_TRUE(lowered->channels_last);
  call.attributes["padding"] = Attribute::integers({2, 1, 0, 1});
  EXPECT_FALSE(lower(call, {})) << "neither SAME nor VALID";
  call.attributes["padding"] = Attribute::integers({1, 1, 1, 1});
  call.operands[3] = scale({0.25f});
  EXPECT_FALSE(lower(call, {}));
}

TEST(Lower, RefusesWhatHasNoOperator) {
  const auto reason = [](const OpCall& call, const LowerOptions& options = {}) {
    const auto lowered = lower(call, options);
    return lowered ? std::string("taken") : lowered.error().code == Errc::unsupported ? lowered.error().what : "another error: " + lowered.error().what;
  };
  EXPECT_EQ(reason(convolution("i8", 1)), "int8 weights with a zero point");
  EXPECT_EQ(reason(convolution("u8", 1)), "taken");
  OpCall call = convolution("i8", 0);
  call.operands[4] = scale({-0.25f});
  EXPECT_EQ(reason(call), "TensorFlow Lite has positive finite scales only");
  call.operands[4] = scale({0x1p-149f});
  EXPECT_EQ(reason(call), "the product of both scales is no scale");
  call.operands[4] = scale({1, 2, 3, 4, 5});
  EXPECT_EQ(reason(call), "taken");
  EXPECT_NE(reason(call, {.unsigned_host = true, .builtin_kernels = true}), "taken");
  call.operands[6] = scale({1, 2});
  EXPECT_EQ(reason(call), "parameters per axis for this operand");
  call.op = "onnx.MatMulInteger";
  EXPECT_EQ(reason(call), "TensorFlow Lite has no operator for onnx.MatMulInteger");
  call = convolution("i8", 0);
  call.operands[0] = counting("u8", {1, 2, 3, 4});
  EXPECT_NE(reason(call), "taken");
  call.operands.resize(2);
  EXPECT_NE(reason(call), "taken");
}

TEST(Lower, DetailsCarryTheOptions) {
  for (const LowerOptions& options : {LowerOptions{}, LowerOptions{true, false, true}, LowerOptions{false, true, false}}) {
    Details details;
    describe_options(options, details);
    EXPECT_TRUE(is_tflite(details));
    const LowerOptions again = options_of(details);
    EXPECT_EQ(again.unsigned_host, options.unsigned_host);
    EXPECT_EQ(again.builtin_kernels, options.builtin_kernels);
    EXPECT_EQ(again.absent_bias, options.absent_bias);
  }
  EXPECT_FALSE(is_tflite({}));
}

TEST(Lower, TheScriptNamesItsPackage) {
  const auto lowered = lower(convolution("i8", 0), {});
  ASSERT_TRUE(lowered);
  const auto script = node_script(*lowered, {{"package", "@tensorflow/tfjs-tflite@1"}, {"build", "simd"}}, "// verdict\n");
  ASSERT_TRUE(script) << to_text(script.error());
  EXPECT_TRUE(script->starts_with("// verdict\n"));
  EXPECT_NE(script->find("npm install --ignore-scripts @tensorflow/tfjs-tflite@1"), std::string::npos);
  EXPECT_NE(script->find("CONV_2D v3"), std::string::npos);
  EXPECT_FALSE(node_script(*lowered, {}, ""));
}

}  // namespace
}  // namespace tiebreak::tflite
