// SPDX-License-Identifier: Apache-2.0
// Element types, granularity and rank, read off a case.
#include "testsuite/case/case_form.hpp"

#include <gtest/gtest.h>

#include "testsuite/case/op_program.hpp"

namespace tiebreak {
namespace {

using Words = std::vector<std::string>;

class CaseFormTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  static NamedTensor ones(const std::string& name, const std::string& type, const Shape& shape) {
    Tensor tensor = *Tensor::zeros({*ElementType::parse(type), shape});
    for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, *tensor.element().encode(Real(1)));
    return {name, tensor};
  }
  static Case built(const std::string& op, std::vector<NamedTensor> inputs, AttributeMap attributes = {}) {
    OpInputs call{op, std::move(inputs)};
    call.attributes = std::move(attributes);
    Case test;
    test.id = op + "/one";
    const Status status = build_op_case(*library, std::move(call), test);
    EXPECT_TRUE(status) << to_text(status.error());
    return test;
  }
  static CaseForm shown(const Case& test) {
    const auto results = evaluate({*library, **library->find_profile("reference")}, test.program, test.inputs);
    EXPECT_TRUE(results) << to_text(results.error());
    return results ? shown_form(*library, test, *results) : CaseForm{};
  }
  static inline std::shared_ptr<const Library> library;
};

TEST_F(CaseFormTest, ParametersGoByTensorByAxisOrByBlock) {
  const auto quantize = [](const Shape& parameters, std::int64_t block) {
    return shown(built("onnx.QuantizeLinear", {ones("x", "f32", {2, 4}), ones("y_scale", "f32", parameters), ones("y_zero_point", "u8", parameters)},
                       {{"axis", Attribute{Real(1)}}, {"block_size", Attribute{Real(block)}}}));
  };
  EXPECT_EQ(quantize({}, 0).granularity, Granularity::per_tensor);
  EXPECT_EQ(quantize({}, 0).parameters, Words{});
  EXPECT_EQ(quantize({4}, 0).granularity, Granularity::per_axis);
  EXPECT_EQ(quantize({4}, 0).parameters, (Words{"y_scale", "y_zero_point"}));
  EXPECT_EQ(quantize({2, 2}, 2).granularity, Granularity::per_block);
  EXPECT_EQ(quantize({4}, 0).rank, 2u);
  EXPECT_EQ(quantize({4}, 0).types, "x=f32 -> u8");
}

TEST_F(CaseFormTest, WithoutParametersAFormIsPlain) {
  const CaseForm form = shown(built("onnx.MatMulInteger", {ones("A", "u8", {2, 3}), ones("B", "i8", {3, 2})}));
  EXPECT_EQ(form.granularity, Granularity::none);
  EXPECT_EQ(form.types, "A=u8 B=i8 -> i32") << "the result's type is that of the results";
}

TEST_F(CaseFormTest, OtherScalesThanF32AreNamed) {
  EXPECT_EQ(shown(built("onnx.QuantizeLinear", {ones("x", "f16", {3}), ones("y_scale", "f16", {}), ones("y_zero_point", "i8", {})})).types,
            "x=f16 -> i8, scale f16");
  EXPECT_EQ(shown(built("onnx.QuantizeLinear", {ones("x", "f16", {3}), ones("y_scale", "f32", {}), ones("y_zero_point", "i8", {})})).types, "x=f16 -> i8");
}

/// A bias says nothing of types; the factors of a normalization are data, not scales of codes.
TEST_F(CaseFormTest, WhatIsNoParameter) {
  const CaseForm form = shown(built("onnx.BatchNormalization", {ones("X", "f32", {1, 2, 3}), ones("scale", "f32", {2}), ones("B", "f32", {2}),
                                                                ones("input_mean", "f32", {2}), ones("input_var", "f32", {2})}));
  EXPECT_EQ(form.granularity, Granularity::none);
  EXPECT_EQ(form.types, "X=f32 scale=f32 B=f32 input_mean=f32 input_var=f32 -> f32");
  const CaseForm convolution = shown(built("onnx.Conv", {ones("X", "f32", {1, 1, 3}), ones("W", "f32", {2, 1, 1}), ones("B", "f32", {2})}));
  EXPECT_EQ(convolution.granularity, Granularity::none);
  EXPECT_EQ(convolution.types, "X=f32 W=f32 -> f32");
}

TEST_F(CaseFormTest, AQuantizedTypeIsNamedByItsOperand) {
  const Result<ParsedMlir> parsed =
      parse_mlir("%y = stablehlo.uniform_dequantize %x : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2xf32>", "test");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  Case test;
  test.program = parsed->functions.at(0);
  test.inputs = {*Tensor::zeros(*test.program.values[static_cast<std::size_t>(test.program.inputs[0])].type)};
  EXPECT_EQ(shown(test).granularity, Granularity::per_axis);
  EXPECT_EQ(shown(test).parameters, Words{"operand"});
  EXPECT_EQ(shown(test).types, "operand=i8 -> f32");
  const std::optional<CaseForm> before = form_of(*library, test);
  ASSERT_TRUE(before);
  EXPECT_NE(before->types.find("operand=i8:f32"), std::string::npos) << before->types;
}

TEST_F(CaseFormTest, AProgramOfTwoOpsHasNone) {
  Case test = built("onnx.MatMulInteger", {ones("A", "u8", {2, 3}), ones("B", "i8", {3, 2})});
  test.program.operations.push_back(test.program.operations[0]);
  EXPECT_FALSE(form_of(*library, test));
}

}  // namespace
}  // namespace tiebreak
