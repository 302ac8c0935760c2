// SPDX-License-Identifier: Apache-2.0
// The functions that IREE's draft of quant_region was validated with, three accepted and four refused: with !quant.any, which has no scale, their types are
// checked and nothing can be computed; with uniform types the three give numbers.
#include "interpreter/program/program.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

/// A product and a sum in f32 between operands and a result of these element types; `first` is the first operand's tensor type.
std::string region(const std::string& first, const std::string& result) {
  return "%r = \"iree_compress.quant_region\"(%a, %b, %c) ({\n  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>):\n"
         "    %p = \"stablehlo.multiply\"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
         "    %s = \"stablehlo.add\"(%p, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
         "    \"iree_compress.return\"(%s) : (tensor<4xf32>) -> ()\n"
         "}) {config = {logical_kernel = \"GENERIC\"}} : (" +
         first + ", tensor<4xf32>, tensor<4xf32>) -> " + result;
}

/// What the region gives for a = 0.5 or code 1, b = 1.2 and c = [-1, 1.1, 2.2, -3], or the error.
std::string run_region(const std::string& first, const std::string& result, const std::string& profile = "reference") {
  auto parsed = parse_mlir(region(first, result), "region.mlir");
  if (!parsed) return to_text(parsed.error());
  auto library = spec_pages();
  const Program& program = parsed->functions[0];
  std::vector<Tensor> inputs;
  for (ValueId id : program.inputs) {
    const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    const std::string text = value.name == "b" ? "1.2" : value.name == "c" ? "[-1.0, 1.1, 2.2, -3.0]" : value.type->element.is_float() ? "0.5" : "1";
    auto literal = parse_literal(text, *value.type, value.name);
    if (!literal) return to_text(literal.error());
    inputs.push_back(*literal);
  }
  auto results = evaluate({*library, **library->find_profile(profile)}, program, inputs);
  if (!results) return results.error().what;
  std::string text;
  for (std::int64_t i = 0; i < 4; ++i) text += (i == 0 ? "" : " ") + results->front().tensor.value(i).to_decimal(6);
  return text;
}

TEST(QuantRegion, ThreeFunctionsAreAccepted) {
  EXPECT_EQ(run_region("tensor<4xf32>", "tensor<4xf32>"), "-0.4 1.7 2.8 -2.4");
  EXPECT_EQ(run_region("tensor<4x!quant.uniform<i8:f32, 0.5>>", "tensor<4xf32>"), "-0.4 1.7 2.8 -2.4");
  EXPECT_EQ(run_region("tensor<4x!quant.uniform<i8:f32, 0.5>>", "tensor<4x!quant.uniform<i8:f32, 0.1>>"), "-4 17 28 -24");
  EXPECT_EQ(run_region("tensor<4x!quant.uniform<i8:f32, 0.5>>", "tensor<4x!quant.uniform<i8:f32, 1.0>>"), "0 2 3 -2");
  EXPECT_EQ(run_region("tensor<4x!quant.uniform<i8:f32, 0.5>>", "tensor<4x!quant.uniform<i8:f32, 1.0>>", "mlir-lower-quant-ops"), "0 1 2 -2");
}

TEST(QuantRegion, UnknownParametersFitButComputeNothing) {
  EXPECT_NE(run_region("tensor<4x!quant.any<i8:f32>>", "tensor<4xf32>").find("has the type !quant.any<i8:f32>, which states no"), std::string::npos);
  EXPECT_NE(run_region("tensor<4xf32>", "tensor<4x!quant.any<i8:f32>>").find("has the type !quant.any<i8:f32>, which states no"), std::string::npos);
}

TEST(QuantRegion, FourFunctionsAreRefused) {
  EXPECT_EQ(run_region("tensor<4x!quant.any<i8:f16>>", "tensor<4xf32>"),
            "iree_compress.quant_region W1: operand 0: tensor<4x!quant.any<i8:f16>> does not widen to tensor<4xf32>");
  EXPECT_EQ(run_region("tensor<4x!quant.uniform<i8:f32, 0.5>>", "tensor<4x!quant.any<i8:f16>>"),
            "iree_compress.quant_region W2: result 0: tensor<4xf32> does not narrow to tensor<4x!quant.any<i8:f16>>");
  EXPECT_EQ(run_region("tensor<2xf32>", "tensor<4xf32>"), "iree_compress.quant_region W1: operand 0: tensor<2xf32> does not widen to tensor<4xf32>");
  EXPECT_EQ(run_region("tensor<4xf16>", "tensor<4xf32>"), "iree_compress.quant_region W1: operand 0: tensor<4xf16> does not widen to tensor<4xf32>");
}

}  // namespace
}  // namespace tiebreak
