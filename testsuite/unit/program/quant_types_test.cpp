// SPDX-License-Identifier: Apache-2.0
// The types of the quant dialect beside uniform ones: any, whose parameters are not known, and calibrated, which holds floats.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

std::string type_of_input(const std::string& type) {
  auto parsed = parse_mlir("%y = \"t.op\"(%x) : (tensor<4x" + type + ">) -> tensor<4xf32>", "types.mlir");
  if (!parsed) return parsed.error().what;
  return to_text(*parsed->functions[0].values[0].type);
}

TEST(QuantTypes, AnyIsReadAndPrinted) {
  EXPECT_EQ(type_of_input("!quant.any<i8:f32>"), "tensor<4x!quant.any<i8:f32>>");
  EXPECT_EQ(type_of_input("!quant.any<u8<1:100>:f16>"), "tensor<4x!quant.any<u8<1:100>:f16>>");
  EXPECT_EQ(type_of_input("!quant.any<i8<100:1>:f32>"), "C3: storage range 100:1 must be ascending and lie within -128:127 of i8");
  EXPECT_EQ(type_of_input("!quant.any<i8>"), "a type !quant.any without an expressed type is not supported");
  EXPECT_EQ(type_of_input("!quant.any<i8:i32>"), "unknown expressed type 'i32'");
}

TEST(QuantTypes, CalibratedIsItsExpressedType) {
  EXPECT_EQ(type_of_input("!quant.calibrated<f32<-0.998:1.2321>>"), "tensor<4xf32>");
  EXPECT_EQ(type_of_input("!quant.calibrated<f32<1.0:-1.0>>"), "a calibrated range ascends and is finite");
  EXPECT_EQ(type_of_input("!quant.calibrated<f32>"), "expected '<' after the expressed type, found '>'");
}

TEST(QuantTypes, AnyIsNotUniform) {
  auto parsed = parse_mlir("%y = \"t.op\"(%x) : (tensor<4x!quant.any<i8:f32>>) -> tensor<4x!quant.uniform<i8:f32, 1.0>>", "types.mlir");
  ASSERT_TRUE(parsed);
  const Program& program = parsed->functions[0];
  EXPECT_FALSE(same_type(*program.values[0].type, *program.values[1].type));
  EXPECT_EQ(print_mlir(parse_mlir(print_mlir(program), "printed.mlir")->functions[0]), print_mlir(program));
}

}  // namespace
}  // namespace tiebreak
