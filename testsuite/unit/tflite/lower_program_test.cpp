// SPDX-License-Identifier: Apache-2.0
// A program of several operators as one model: what is read from a file goes out as the same operators, with the host's bytes around them.
#include "testsuite/tflite/lower_program.hpp"

#include <gtest/gtest.h>

#include "interpreter/lite/lite.hpp"

namespace tiebreak::tflite {
namespace {

TensorType plain(const std::string& element, const Shape& shape) { return {*ElementType::parse(element), shape, {}}; }

/// A convolution with a bias, then the sum of its result with itself.
Model convolution_and_sum() {
  Model model;
  const Quantization scales{{0.5f, 0.25f}, {0, 0}, 0};
  const int x = model.add({"x", plain("i8", {1, 1, 1, 1}), Quantization{{0.5f}, {3}, 0}, std::nullopt});
  const int w = model.add({"w", plain("i8", {2, 1, 1, 1}), scales, *Tensor::zeros(plain("i8", {2, 1, 1, 1}))});
  const int b = model.add({"b", plain("i32", {2}), std::nullopt, *Tensor::zeros(plain("i32", {2}))});
  const int y = model.add({"y", plain("i8", {1, 1, 1, 2}), Quantization{{1.0f}, {0}, 0}, std::nullopt});
  const int z = model.add({"z", plain("i8", {1, 1, 1, 2}), Quantization{{2.0f}, {0}, 0}, std::nullopt});
  model.operators.push_back({Builtin::conv_2d, 3, {x, w, b}, {y}, {1, {{1, 1}, {2, 1}}}, ""});
  model.operators.push_back({Builtin::add, 2, {y, y}, {z}, {11, {}}, ""});
  model.inputs = {x};
  model.outputs = {z};
  return model;
}

class LowerProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_write()) GTEST_SKIP() << "built without FlatBuffers";
    auto read = read_tflite(*write_model(convolution_and_sum()), "m.tflite");
    ASSERT_TRUE(read) << to_text(read.error());
    program = *read;
    inputs = {*Tensor::zeros(*program.values[0].type)};
    for (ValueId id : program.outputs) results.push_back(*program.values[static_cast<std::size_t>(id)].type);
  }
  Program program{};
  std::vector<Tensor> inputs{};
  std::vector<TensorType> results{};
};

TEST_F(LowerProgram, OperatorsStayAsTheyAre) {
  const auto lowered = lower_program(program, inputs, results, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  ASSERT_EQ(lowered->model.operators.size(), 2U);
  EXPECT_EQ(to_word(lowered->model.operators[0].builtin), "CONV_2D");
  EXPECT_EQ(lowered->model.operators[1].inputs[0], lowered->model.operators[0].outputs[0]);
  const ModelTensor& bias = lowered->model.tensors[static_cast<std::size_t>(lowered->model.operators[0].inputs[2])];
  ASSERT_TRUE(bias.quantization);
  EXPECT_EQ(bias.quantization->scales, (std::vector<float>{0.25f, 0.125f})) << "the product of both scales";
}

TEST_F(LowerProgram, AHostWithoutInt8GivesAndTakesBytesOfEveryValue) {
  program.outputs = {program.operations[0].results[0], program.outputs[0]};
  results = {*program.values[static_cast<std::size_t>(program.outputs[0])].type, results[0]};
  const auto lowered = lower_program(program, inputs, results, {.unsigned_host = true});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  std::vector<std::string> words;
  for (const ModelOperator& node : lowered->model.operators) words.push_back(to_word(node.builtin));
  EXPECT_EQ(words, (std::vector<std::string>{"BITCAST", "CONV_2D", "ADD", "BITCAST", "BITCAST"}));
  EXPECT_EQ(lowered->model.outputs.size(), 2U);
  EXPECT_EQ(lowered->inputs.at(0).element().name(), "u8");
}

/// The delegate takes what is dequantized from constants for a constant and never writes it: as an output it is computed again, from bytes that the host gives.
TEST_F(LowerProgram, FloatsThatAreDequantizedFromConstantsAreComputedAgainAsOutputs) {
  Model floats;
  const int x = floats.add({"x", plain("f32", {1, 1, 1, 1}), {}, std::nullopt});
  const int h = floats.add({"h", plain("f16", {1, 1, 1, 1}), {}, *Tensor::zeros(plain("f16", {1, 1, 1, 1}))});
  const int w = floats.add({"w", plain("f32", {1, 1, 1, 1}), {}, std::nullopt});
  const int b = floats.add({"b", plain("f32", {1}), {}, *Tensor::zeros(plain("f32", {1}))});
  const int y = floats.add({"y", plain("f32", {1, 1, 1, 1}), {}, std::nullopt});
  floats.operators.push_back({Builtin::dequantize, 2, {h}, {w}, {}, ""});
  floats.operators.push_back({Builtin::conv_2d, 1, {x, w, b}, {y}, {1, {{1, 1}, {2, 1}}}, ""});
  floats.inputs = {x};
  floats.outputs = {w, y};
  auto read = read_tflite(*write_model(floats), "m.tflite");
  ASSERT_TRUE(read) << to_text(read.error());
  const auto lowered = lower_program(*read, {*Tensor::zeros(plain("f32", {1, 1, 1, 1}))}, {plain("f32", {1, 1, 1, 1}), plain("f32", {1, 1, 1, 1})}, {});
  ASSERT_TRUE(lowered) << to_text(lowered.error());
  const Model& model = lowered->model;
  std::vector<std::string> words;
  for (const ModelOperator& node : model.operators) words.push_back(to_word(node.builtin));
  ASSERT_EQ(words, (std::vector<std::string>{"DEQUANTIZE", "CONV_2D", "DEQUANTIZE"}));
  EXPECT_EQ(model.operators[1].inputs[1], model.operators[0].outputs[0]) << "the convolution reads the constant's";
  EXPECT_EQ(model.outputs[0], model.operators[2].outputs[0]);
  EXPECT_EQ(lowered->inputs.size(), 2U);
  const ModelTensor& bias = model.tensors[static_cast<std::size_t>(model.operators[1].inputs[2])];
  EXPECT_TRUE(bias.constant);
  EXPECT_FALSE(bias.quantization) << "a bias of floats has no scale";
}

TEST_F(LowerProgram, WhatHasNoOperatorIsRefused) {
  EXPECT_FALSE(lower_program(program, inputs, results, {.builtin_kernels = true}));
  program.operations[1].op = "tflite.TOPK_V2";
  const auto refused = lower_program(program, inputs, results, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::unsupported);
  EXPECT_NE(refused.error().what.find("tflite.TOPK_V2"), std::string::npos);
}

}  // namespace
}  // namespace tiebreak::tflite
