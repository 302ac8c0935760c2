// SPDX-License-Identifier: Apache-2.0
// Operators of family `tflite` as models: options by the schema's numbers, parameters, what reaches the builtin kernel, and the bytes of a host without int8.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testsuite/tflite/lower.hpp"
#include "testsuite/tflite/operator_forms.hpp"

namespace tiebreak::tflite {
namespace {

TensorType quantized(const std::string& element, const Shape& shape, double scale, std::int64_t zero_point) {
  TensorType type{*ElementType::parse(element), shape, {}};
  QuantizedType parameters{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  parameters.scales = {{Real::from_double(scale)}};
  parameters.zero_points = {{Real(zero_point)}};
  type.quantized = parameters;
  return type;
}

Tensor zeros(const TensorType& type) { return *Tensor::zeros(type); }

OpCall addition(const std::string& activation) {
  const TensorType type = quantized("i8", {2, 3}, 0.1, 3);
  return {"tflite.ADD", {{"fused_activation_function", Attribute{activation}}, {"pot_scale_int16", Attribute{false}}}, {zeros(type), zeros(type)}, type};
}

TEST(LowerOperator, OptionsStandUnderTheSchemasNumbers) {
  auto lowered = lower(addition("RELU6"), {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const ModelOperator& node = lowered->model.operators.at(0);
  EXPECT_EQ(to_word(node.builtin), "ADD");
  EXPECT_EQ(node.options.table, 11);
  ASSERT_EQ(node.options.fields.size(), 2U);
  EXPECT_EQ(std::get<std::int8_t>(node.options.fields[0].value), 3);  // RELU6
  EXPECT_EQ(std::get<std::int8_t>(node.options.fields[1].value), 0);
  EXPECT_EQ(lowered->model.tensors.at(0).quantization->scales[0], 0.1f) << "the nearest f32 of the type's scale";
  EXPECT_EQ(lowered->model.tensors.at(0).quantization->zero_points[0], 3);
}

TEST(LowerOperator, AnActivationThatTheDelegateTakesLeavesNoWayToTheBuiltinKernel) {
  auto plain = lower(addition("NONE"), {.builtin_kernels = true});
  ASSERT_TRUE(plain) << to_text(plain.error());
  EXPECT_EQ(std::get<std::int8_t>(plain->model.operators.at(0).options.fields[0].value), 5);  // SIGN_BIT
  auto fused = lower(addition("RELU"), {.builtin_kernels = true});
  ASSERT_FALSE(fused);
  EXPECT_EQ(fused.error().code, Errc::unsupported);
}

TEST(LowerOperator, ScalesBeyondTheDelegatesAreRefused) {
  OpCall call = addition("NONE");
  call.result = quantized("i8", {2, 3}, 1e-6, 0);
  ASSERT_FALSE(lower(call, {}));
  EXPECT_TRUE(lower(call, {.builtin_kernels = true}));
  const TensorType wide = quantized("i16", {2, 3}, 0.5, 0);
  EXPECT_TRUE(lower({"tflite.ADD", {}, {zeros(wide), zeros(quantized("i16", {2, 3}, 0x1p-17, 0))}, wide}, {})) << "codes of 16 bits are no delegate's";
  const auto product = [](double scale) {
    return OpCall{
        "tflite.FULLY_CONNECTED", {}, {zeros(quantized("u8", {1, 4}, scale, 1)), zeros(quantized("u8", {3, 4}, 1, 0))}, quantized("u8", {1, 3}, 1, 0)};
  };
  EXPECT_TRUE(lower(product(255), {}));
  EXPECT_FALSE(lower(product(256), {}));
  EXPECT_TRUE(lower(product(256), {.builtin_kernels = true}));
}

TEST(LowerOperator, AHostWithoutInt16GivesAndTakesBytes) {
  const TensorType type = quantized("i16", {4}, 0.5, 0);
  auto lowered = lower({"tflite.ABS", {}, {zeros(type)}, type}, {.unsigned_host = true});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  ASSERT_EQ(lowered->inputs.size(), 1U);
  EXPECT_EQ(lowered->inputs[0].shape(), (Shape{4, 2}));
  EXPECT_EQ(lowered->inputs[0].element().name(), "u8");
  ASSERT_EQ(lowered->model.operators.size(), 3U);
  EXPECT_EQ(to_word(lowered->model.operators[0].builtin), "BITCAST");
  Tensor answer = *Tensor::zeros({*ElementType::parse("u8"), {4, 2}, {}});
  answer.set_code(1, 0x80);  // the high byte of the first element
  auto result = result_of(*lowered, answer);
  ASSERT_TRUE(result) << to_text(result.error());
  EXPECT_EQ(result->value(0).to_int64(), -32768);
  EXPECT_TRUE(result->type().quantized);
}

TEST(LowerOperator, BuiltinKernelsOfElementsSeeSevenDimensions) {
  const TensorType type = quantized("i8", {2, 3}, 0.5, 0);
  auto lowered = lower({"tflite.TANH", {}, {zeros(type)}, type}, {.builtin_kernels = true});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  EXPECT_EQ(lowered->model.tensors.at(0).type.shape, (Shape{1, 1, 1, 1, 1, 2, 3}));
}

TEST(LowerOperator, ABiasHasTheProductOfBothScales) {
  const TensorType x = quantized("i8", {1, 4}, 0.5, 1), w = quantized("i8", {3, 4}, 0.25, 0), y = quantized("i8", {1, 3}, 2, 0);
  const Tensor bias = zeros({*ElementType::parse("i32"), {3}, {}});
  const OpCall call{"tflite.FULLY_CONNECTED", {}, {zeros(x), zeros(w), bias}, y};
  auto lowered = lower(call, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const ModelOperator& node = lowered->model.operators.at(0);
  EXPECT_EQ(lowered->model.tensors.at(static_cast<std::size_t>(node.inputs[2])).quantization->scales[0], 0.125f);
  EXPECT_TRUE(lowered->model.tensors.at(static_cast<std::size_t>(node.inputs[1])).constant) << "the delegate wants a filter that is known";
  auto runtime = lower(call, {.builtin_kernels = true});
  ASSERT_TRUE(runtime) << to_text(runtime.error());
  EXPECT_FALSE(runtime->model.tensors.at(static_cast<std::size_t>(runtime->model.operators.at(0).inputs[1])).constant);
  auto without = lower({"tflite.FULLY_CONNECTED", {}, {zeros(x), zeros(w)}, y}, {});
  ASSERT_TRUE(without) << to_text(without.error());
  EXPECT_EQ(without->model.operators.at(0).inputs.size(), 3U) << "zeros stand in for a bias that is absent";
}

TEST(LowerOperator, ABiasOfFloatsIsPlain) {
  const TensorType x{*ElementType::parse("f32"), {1, 4}, {}}, w{*ElementType::parse("f32"), {3, 4}, {}}, y{*ElementType::parse("f32"), {1, 3}, {}};
  auto without = lower({"tflite.FULLY_CONNECTED", {}, {zeros(x), zeros(w)}, y}, {});
  ASSERT_TRUE(without) << to_text(without.error());
  const ModelTensor& bias = without->model.tensors.at(static_cast<std::size_t>(without->model.operators.at(0).inputs.at(2)));
  EXPECT_EQ(bias.type.element.name(), "f32");
  EXPECT_FALSE(bias.quantization);
}

TEST(LowerOperator, FloatsThatTheDelegateTakesAnywayAreNotAskedOfBuiltinKernels) {
  const auto floats = [](const Shape& shape) { return TensorType{*ElementType::parse("f32"), shape, {}}; };
  const LowerOptions builtin{.builtin_kernels = true};
  EXPECT_TRUE(lower({"tflite.MAXIMUM", {}, {zeros(floats({2, 3})), zeros(floats({2, 3}))}, floats({2, 3})}, builtin));
  EXPECT_FALSE(lower({"tflite.MAXIMUM", {}, {zeros(floats({2, 3})), zeros(floats({3}))}, floats({2, 3})}, builtin)) << "seven dimensions do not fit";
  EXPECT_TRUE(lower({"tflite.SOFTMAX", {{"beta", {Real(2)}}}, {zeros(floats({2, 3}))}, floats({2, 3})}, builtin));
  EXPECT_FALSE(lower({"tflite.SOFTMAX", {{"beta", {Real(1)}}}, {zeros(floats({2, 3}))}, floats({2, 3})}, builtin));
  EXPECT_FALSE(lower({"tflite.DIV", {{"fused_activation_function", {std::string("RELU")}}}, {zeros(floats({3})), zeros(floats({3}))}, floats({3})}, builtin));
}

TEST(LowerOperator, ATransposedConvolutionWithAnActivationIsOfAVersionOfItsOwn) {
  const auto floats = [](const Shape& shape) { return TensorType{*ElementType::parse("f32"), shape, {}}; };
  for (const auto& [activation, version] : {std::pair{"NONE", 1}, {"RELU6", 4}}) {
    const OpCall call{
        "tflite.TRANSPOSE_CONV",
        {{"fused_activation_function", {std::string(activation)}}, {"padding", {std::string("SAME")}}, {"stride_w", {Real(1)}}, {"stride_h", {Real(1)}}},
        {zeros({*ElementType::parse("i32"), {4}, {}}), zeros(floats({1, 1, 1, 1})), zeros(floats({1, 1, 1, 1}))},
        floats({1, 1, 1, 1})};
    const auto lowered = lower(call, {});
    ASSERT_TRUE(lowered) << to_text(lowered.error());
    EXPECT_EQ(lowered->model.operators.at(0).version, version) << "readers that know no activation here know no such version";
  }
}

TEST(LowerOperator, WhatTheFormatTakesOtherwiseIsWritten) {
  OpCall call = addition("NONE");
  call.attributes.erase("pot_scale_int16");
  auto lowered = lower(call, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const Options& options = lowered->model.operators.at(0).options;
  EXPECT_EQ(options.fields.back().number, 1);
  EXPECT_EQ(std::get<std::int8_t>(options.fields.back().value), 0) << "absent it would be true";
}

TEST(LowerOperator, ABiasOf32BitsOfInt16IsNamed) {
  const TensorType x = quantized("i16", {1, 4}, 0.5, 0), w = quantized("i8", {3, 4}, 0.25, 0), y = quantized("i16", {1, 3}, 2, 0);
  const auto fields = [&](const std::string& type) {
    auto lowered = lower({"tflite.FULLY_CONNECTED", {}, {zeros(x), zeros(w), zeros({*ElementType::parse(type), {3}, {}})}, y}, {});
    EXPECT_TRUE(lowered) << to_text(lowered.error());
    return lowered->model.operators.at(0).options.fields;
  };
  EXPECT_TRUE(fields("i64").empty());
  ASSERT_EQ(fields("i32").size(), 1U);
  EXPECT_EQ(fields("i32")[0].number, 4);
  EXPECT_EQ(std::get<std::int8_t>(fields("i32")[0].value), 2);
}

TEST(LowerOperator, AFilterOfFourBitsIsAConstantAndABiasOfTheHostKeepsTheDelegateAway) {
  const TensorType x = quantized("i8", {1, 4}, 0.5, 1), w = quantized("i4", {3, 4}, 0.25, 0), y = quantized("i8", {1, 3}, 2, 0);
  auto lowered = lower({"tflite.FULLY_CONNECTED", {}, {zeros(x), zeros(w)}, y}, {.builtin_kernels = true});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const ModelOperator& node = lowered->model.operators.at(0);
  EXPECT_TRUE(lowered->model.tensors.at(static_cast<std::size_t>(node.inputs[1])).constant);
  EXPECT_EQ(std::ranges::count(lowered->model.inputs, node.inputs[2]), 1) << "zeros, but no constant";
  auto delegated = lower({"tflite.FULLY_CONNECTED", {}, {zeros(x), zeros(w)}, y}, {});
  ASSERT_TRUE(delegated) << to_text(delegated.error());
  EXPECT_EQ(std::ranges::count(delegated->model.inputs, delegated->model.operators.at(0).inputs[2]), 0);
}

OpCall memory_call(const Tensor& state) {
  const TensorType x = quantized("i8", {1, 2}, 0.5, 0), feature = quantized("i8", {2, 2}, 0.25, 0), time = quantized("i16", {2, 3}, 0.125, 0);
  return {"tflite.SVDF",
          {{"rank", Attribute{Real(1)}}, {"fused_activation_function", Attribute{std::string("RELU")}}},
          {zeros(x), zeros(feature), zeros(time), std::nullopt, state},
          quantized("i8", {1, 2}, 4, 3)};
}

TEST(LowerOperator, AStateIsAVariableThatIsZeroAtFirst) {
  Tensor state = zeros(quantized("i16", {1, 6}, 0.125, 0));
  auto lowered = lower(memory_call(state), {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const ModelOperator& node = lowered->model.operators.at(0);
  ASSERT_EQ(node.inputs.size(), 5U);
  EXPECT_EQ(node.inputs[3], -1) << "no bias";
  EXPECT_TRUE(lowered->model.tensors.at(static_cast<std::size_t>(node.inputs[4])).variable);
  EXPECT_EQ(std::ranges::count(lowered->model.inputs, node.inputs[4]), 0) << "the host does not give it";
  state.set_code(0, 1);
  EXPECT_FALSE(lower(memory_call(state), {}));
}

OpCall network_call(bool normalized) {
  const TensorType weights = quantized("i8", {2, 2}, 0.25, 0), line = quantized("i16", {2}, 0.25, 0), bias{*ElementType::parse("i32"), {2}, {}};
  OpCall call{"tflite.UNIDIRECTIONAL_SEQUENCE_LSTM", {{"hidden_scale", Attribute{Real::from_double(0.125)}}, {"time_major", Attribute{true}}}, {}, {}};
  call.operands.resize(normalized ? 24 : 20);
  call.operands[0] = zeros(quantized("i8", {3, 1, 2}, 0.5, 0));
  for (std::size_t gate = 0; gate < 4; ++gate) {
    call.operands[1 + gate] = call.operands[5 + gate] = zeros(weights);
    call.operands[12 + gate] = zeros(bias);
    if (normalized) call.operands[20 + gate] = zeros(line);
  }
  call.operands[18] = zeros(quantized("i8", {1, 2}, 0.5, 0));
  call.operands[19] = zeros(quantized("i16", {1, 2}, 0x1p-11, 0));
  if (normalized) call.attributes.emplace("gate_scales", Attribute{AttributeList(4, Attribute{Real::from_double(0x1p-10)})});
  call.result = quantized("i8", {3, 1, 2}, 0.5, 0);
  return call;
}

TEST(LowerOperator, ASequenceHasConstantWeightsTwoStatesAndFiveIntermediates) {
  auto lowered = lower(network_call(false), {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const Model& model = lowered->model;
  const ModelOperator& node = model.operators.at(0);
  ASSERT_EQ(node.inputs.size(), 20U) << "kernels want 20 or 24";
  EXPECT_EQ(model.inputs, std::vector<int>{node.inputs[0]}) << "the host gives the input alone";
  for (const std::size_t i : {1, 8, 12, 15}) EXPECT_TRUE(model.tensors.at(static_cast<std::size_t>(node.inputs[i])).constant) << i;
  for (const std::size_t i : {18, 19}) EXPECT_TRUE(model.tensors.at(static_cast<std::size_t>(node.inputs[i])).variable) << i;
  EXPECT_EQ(node.inputs[16], -1);
  ASSERT_EQ(node.intermediates.size(), 5U);
  EXPECT_FALSE(model.tensors.at(static_cast<std::size_t>(node.intermediates[0])).quantization);
  EXPECT_EQ(model.tensors.at(static_cast<std::size_t>(node.intermediates[4])).quantization->scales[0], 0.125f);
  auto normalized = lower(network_call(true), {});
  ASSERT_TRUE(normalized) << to_text(normalized.error());
  const ModelOperator& longer = normalized->model.operators.at(0);
  EXPECT_EQ(longer.inputs.size(), 24U);
  EXPECT_EQ(normalized->model.tensors.at(static_cast<std::size_t>(longer.intermediates[3])).quantization->scales[0], 0x1p-10f);
  OpCall bare = network_call(false);
  bare.attributes.erase("hidden_scale");
  const auto refused = lower(bare, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::unsupported);
  OpCall begun = network_call(false);
  begun.operands[19]->set_code(1, 5);
  EXPECT_FALSE(lower(begun, {})) << "a runtime begins with zeros";
}

Tensor numbers_of(const std::string& element, const std::vector<int>& values) {
  Tensor tensor = zeros({*ElementType::parse(element), {static_cast<std::int64_t>(values.size())}, {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint32_t>(values[i]));
  return tensor;
}

TEST(LowerOperator, PartsAreOutputsOfTheModelEachAsBytes) {
  const TensorType whole = quantized("i8", {4}, 0.5, 0), part = quantized("i8", {2}, 0.5, 0);
  OpCall call{"tflite.SPLIT", {{"num_splits", Attribute{Real(2)}}}, {numbers_of("i32", {0}), zeros(whole)}, part};
  call.further = {part};
  auto lowered = lower(call, {.unsigned_host = true});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const Model& model = lowered->model;
  ASSERT_EQ(model.outputs.size(), 2U);
  ASSERT_EQ(lowered->further.size(), 1U);
  const auto node = std::ranges::find(model.operators, std::string("SPLIT"), [](const ModelOperator& one) { return to_word(one.builtin); });
  ASSERT_NE(node, model.operators.end());
  EXPECT_EQ(node->outputs.size(), 2U);
  EXPECT_TRUE(model.tensors.at(static_cast<std::size_t>(node->inputs[0])).constant) << "the axis";
  for (int output : model.outputs) EXPECT_EQ(model.tensors.at(static_cast<std::size_t>(output)).type.element.name(), "u8");
}

TEST(LowerOperator, WholeNumbersThatMoveAreGivenByTheHostAndThoseThatSteerAreConstants) {
  const TensorType result{*ElementType::parse("i32"), {1}, {}};
  const OpCall call{"tflite.STRIDED_SLICE",
                    {{"begin_mask", Attribute{Real(1)}}, {"offset", Attribute{true}}},
                    {numbers_of("i32", {5, 6, 7}), numbers_of("i32", {0}), numbers_of("i32", {1}), numbers_of("i32", {1})},
                    result};
  auto lowered = lower(call, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const ModelOperator& node = lowered->model.operators.at(0);
  EXPECT_EQ(lowered->model.inputs, (std::vector<int>{node.inputs[0]}));
  EXPECT_TRUE(lowered->model.tensors.at(static_cast<std::size_t>(node.inputs[1])).constant);
  EXPECT_EQ(node.options.table, 32);
  ASSERT_EQ(node.options.fields.size(), 2U);
  EXPECT_EQ(node.options.fields[1].number, 5);
  EXPECT_EQ(std::get<std::int8_t>(node.options.fields[1].value), 1);
}

TEST(LowerOperator, TruthsComeInAsBytesThroughACast) {
  const TensorType truths{*ElementType::parse("bool"), {3}, {}};
  auto lowered = lower({"tflite.LOGICAL_NOT", {}, {zeros(truths)}, truths}, {.unsigned_host = true});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  std::vector<std::string> words;
  for (const ModelOperator& node : lowered->model.operators) words.push_back(to_word(node.builtin));
  EXPECT_EQ(words, (std::vector<std::string>{"CAST", "LOGICAL_NOT", "CAST"}));
}

TEST(LowerOperator, HowAPadMirrorsIsANumber) {
  const TensorType x = quantized("i8", {3}, 0.5, 0), y = quantized("i8", {4}, 0.5, 0);
  OpCall call{"tflite.MIRROR_PAD", {{"mode", Attribute{std::string("SYMMETRIC")}}}, {zeros(x), zeros({*ElementType::parse("i32"), {1, 2}, {}})}, y};
  auto lowered = lower(call, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  EXPECT_EQ(std::get<std::int8_t>(lowered->model.operators.at(0).options.fields.at(0).value), 1);
  call.attributes["mode"] = Attribute{std::string("EDGE")};
  EXPECT_FALSE(lower(call, {}));
}

TEST(LowerOperator, EveryFormHasAWordOfItsOwnAndANumber) {
  std::set<std::string_view> words;
  for (const OperatorForm& form : operator_forms()) {
    EXPECT_TRUE(words.insert(form.word).second) << form.word;
    EXPECT_EQ(to_word(form.builtin), form.word);
  }
  EXPECT_FALSE(lower({"tflite.NO_SUCH", {}, {}, {}}, {}));
}

}  // namespace
}  // namespace tiebreak::tflite
