// SPDX-License-Identifier: Apache-2.0
// Constants that a text names instead of writing them out.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

constexpr const char* two_constants = R"(func.func @main(%x: tensor<4xi8>) -> (tensor<4xi8>) {
  %small = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %q = "stablehlo.constant"() <{value = dense<[1, 2, 3, -4]> : tensor<4xi8>}> : () -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %y = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi8>
  %z = stablehlo.add %x, %y : tensor<4xi8>
  %a = "t.reads"(%small, %q, %z) : (tensor<2xi8>, tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4xi8>) -> tensor<4xi8>
  return %a : tensor<4xi8>
})";

TEST(MlirResources, StandForConstantsOfMoreElements) {
  const auto parsed = parse_mlir(two_constants, "t.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  const Program& program = parsed->functions.front();
  MlirResources resources;
  const std::string text = print_mlir(program, 3, resources);
  EXPECT_NE(text.find("dense<[1, 2]>"), std::string::npos) << text;
  EXPECT_NE(text.find("<{value = dense_resource<constant_0> : tensor<4xi8>}> : () -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>"), std::string::npos) << text;
  ASSERT_EQ(resources.size(), 2U);
  EXPECT_FALSE(resources.at("constant_0").type().quantized);
  const auto again = parse_mlir(text, "t.mlir", 1, &resources);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(print_mlir(again->functions.front()), print_mlir(program));
  MlirResources none;
  EXPECT_EQ(print_mlir(program, 4, none), print_mlir(program));
  EXPECT_TRUE(none.empty());
}

TEST(MlirResources, ThatAreNotThereOrOtherAreOneError) {
  const std::string text = "%0 = \"stablehlo.constant\"() <{value = dense_resource<a> : tensor<2xi8>}> : () -> tensor<2xi8>";
  const MlirResources none, other{{"a", *Tensor::zeros({*ElementType::parse("i8"), {3}, {}})}};
  EXPECT_EQ(parse_mlir(text, "t.mlir").error().what, "the attribute 'dense_resource<...>' is not supported");
  EXPECT_EQ(parse_mlir(text, "t.mlir", 1, &none).error().what, "there is no resource 'a'");
  const auto refused = parse_mlir(text, "t.mlir", 1, &other);
  EXPECT_EQ(refused.error().what, "the resource 'a' is a tensor<3xi8>");
  EXPECT_EQ(refused.error().where, "t.mlir:1:54");
}

}  // namespace
}  // namespace tiebreak
