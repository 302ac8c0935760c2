// SPDX-License-Identifier: Apache-2.0
// Types as texts, quantized ones above all, and the examples in comments.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

Result<TensorType> read_type(const std::string& text) {
  TIEBREAK_TRY(parsed, parse_mlir("%1 = stablehlo.abs %0 : " + text, "t"));
  return *parsed.functions[0].values[0].type;
}

TEST(Type, TextsReadBack) {
  for (const char* text :
       {"tensor<i8>", "tensor<0xi1>", "tensor<2x3xf8E4M3FN>", "tensor<4xf8E8M0FNU>", "tensor<ui4>", "tensor<2x!quant.uniform<i8:f32, 0.1:3>>",
        "tensor<2x!quant.uniform<u8<1:255>:f32, 0.1:1>>", "tensor<!quant.uniform<i4:bf16, 5.0e-324:-8>>",
        "tensor<3x2x!quant.uniform<i8<-127:127>:f32:1, {0.1:3, 0.2}>>", "tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:10, 3.0:20}, {4.0:30, 5.0:40}}>>",
        "tensor<2x2x2x!quant.uniform<i8:f32:{0:1, 1:1, 2:1}, {{{1.0, 2.0}, {3.0, 4.0}}, {{5.0, 6.0}, {7.0, 8.0}}}>>",
        "tensor<4x!quant.uniform<i8:f32:{0:4}, {2.0}>>", "tensor<!quant.uniform<i32:f64, 0.30000000000000004>>"}) {
    const auto type = read_type(text);
    if (std::string(text).find("5.0e-324") != std::string::npos) {
      EXPECT_EQ(type.error().code, Errc::constraint);  // zero as bf16
      continue;
    }
    ASSERT_TRUE(type) << text << ": " << to_text(type.error());
    EXPECT_EQ(to_text(*type), text);
  }
}

TEST(Type, SpellingsOfOneType) {
  for (const char* text :
       {"tensor<2x!quant.uniform<si8:f32, 0.5:0>>", "tensor<2x!quant.uniform<i8<-128:127>:f32, 0.50>>", "tensor< 2 x !quant.uniform< i8 : f32 , 5.0e-1 > >",
        "tensor<2x!quant.uniform<i8:f32, 0x1p-1>>", "tensor<2x!quant.uniform<i8:f32, 1/2>>"}) {
    const auto type = read_type(text);
    ASSERT_TRUE(type) << text << ": " << to_text(type.error());
    EXPECT_EQ(to_text(*type), "tensor<2x!quant.uniform<i8:f32, 0.5>>");
  }
}

TEST(Type, ScalesAreTheNearestDouble) {
  const auto type = read_type("tensor<!quant.uniform<i8:f32, 0.1>>");
  ASSERT_TRUE(type);
  EXPECT_TRUE(type->quantized->scales[0].value.identical(Real::from_double(0.1)));
  EXPECT_TRUE(read_type("tensor<!quant.uniform<i8:f32, 1/10>>")->quantized->scales[0].value.identical(*Real::parse("0.1")));
}

TEST(Example, ValuesInComments) {
  const auto parsed = parse_mlir(R"(// The operand, in prose.
// %x: [
//       [1, 2],   // first row
//       [3, 4]
//     ]
// %s = 0.5
%y = "onnx.QuantizeLinear"(%x, %s) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xi8>
// %y: [[2, 4], [6, 8]]
// %y @ ort-x64: [1, 2, 3, 4]
// %y @ tie=away (a, b: c): "0x01020304"
// error C15
// error C2, C3
// error handling is prose
// %y is prose, too
// %z = "stablehlo.add"(%x) and %z = stablehlo.add %x: an operation commented out
// %z = stablehlo.add %x
)",
                                 "page.md", 10);
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  const ProgramExample& example = parsed->example;
  ASSERT_EQ(example.before.size(), 2U);
  EXPECT_EQ(example.before[0].name, "x");
  EXPECT_EQ(example.before[0].text, "[ [1, 2], [3, 4] ]");
  EXPECT_EQ(example.before[0].line, 11);
  EXPECT_EQ(example.before[1].text, "0.5");
  ASSERT_EQ(example.after.size(), 3U);
  EXPECT_EQ(example.after[0].condition, "");
  EXPECT_EQ(example.after[1].condition, "ort-x64");
  EXPECT_EQ(example.after[1].text, "[1, 2, 3, 4]");
  EXPECT_EQ(example.after[1].line, 18);
  EXPECT_EQ(example.errors, (std::vector<std::string>{"C15", "C2", "C3"}));
}

TEST(Snippet, InputsAndOutputs) {
  const auto parsed = parse_mlir(R"(%c = stablehlo.constant dense<1> : tensor<i8>
%a = stablehlo.add %x, %c : tensor<i8>
%b = stablehlo.multiply %a, %z : tensor<i8>
%d = stablehlo.abs %x : tensor<i8>
// %a: 3
)",
                                 "t");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  const Program& program = parsed->functions[0];
  const auto names = [&program](const std::vector<ValueId>& ids) {
    std::string text;
    for (ValueId id : ids) text += program.values[static_cast<std::size_t>(id)].name + " ";
    return text;
  };
  EXPECT_EQ(names(program.inputs), "x z ");
  EXPECT_EQ(names(program.outputs), "a b d ");
  EXPECT_EQ(parsed->example.after.at(0).name, "a");
}

}  // namespace
}  // namespace tiebreak
