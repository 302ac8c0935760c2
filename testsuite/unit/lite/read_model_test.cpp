// SPDX-License-Identifier: Apache-2.0
// What is written is read as it was; what a file has wrong is one error with its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "interpreter/lite/model.hpp"
#include "interpreter/lite/operators.hpp"
#include "testsuite/unit/helpers/written_models.hpp"

namespace tiebreak::tflite {
namespace {

const ElementType f32 = *ElementType::parse("f32"), i8 = *ElementType::parse("i8"), i32 = *ElementType::parse("i32");

Tensor codes(const TensorType& type, const std::vector<int>& values) {
  Tensor tensor = *Tensor::zeros(type);
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
  return tensor;
}

/// x -> QUANTIZE -> h -> CONV_2D with w -> y.
Model two_operators() {
  Model model;
  const int x = model.add({"x", {f32, {1, 2, 2, 1}, {}}, std::nullopt, std::nullopt});
  const int h = model.add({"h", {i8, {1, 2, 2, 1}, {}}, Quantization{{0.5f}, {3}, 0}, std::nullopt});
  const int w = model.add({"w", {i8, {2, 1, 1, 1}, {}}, Quantization{{0.25f, 0.125f}, {0, 0}, 0}, codes({i8, {2, 1, 1, 1}, {}}, {1, 0xFF})});
  const int y = model.add({"y", {i8, {1, 2, 2, 2}, {}}, Quantization{{1.0f}, {0}, 0}, std::nullopt});
  model.operators.push_back({Builtin::quantize, 1, {x}, {h}, {89, {}}, ""});
  model.operators.push_back({Builtin::conv_2d, 3, {h, w, -1}, {y}, {1, {{0, std::int8_t{1}}, {1, 1}, {2, 1}}}, ""});
  model.inputs = {x};
  model.outputs = {y};
  return model;
}

void refused(const Model& model, Errc code, const std::string& what, const std::string& where) {
  const auto read = read_back(model);
  ASSERT_FALSE(read) << what;
  EXPECT_EQ(read.error().code, code) << to_text(read.error());
  EXPECT_NE(read.error().what.find(what), std::string::npos) << to_text(read.error());
  EXPECT_NE(read.error().where.find(where), std::string::npos) << to_text(read.error());
}

using ReadModel = WrittenModels;

TEST_F(ReadModel, WhatIsWritten) {
  Model model = two_operators();
  model.tensors[0].signature = {-1, 2, 2, 1};
  model.add({"state", {i8, {4}, {}}, Quantization{{0.5f}, {7}, 0}, std::nullopt, true, {}});
  Model other;
  other.name = "body";
  other.inputs = other.outputs = {other.add({"z", {i32, {}, {}}, std::nullopt, std::nullopt})};
  model.further = {other};
  const auto read = read_back(model);
  ASSERT_TRUE(read) << to_text(read.error());
  ASSERT_EQ(read->tensors.size(), model.tensors.size());
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const ModelTensor &a = model.tensors[i], &b = read->tensors[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_TRUE(same_type(a.type, b.type)) << a.name;
    EXPECT_EQ(a.signature, b.signature);
    EXPECT_EQ(a.variable, b.variable);
    ASSERT_EQ(a.quantization.has_value(), b.quantization.has_value()) << a.name;
    if (a.quantization) {
      EXPECT_EQ(a.quantization->scales, b.quantization->scales);
    }
    if (a.quantization) {
      EXPECT_EQ(a.quantization->zero_points, b.quantization->zero_points);
    }
    ASSERT_EQ(a.constant.has_value(), b.constant.has_value()) << a.name;
    if (a.constant) {
      EXPECT_TRUE(std::ranges::equal(a.constant->bytes(), b.constant->bytes()));
    }
  }
  ASSERT_EQ(read->operators.size(), 2U);
  EXPECT_EQ(read->operators[1].builtin, Builtin::conv_2d);
  EXPECT_EQ(read->operators[1].version, 3);
  EXPECT_EQ(read->operators[1].inputs, (std::vector<int>{1, 2, -1}));
  EXPECT_EQ(read->operators[1].options, model.operators[1].options);
  EXPECT_EQ(read->inputs, model.inputs);
  ASSERT_EQ(read->further.size(), 1U);
  EXPECT_EQ(read->further[0].name, "body");
}

TEST_F(ReadModel, CodesOfFourBitsLieTwoInAByte) {
  const ElementType i4 = *ElementType::parse("i4");
  Model model = two_operators();
  model.tensors[2].type = {i4, {5}, {}};
  model.tensors[2].quantization.reset();
  model.tensors[2].constant = codes(model.tensors[2].type, {0x07, 0xF8, 0x00, 0xFF, 0x05});
  const auto read = read_back(model);
  ASSERT_TRUE(read) << to_text(read.error());
  ASSERT_TRUE(read->tensors[2].constant);
  EXPECT_EQ(read->tensors[2].constant->value(1).to_int64(), -8);
  EXPECT_EQ(read->tensors[2].constant->value(3).to_int64(), -1);
  EXPECT_EQ(read->tensors[2].constant->value(4).to_int64(), 5);
}

TEST_F(ReadModel, IndicesMustNameTensors) {
  Model model = two_operators();
  model.operators[1].inputs[1] = 9;
  refused(model, Errc::corrupt, "its inputs name tensor 9 of 4", "m.tflite: subgraph 0, operator 1 (CONV_2D v3)");
  model = two_operators();
  model.operators[0].outputs[0] = -1;
  refused(model, Errc::corrupt, "its outputs name tensor -1", "operator 0 (QUANTIZE v1)");
  model = two_operators();
  model.outputs = {4};
  refused(model, Errc::corrupt, "its outputs name tensor 4 of 4", "m.tflite: subgraph 0");
}

TEST_F(ReadModel, ShapesMustFitTheirBuffers) {
  Model model = two_operators();
  model.tensors[2].type.shape = {3, 1, 1, 1};
  refused(model, Errc::corrupt, "its buffer has 2 bytes, its shape wants 3", "subgraph 0, tensor 2 \"w\"");
  model = two_operators();
  model.tensors[1].type.shape = {1, -2};
  refused(model, Errc::corrupt, "an extent of -2 in its shape", "tensor 1 \"h\"");
  model = two_operators();
  model.tensors[1].type.shape = {1 << 20, 1 << 20};
  refused(model, Errc::limit, "", "tensor 1 \"h\"");
  model = two_operators();
  model.tensors[0].signature = {-1, 2};
  refused(model, Errc::corrupt, "its shape has 4 dimensions, its signature 2", "tensor 0 \"x\"");
}

TEST_F(ReadModel, ParametersMustFitEachOther) {
  Model model = two_operators();
  model.tensors[2].quantization->zero_points = {0, 0, 0};
  refused(model, Errc::corrupt, "2 scales and 3 zero points", "tensor 2 \"w\", quantization");
  model.tensors[2].quantization = Quantization{{std::numeric_limits<float>::infinity()}, {0}, 0};
  refused(model, Errc::corrupt, "a scale that is not finite", "tensor 2 \"w\"");
}

TEST_F(ReadModel, OptionsMustBeThoseOfTheOperator) {
  Model model = two_operators();
  model.operators[1].options.table = 8;
  refused(model, Errc::corrupt, "its options are of table 8, those of the operator of table 1", "operator 1 (CONV_2D v3)");
  model = two_operators();
  model.operators[1].options.fields.push_back({9, 1});
  refused(model, Errc::unsupported, "its options have a field 9", "operator 1 (CONV_2D v3)");
  model.operators[1] = {Builtin::fully_connected, 1, {1, 2}, {3}, {8, {{1, std::int8_t{1}}}}, ""};
  refused(model, Errc::unsupported, "field 1 of its options is 1, which is not described", "FULLY_CONNECTED v1");
}

TEST_F(ReadModel, AFileThatIsNoneIsRefused) {
  const auto refuse = [](std::vector<std::byte> bytes) {
    const auto read = read_model(bytes, "m.tflite");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Errc::corrupt) << to_text(read.error());
    EXPECT_EQ(read.error().where, "m.tflite");
  };
  refuse({});
  refuse(std::vector<std::byte>(8, std::byte{0}));
  std::vector<std::byte> bytes = *write_model(two_operators());
  bytes[4] = std::byte{'X'};
  refuse(bytes);
  bytes = *write_model(two_operators());
  bytes[3] = std::byte{0x7F};  // the root's offset
  refuse(bytes);
}

/// Every truncation and every byte changed: a value or an error with a place.
TEST_F(ReadModel, DamageIsAnErrorOrNothing) {
  const std::vector<std::byte> whole = *write_model(two_operators());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = read_model(std::vector<std::byte>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), "m.tflite");
    if (!read) {
      EXPECT_FALSE(read.error().where.empty()) << size;
    }
  }
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
      std::vector<std::byte> bytes = whole;
      bytes[place] ^= static_cast<std::byte>(mask);
      const auto read = read_model(bytes, "m.tflite");
      if (!read) {
        EXPECT_FALSE(read.error().where.empty()) << place;
      }
    }
  }
}

TEST(OperatorSchemas, HaveTheWordsOfTheirNumbers) {
  for (const OperatorSchema& schema : operator_schemas()) {
    EXPECT_EQ(builtin_word(static_cast<int>(schema.builtin)), schema.word);
    EXPECT_EQ(find_schema(schema.word), &schema);
    EXPECT_EQ(find_schema(schema.builtin), &schema);
  }
  EXPECT_EQ(builtin_word(32), "CUSTOM");
  EXPECT_EQ(builtin_word(161), "RIGHT_SHIFT");
  EXPECT_EQ(builtin_word(-1), "");
  EXPECT_EQ(builtin_word(500), "");
  EXPECT_EQ(find_schema("NO_SUCH"), nullptr);
}

}  // namespace
}  // namespace tiebreak::tflite
