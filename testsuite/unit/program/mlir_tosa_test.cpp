// SPDX-License-Identifier: Apache-2.0
// TOSA as mlir-opt writes it, pretty and generic: names, constants, shapes, enum values.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

/// What mlir-opt 22 prints, pretty.
constexpr const char* pretty_text = R"(
module {
  func.func @main(%arg0: tensor<1x4xi32>, %arg1: tensor<1x4xf32>) -> tensor<1x4xi8> {
    %0 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.mul %arg0, %arg0, %0 : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1xi8>) -> tensor<1x4xi32>
    %2 = tosa.arithmetic_right_shift %1, %1 {round = true} : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %3 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.const"() <{values = dense<[[1, -2]]> : tensor<1x2xi8>}> : () -> tensor<1x2xi8>
    %7 = tosa.rescale %2, %3, %4, %5, %6 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1x2xi8>) -> tensor<1x4xi8>
    %8 = tosa.clamp %7 {max_val = 100 : i8, min_val = -5 : i8, nan_mode = IGNORE} : (tensor<1x4xi8>) -> tensor<1x4xi8>
    %9 = tosa.argmax %8 {axis = 1 : i32} : (tensor<1x4xi8>) -> tensor<1xi32>
    %10 = tosa.const_shape  {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
    %11 = tosa.reshape %2, %10 : (tensor<1x4xi32>, !tosa.shape<1>) -> tensor<4xi32>
    %12 = tosa.max_pool2d %8 {kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 0>, acc_type = i32} : (tensor<1x4xi8>) -> tensor<1x4xi8>
    %13 = tosa.clz %2 : (tensor<1x4xi32>) -> tensor<1x4xi32>
    return %8 : tensor<1x4xi8>
  }
})";

/// The same operations with properties, as --mlir-print-op-generic writes them; functions in the generic form are not read.
constexpr const char* generic_text = R"(
func.func @main(%arg0: tensor<1x4xi32>, %arg1: tensor<1x4xf32>) -> tensor<1x4xi8> {
    %0 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.mul"(%arg0, %arg0, %0) : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1xi8>) -> tensor<1x4xi32>
    %2 = "tosa.arithmetic_right_shift"(%1, %1) <{round = true}> : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %3 = tosa.const values(dense<1073741824> : tensor<1xi32>) : () -> tensor<1xi32>
    %4 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.const"() <{values = dense<[[1, -2]]> : tensor<1x2xi8>}> : () -> tensor<1x2xi8>
    %7 = "tosa.rescale"(%2, %3, %4, %5, %6) <{input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, scale32 = true}> : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1x2xi8>) -> tensor<1x4xi8>
    %8 = "tosa.clamp"(%7) <{max_val = 100 : i8, min_val = -5 : i8, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4xi8>) -> tensor<1x4xi8>
    %9 = "tosa.argmax"(%8) <{axis = 1 : i32}> : (tensor<1x4xi8>) -> tensor<1xi32>
    %10 = "tosa.const_shape"() <{values = dense<4> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %11 = "tosa.reshape"(%2, %10) : (tensor<1x4xi32>, !tosa.shape<1>) -> tensor<4xi32>
    %12 = "tosa.max_pool2d"(%8) <{acc_type = i32, kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 0>}> : (tensor<1x4xi8>) -> tensor<1x4xi8>
    %13 = "tosa.clz"(%2) : (tensor<1x4xi32>) -> tensor<1x4xi32>
    return %8 : tensor<1x4xi8>
})";

Program read_tosa(const std::string& text) {
  const auto parsed = parse_mlir(text, "t.mlir");
  if (!parsed) {
    ADD_FAILURE() << to_text(parsed.error());
    return {};
  }
  return parsed->functions.at(0);
}

const Operation* tosa_operation(const Program& program, const std::string& op) {
  for (const Operation& operation : program.operations)
    if (operation.op == op) return &operation;
  ADD_FAILURE() << "no " << op;
  return nullptr;
}

TEST(MlirTosa, PrettyAndGenericAreOneProgram) {
  const std::string text = print_mlir(read_tosa(pretty_text));
  EXPECT_EQ(text, print_mlir(read_tosa(generic_text)));
  EXPECT_EQ(text, print_mlir(read_tosa(text)));
}

TEST(MlirTosa, NamesAreThoseOfThePages) {
  std::vector<std::string> names;
  for (const Operation& operation : read_tosa(pretty_text).operations) names.push_back(operation.op);
  EXPECT_EQ(names, (std::vector<std::string>{"tosa.MUL", "tosa.ARITHMETIC_RIGHT_SHIFT", "tosa.RESCALE", "tosa.CLAMP", "tosa.ARGMAX", "tosa.RESHAPE",
                                             "tosa.MAX_POOL2D", "tosa.CLZ"}));
}

TEST(MlirTosa, AttributesAreWordsNumbersAndLists) {
  const Program program = read_tosa(pretty_text);
  const AttributeMap& rescale = tosa_operation(program, "tosa.RESCALE")->attributes;
  EXPECT_EQ(std::get<std::string>(rescale.at("rounding_mode").value), "DOUBLE_ROUND");
  EXPECT_EQ(std::get<bool>(rescale.at("scale32").value), true);
  const AttributeMap& clamp = tosa_operation(program, "tosa.CLAMP")->attributes;
  EXPECT_EQ(*clamp.at("min_val").as_integer(), -5);
  EXPECT_EQ(std::get<std::string>(clamp.at("nan_mode").value), "IGNORE");
  const AttributeMap& pool = tosa_operation(program, "tosa.MAX_POOL2D")->attributes;
  EXPECT_EQ(std::get<ElementType>(pool.at("acc_type").value).name(), "i32");
  EXPECT_EQ(*pool.at("pad").as_integers(), (std::vector<std::int64_t>{0, 0, 1, 0}));
}

TEST(MlirTosa, ConstantsAndShapesAreValues) {
  const Program program = read_tosa(pretty_text);
  const auto constant = [&](const char* op, std::size_t operand) -> const Tensor& {
    return *program.values[static_cast<std::size_t>(tosa_operation(program, op)->operands[operand])].constant;
  };
  EXPECT_EQ(to_text(constant("tosa.RESCALE", 4).type()), "tensor<1x2xi8>");
  EXPECT_EQ(*constant("tosa.RESCALE", 4).value(1).to_int64(), -2);
  EXPECT_EQ(to_text(constant("tosa.RESHAPE", 1).type()), "tensor<1xi64>");
  EXPECT_EQ(*constant("tosa.RESHAPE", 1).value(0).to_int64(), 4);
}

TEST(MlirTosa, BadTexts) {
  const std::pair<const char*, const char*> texts[] = {
      {"%0 = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<2>", "a constant of type tensor<1xi64> as tensor<2xi64>"},
      {"%0 = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape", "expected '<' after '!tosa.shape'"},
      {"%0 = \"tosa.const\"() <{value = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>", "tosa.CONST needs a values = dense<...>"},
      {"%1 = \"tosa.maximum\"(%0, %0) <{nan_mode = #tosa.nan_mode<>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>", "expected an enum value"},
      {"%0 = tosa.const values dense<4> : tensor<1xi8>", "expected '(' after 'values'"},
  };
  for (const auto& [text, what] : texts) {
    const auto parsed = parse_mlir(text, "t.mlir");
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().what.find(what), std::string::npos) << parsed.error().what;
  }
}

}  // namespace
}  // namespace tiebreak
