// SPDX-License-Identifier: Apache-2.0
// What is stated of a value's quantization parameters goes with the value: through text, through calls, through ONNX as far as ONNX has a place.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/program/onnx_wire.hpp"

namespace tiebreak {
namespace {

Program from_mlir(const std::string& text) {
  auto parsed = parse_mlir(text, "t.mlir");
  EXPECT_TRUE(parsed) << to_text(parsed.error());
  return parsed && !parsed->functions.empty() ? std::move(parsed->functions.back()) : Program{};
}

std::string refusal(const std::string& text) {
  const auto parsed = parse_mlir(text, "t.mlir");
  return parsed ? "it was read" : to_text(parsed.error());
}

/// `name: annotation` of each value that has one.
std::string stated(const Program& program) {
  std::string text;
  for (const ProgramValue& value : program.values)
    if (!value.quantize_info.empty()) text += value.name + ": " + to_text(Attribute{value.quantize_info}) + "\n";
  return text;
}

const std::string annotated =
    R"(func.func @main(%x: tensor<2x3xi8> {quantize_info = {clip_max = 127, clip_min = -127, from = "min_max", scale = 0.1 : f32}}) -> (tensor<1x3xi8>, tensor<1x3xi8>) {
  %c = "stablehlo.constant"() <{value = dense<1> : tensor<2x3xi8>}> {quantize_info = {axis = 1, scale = [0.5, 0.25, 0.125], zero_point = [0, 1, 2]}} : () -> tensor<2x3xi8>
  %y = "stablehlo.add"(%x, %c) {quantize_info = {scale = 0.2}} : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi8>
  %a, %b = "onnx.Split"(%y) <{num_outputs = 2 : i64, version = 18 : i64}> {quantize_info = [{}, {scale = 3.0}]} : (tensor<2x3xi8>) -> (tensor<1x3xi8>, tensor<1x3xi8>)
  func.return %a, %b : tensor<1x3xi8>, tensor<1x3xi8>
})";

TEST(Annotations, BelongToValuesAndReadBack) {
  const Program program = from_mlir(annotated);
  for (const char* name : {"x: ", "c: ", "y: ", "b: "}) EXPECT_NE(stated(program).find(name), std::string::npos) << stated(program);
  EXPECT_EQ(stated(program).find("a: "), std::string::npos);
  for (const Operation& operation : program.operations) EXPECT_FALSE(operation.attributes.contains("quantize_info")) << "its page knows nothing of it";
  const std::string printed = print_mlir(program);
  const Program again = from_mlir(printed);
  EXPECT_EQ(stated(again), stated(program)) << printed;
  EXPECT_EQ(print_mlir(again), printed);
  const Program& scaled = program;
  const Real* scale = std::get_if<Real>(&scaled.values[0].quantize_info.at("scale").value);
  ASSERT_NE(scale, nullptr);
  EXPECT_TRUE(scale->identical(Real::from_double(0.1F)));
}

TEST(Annotations, OfACallGoToWhatStandsForIt) {
  const Program program = from_mlir(R"(
    func.func private @twice(%v: tensor<2xf32>) -> tensor<2xf32> {
      %r = stablehlo.add %v, %v : tensor<2xf32>
      return %r : tensor<2xf32>
    }
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = "func.call"(%x) <{callee = @twice}> {quantize_info = {scale = 0.5}} : (tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    })");
  EXPECT_EQ(stated(program), "y: {scale = 1/2}\n") << print_mlir(program);
}

TEST(Annotations, WhatIsNoneIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("%y = \"stablehlo.negate\"(%x) {quantize_info = 3} : (tensor<2xi8>) -> tensor<2xi8>"),
            "quantize_info is a dictionary, or a list with one for each result (t.mlir:1:6)\n  hint: quantize_info = {scale = 0.5 : f32}");
  EXPECT_EQ(refusal("%y = \"stablehlo.negate\"(%x) {quantize_info = [{}, {scale = 0.5}]} : (tensor<2xi8>) -> tensor<2xi8>"),
            "quantize_info states parameters of 2 values where 1 are made (t.mlir:1:6)");
}

/// Field 14 of a graph: the tensor's name, and pairs of a key and a name.
std::string annotation(const std::string& tensor, const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::string bytes = wire::block(1, tensor);
  for (const auto& [key, value] : parameters) bytes += wire::block(2, wire::block(1, key) + wire::block(2, value));
  return wire::block(14, bytes);
}

std::string onnx_graph(const std::string& more) {
  const std::string f32_quarter("\0\0\x80\x3e", 4);
  return wire::block(11, wire::value_info("x")) + wire::node("Neg", {"x"}, {"y"}) + wire::block(12, wire::value_info("y")) +
         wire::block(5, wire::tensor("s", {}, 1, wire::raw(f32_quarter))) + wire::block(5, wire::tensor("z", {}, 3, wire::raw("\x05"))) + more;
}

Result<Program> read_graph(const std::string& more) { return read_onnx(wire::bytes(wire::model(onnx_graph(more))), "m.onnx"); }

TEST(Annotations, OfAnOnnxGraphNameTensors) {
  const auto program = read_graph(annotation("y", {{"SCALE_TENSOR", "s"}, {"ZERO_POINT_TENSOR", "z"}}) + annotation("x", {{"SCALE_TENSOR", "x"}}));
  ASSERT_TRUE(program) << to_text(program.error());
  EXPECT_EQ(stated(*program), "x: {scale = \"x\"}\ny: {scale = 1/4, storage = i8, zero_point = 5}\n") << "a tensor that is no constant is named";
  const auto missing = read_graph(annotation("y", {{"SCALE_TENSOR", "t"}}));
  ASSERT_FALSE(missing);
  EXPECT_EQ(to_text(missing.error()), "a quantization annotation names 't', which is not defined (m.onnx: annotation of 'y')");
}

TEST(Annotations, AreWrittenToOnnxAndReadAgain) {
  const auto program = read_graph(annotation("y", {{"SCALE_TENSOR", "s"}, {"ZERO_POINT_TENSOR", "z"}}));
  ASSERT_TRUE(program) << to_text(program.error());
  const auto bytes = write_onnx_model(*program);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  const auto again = read_onnx(*bytes, "again.onnx");
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(stated(*again), stated(*program));
  EXPECT_EQ(*write_onnx_model(*again), *bytes) << "nothing grows from one writing to the next";
}

}  // namespace
}  // namespace tiebreak
