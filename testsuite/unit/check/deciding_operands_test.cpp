// SPDX-License-Identifier: Apache-2.0
// Beside a failing element stands what decides it: the values of its channel, row or block, and the sum before it is scaled.
#include "testsuite/check/deciding_operands.hpp"

#include <gtest/gtest.h>

#include "testsuite/sources/case_readers.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"
#include "testsuite/unit/helpers/text_tensor.hpp"

namespace tiebreak {
namespace {

std::string shown(const char* op, std::vector<NamedTensor> inputs, const char* profile, std::int64_t element, AttributeMap attributes = {}) {
  OpInputs call;
  call.op = op;
  call.inputs = std::move(inputs);
  call.attributes = std::move(attributes);
  Case test;
  EXPECT_TRUE(build_op_case(pages(), std::move(call), test));
  const Profile& semantics = **pages().find_profile(profile);
  const auto results = evaluate({pages(), semantics}, test.program, test.inputs);
  EXPECT_TRUE(results.has_value()) << (results ? "" : to_text(results.error()));
  return DecidingOperands({pages(), semantics}, test, 0).at(results->front().tensor.shape(), element);
}

/// Two channels; the sums are 30 and 20 before the bias.
std::vector<NamedTensor> convolution() {
  return {{"x", text_tensor("u8", {1, 1, 2, 2}, {"1", "2", "3", "4"})},
          {"x_scale", text_tensor("f32", {}, {"0.5"})},
          {"x_zero_point", text_tensor("u8", {}, {"0"})},
          {"w", text_tensor("i8", {2, 1, 2, 2}, {"1", "2", "3", "4", "4", "3", "2", "1"})},
          {"w_scale", text_tensor("f32", {2}, {"0.5", "0.25"})},
          {"w_zero_point", text_tensor("i8", {2}, {"0", "0"})},
          {"y_scale", text_tensor("f32", {}, {"1"})},
          {"y_zero_point", text_tensor("u8", {}, {"3"})},
          {"B", text_tensor("i32", {2}, {"7", "-9"})}};
}

TEST(DecidingOperands, TheChannelsBiasAndScaleAndTheAccumulator) {
  for (const char* profile : {"onnx", "onnxruntime-x64"}) {
    const std::string first = shown("onnx.QLinearConv", convolution(), profile, 0), second = shown("onnx.QLinearConv", convolution(), profile, 1);
    for (const char* word : {"x_scale=0.5", "y_scale=1", "y_zero_point=3", "w_scale=0.5", "B=7", "accumulator=37", "w_zero_point=0"})
      EXPECT_NE((" " + first + " ").find(" " + std::string(word) + " "), std::string::npos) << profile << ": " << first;
    for (const char* word : {"w_scale=0.25", "B=-9", "accumulator=11"})
      EXPECT_NE((" " + second + " ").find(" " + std::string(word) + " "), std::string::npos) << profile << ": " << second;
  }
}

TEST(DecidingOperands, AnAbsentBiasIsNotShown) {
  std::vector<NamedTensor> inputs = convolution();
  inputs.pop_back();
  const std::string text = shown("onnx.QLinearConv", std::move(inputs), "onnx", 0);
  EXPECT_EQ(text.find("B="), std::string::npos) << text;
  EXPECT_NE(text.find("accumulator=30"), std::string::npos) << text;
}

TEST(DecidingOperands, ABlocksOwnScale) {
  const std::string text =
      shown("onnx.QuantizeLinear",
            {{"x", text_tensor("f32", {2, 4}, {"1", "2", "3", "4", "5", "6", "7", "8"})}, {"y_scale", text_tensor("f32", {2, 2}, {"1", "2", "3", "4"})}},
            "onnx", 7, {{"axis", Attribute{Real(1)}}, {"block_size", Attribute{Real(2)}}});
  EXPECT_EQ(text, "x=8 y_scale=4");
}

TEST(DecidingOperands, ASumOfFloatsIsCalledASum) {
  const std::string text =
      shown("onnx.ReduceMean", {{"data", text_tensor("f32", {1, 4}, {"1", "2", "3", "4"})}}, "onnx", 0, {{"axes", Attribute::integers({1})}});
  EXPECT_NE(text.find("sum=10"), std::string::npos) << text;
}

/// The mean is halved towards its sum's sign: the sum stands in the condition, too. VALID: the count is a constant.
TEST(DecidingOperands, TheSumOfAnAverageIsTheAccumulator) {
  for (const std::string padding : {"SAME", "VALID"}) {
    Case test = read_page_cases(*find_page(pages(), "tflite.AVERAGE_POOL_2D"), {})->front();
    Operation& pool = test.program.operations.front();
    pool.attributes["padding"] = Attribute{padding};
    const Shape shape = padding == "SAME" ? Shape{1, 3, 3, 1} : Shape{1, 2, 2, 1};
    test.program.values[static_cast<std::size_t>(pool.results.front())].type->shape = shape;
    const DecidingOperands deciding({pages(), **pages().find_profile("tflite-ref-double")}, test, 0);
    for (const auto& [element, sum] : {std::pair(0, "accumulator=2"), std::pair(1, "accumulator=259")}) {
      const std::string text = deciding.at(shape, element);
      EXPECT_NE((" " + text + " ").find(" " + std::string(sum) + " "), std::string::npos) << padding << ": " << text;
    }
  }
}

}  // namespace
}  // namespace tiebreak
