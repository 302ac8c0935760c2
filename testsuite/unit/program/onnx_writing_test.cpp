// SPDX-License-Identifier: Apache-2.0
// Written models read back as the same program, for every data type and kind of attribute.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

Program from_mlir(const std::string& text) {
  auto parsed = parse_mlir(text, "t.mlir");
  EXPECT_TRUE(parsed) << to_text(parsed.error());
  return parsed ? std::move(parsed->functions[0]) : Program{};
}

TEST(OnnxWriter, AProgramReadsBack) {
  const Program program = from_mlir(R"(func.func @main(%x: tensor<2x3xf32>, %s: tensor<f32>) -> (tensor<2x3xui8>, !tiebreak.unknown) {
    %z = stablehlo.constant dense<3> : tensor<ui8>
    %q = "onnx.QuantizeLinear"(%x, %s, %z) <{axis = 1 : i64, output_dtype = ui8, saturate = 1 : i64, version = 21 : i64}> : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
    %r = "microsoft.QLinearLeakyRelu"(%q, %s, %none, %s) <{alpha = 1 : i64, version = 1 : i64}> : (tensor<2x3xui8>, tensor<f32>, none, tensor<f32>) -> !tiebreak.unknown
    func.return %q, %r : tensor<2x3xui8>, !tiebreak.unknown
  })");
  const auto bytes = write_onnx_model(program);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  EXPECT_EQ(*bytes, *write_onnx_model(program));
  const auto again = read_onnx(*bytes, "m.onnx");
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(print_mlir(*again), print_mlir(program));
}

TEST(OnnxWriter, EveryDataTypeReadsBack) {
  for (const char* word : {"f32",  "u8",       "i8",         "u16",    "i16",        "i32", "i64", "bool",   "f16",    "f64", "u32", "u64",
                           "bf16", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "u4",  "i4",  "f4e2m1", "f8e8m0", "u2",  "i2"}) {
    const ElementType element = *ElementType::parse(word);
    for (std::int64_t size : {0, 1, 2, 3, 4, 5, 16, 17}) {
      Program program;
      Tensor tensor = *Tensor::zeros(TensorType{element, {size}});
      for (std::int64_t i = 0; i < size; ++i) tensor.set_code(i, static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15U >> (i % 32));
      program.values = {ProgramValue{"c", tensor.type(), tensor}, ProgramValue{"y", tensor.type()}};
      program.outputs = {1};
      Operation cast{"onnx.Cast", {0}, {1}, {{"to", Attribute{element}}}, 25, ""};
      program.operations = {cast};
      const auto bytes = write_onnx_model(program);
      ASSERT_TRUE(bytes) << word << ": " << to_text(bytes.error());
      const auto again = read_onnx(*bytes, "m.onnx");
      ASSERT_TRUE(again) << word << ": " << to_text(again.error());
      const Tensor& read = *again->values.at(0).constant;
      ASSERT_TRUE(same_type(read.type(), tensor.type())) << word;
      for (std::int64_t i = 0; i < size; ++i) ASSERT_EQ(read.code(i), tensor.code(i)) << word << " " << i;
      EXPECT_EQ(to_text(again->operations.at(0).attributes.at("to")), word);
      EXPECT_EQ(again->operations.at(0).version, 25);
    }
  }
}

TEST(OnnxWriter, AttributesReadBack) {
  Program program;
  program.values = {ProgramValue{"x"}, ProgramValue{"y"}};
  program.inputs = {0};
  program.outputs = {1};
  Operation operation{"onnx.Op", {0}, {1}, {}, 0, "here"};
  operation.attributes = {{"alpha", Attribute{Real(1)}},
                          {"f", Attribute{Real::from_double(0.5)}},
                          {"i", Attribute{Real(-3)}},
                          {"s", Attribute{std::string("x\0y", 3)}},
                          {"is", Attribute::integers({1, 2})},
                          {"fs", Attribute{AttributeList{Attribute{Real::from_double(0.5)}, Attribute{Real(1)}}}},
                          {"ss", Attribute{AttributeList{Attribute{std::string("a")}, Attribute{std::string("b")}}}},
                          {"ts", Attribute{AttributeList{Attribute{*Tensor::zeros(TensorType{*ElementType::parse("u4"), {3}})}}}},
                          {"t", Attribute{*Tensor::zeros(TensorType{*ElementType::parse("f32"), {3}})}},
                          {"empty", Attribute{AttributeList{}}},
                          {"nan", Attribute{Real::nan()}}};
  program.operations = {operation};
  const auto bytes = write_onnx_model(program);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  const auto again = read_onnx(*bytes, "m.onnx");
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(again->operations.at(0).version, 21);
  for (const auto& [name, attribute] : operation.attributes) EXPECT_EQ(to_text(again->operations[0].attributes.at(name)), to_text(attribute)) << name;
}

TEST(OnnxWriter, WholeValuesOfFloatAttributesAreFloats) {
  Program program;
  program.values = {ProgramValue{"x"}, ProgramValue{"y"}};
  program.inputs = {0};
  program.outputs = {1};
  const auto text = [&program](const char* name) {
    program.operations = {Operation{"onnx.Op", {0}, {1}, {{name, Attribute{Real(1)}}}, 0, "here"}};
    const auto bytes = *write_onnx_model(program);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const std::string float_one("\x15\x00\x00\x80\x3F", 5);  // field f of an AttributeProto
  EXPECT_NE(text("alpha").find(float_one), std::string::npos);
  EXPECT_EQ(text("axis").find(float_one), std::string::npos);
}

TEST(OnnxWriter, WhatOnnxDoesNotHave) {
  Program program;
  program.values = {ProgramValue{"x", TensorType{*ElementType::parse("i5"), {}}}, ProgramValue{"y"}};
  program.outputs = {1};
  program.operations = {Operation{"stablehlo.add", {0}, {1}, {}, 0, "t.mlir:1:1"}};
  EXPECT_EQ(write_onnx_model(program).error().where, "t.mlir:1:1");
  program.operations[0].op = "onnx.Op";
  EXPECT_TRUE(write_onnx_model(program));
  program.inputs = {0};
  EXPECT_EQ(write_onnx_model(program).error().code, Errc::unsupported);
  program.inputs = {};
  program.operations[0].attributes["a"] = Attribute{Real::from_double(0.1)};
  EXPECT_EQ(write_onnx_model(program).error().code, Errc::type);  // 0.1 as a double is no f32
  program.operations[0].attributes["a"] = Attribute{AttributeMap{}};
  EXPECT_EQ(write_onnx_model(program).error().code, Errc::unsupported);
}

}  // namespace
}  // namespace tiebreak
