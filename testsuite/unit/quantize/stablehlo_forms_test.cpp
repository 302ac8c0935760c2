// SPDX-License-Identifier: Apache-2.0
// The forms of StableHLO programs: quantized types in the integer form, f32 in the others.
#include "testsuite/unit/quantize/quantize_helpers.hpp"

namespace tiebreak {
namespace {

Program parsed(const std::string& body) {
  const auto text = parse_mlir(body, "float.mlir");
  EXPECT_TRUE(text) << to_text(text.error());
  return text ? text->functions.at(0) : Program{};
}

/// dot_general of x on its grid with weights of scale 2^-5, bias, relu, with codes of y at scale 1/4.
const std::string dot_layer = R"(func.func @layer(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = stablehlo.constant dense<[[3.96875, -3.96875], [1.0, 0.5], [-2.0, 3.0]]> : tensor<3x2xf32>
  %b = stablehlo.constant dense<[[1.5, -2.25], [1.5, -2.25]]> : tensor<2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %dot = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %sum = stablehlo.add %dot, %b : tensor<2x2xf32>
  %y = stablehlo.maximum %sum, %zero : tensor<2x2xf32>
  return %y : tensor<2x2xf32>
})";

TEST(StablehloForms, DotWithBiasInTheAccumulator) {
  const QuantizedForms made = forms_of(parsed(dot_layer), R"("defaults": {})", {given("x", "i8", 1.0 / 16, 6), given("sum", "i8", 0.25, -4)});
  const Floats x = drawn_floats(6, 1.0 / 16, 3);
  const std::array<double, 6> w{3.96875, -3.96875, 1, 0.5, -2, 3};
  Floats expected;
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = c == 0 ? 1.5 : -2.25;
      for (std::size_t k = 0; k < 3; ++k) sum += on_grid(x[r * 3 + k], 1.0 / 16, 6) * w[k * 2 + c];
      expected.push_back(static_cast<float>(std::max(0.0, on_grid(sum, 0.25, -4))));
    }
  expect_all_forms(made, {floats_tensor({2, 3}, x)}, expected);
  const Program& integer = made.forms.at(Form::integer).program;
  EXPECT_TRUE(
      std::ranges::any_of(integer.values, [](const ProgramValue& value) { return value.name == "dot.acc" && value.type->quantized->storage.bits() == 32; }));
  EXPECT_EQ(made.plan.operations[2].placement, Placement::region);
}

/// Every form prints as text that reads back to the same text.
TEST(StablehloForms, ReadBack) {
  const QuantizedForms made = forms_of(parsed(dot_layer), R"("defaults": {})", {given("x", "i8", 1.0 / 16, 6), given("sum", "i8", 0.25, -4)});
  for (const auto& [form, written] : made.forms) {
    const std::string text = print_mlir(written.program);
    const auto again = parse_mlir(text, "again.mlir");
    ASSERT_TRUE(again) << to_word(form) << ": " << to_text(again.error()) << "\n" << text;
    EXPECT_EQ(print_mlir(again->functions.at(0)), text);
  }
}

const std::string chain = R"(func.func @chain(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x2xf32> {
  %nothing = stablehlo.constant dense<0.0> : tensor<1x4x4x1xf32>
  %low = stablehlo.constant dense<-1.2> : tensor<f32>
  %high = stablehlo.constant dense<2.03> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %same = stablehlo.add %x, %nothing : tensor<1x4x4x1xf32>
  %clamped = stablehlo.clamp %low, %same, %high : (tensor<f32>, tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x4x4x1xf32>
  %pool = "stablehlo.reduce_window"(%clamped, %least) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>} : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x2x2x1xf32>
  %flat = stablehlo.reshape %pool : (tensor<1x2x2x1xf32>) -> tensor<1x4x1xf32>
  %y = stablehlo.concatenate %flat, %flat, dim = 2 : (tensor<1x4x1xf32>, tensor<1x4x1xf32>) -> tensor<1x4x2xf32>
  return %y : tensor<1x4x2xf32>
})";

TEST(StablehloForms, RegionsRunOnCodes) {
  const QuantizedForms made =
      forms_of(parsed(chain), R"("defaults": {})", {given("x", "i8", 1.0 / 16, -2), given("same", "i8", 1.0 / 16, -2), given("y", "i8", 0.125, 2)});
  const Floats x = drawn_floats(16, 1.0 / 64, 3);
  Floats expected;
  for (const std::size_t i : {0U, 2U, 8U, 10U}) {
    double most = -10;
    for (const std::size_t k : {0U, 1U, 4U, 5U}) most = std::max(most, on_grid(std::min(2.03, std::max(-1.2, on_grid(x[i + k], 1.0 / 16, -2))), 1.0 / 16, -2));
    for (int twice = 0; twice < 2; ++twice) expected.push_back(static_cast<float>(on_grid(most, 0.125, 2)));
  }
  expect_all_forms(made, {floats_tensor({1, 4, 4, 1}, x)}, expected);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_EQ(made.plan.operations[i].placement, Placement::region) << made.plan.operations[i].reason;
}

/// Scales along the output channels of a convolution with padding.
TEST(StablehloForms, ConvolutionAlongAnAxis) {
  const std::string body = R"(func.func @conv(%x: tensor<1x3x3x1xf32>) -> tensor<1x3x3x2xf32> {
  %w = stablehlo.constant dense<[[[[3.96875, 0.5]], [[-1.0, 0.25]]], [[[2.0, -0.9921875]], [[0.03125, 0.0078125]]]]> : tensor<2x2x1x2xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 0], [0, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x3x3x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x3x3x2xf32>
  return %y : tensor<1x3x3x2xf32>
})";
  const QuantizedForms made = forms_of(parsed(body), R"("defaults": {"granularity": "axis"})", {given("x", "i8", 1.0 / 16, 8), given("y", "i8", 0.125, 2)});
  const Floats x = drawn_floats(9, 1.0 / 16, 5);
  const std::array<double, 8> w{3.96875, 0.5, -1, 0.25, 2, -0.9921875, 0.03125, 0.0078125};
  Floats expected;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      for (std::size_t o = 0; o < 2; ++o) {
        double sum = 0;
        for (int u = 0; u < 2; ++u)
          for (int v = 0; v < 2; ++v) {
            const int row = r + u - 1, column = c + v;
            if (row < 0 || column > 2) continue;
            sum += on_grid(x[static_cast<std::size_t>(row * 3 + column)], 1.0 / 16, 8) * w[static_cast<std::size_t>(u * 4 + v * 2) + o];
          }
        expected.push_back(static_cast<float>(on_grid(sum, 0.125, 2)));
      }
  expect_all_forms(made, {floats_tensor({1, 3, 3, 1}, x)}, expected);
}

/// `name: from` of each value that states parameters.
std::string origins(const Program& program) {
  std::string text;
  for (const ProgramValue& value : program.values)
    if (const auto from = value.quantize_info.find("from"); from != value.quantize_info.end()) text += value.name + ": " + *from->second.as_string() + "\n";
  return text;
}

TEST(StablehloForms, WhatTheFloatProgramStatesGoesWithItsValues) {
  std::string text = dot_layer;
  const std::string argument = "%x: tensor<2x3xf32>";
  text.replace(text.find(argument), argument.size(), argument + " {quantize_info = {from = \"kl\", scale = 0.0625, storage = i8, zero_point = 6}}");
  const QuantizedForms made = forms_of(parsed(text), R"("defaults": {})", {given("x", "i8", 1.0 / 16, 6), given("sum", "i8", 0.25, -4)});
  for (const auto& [form, written] : made.forms) EXPECT_EQ(origins(written.program), "x: kl\n") << to_word(form);
}

TEST(StablehloForms, ValuesStateTheirParametersWhereThatIsAsked) {
  const Program program = parsed(dot_layer);
  const auto made =
      quantize_program(by_tool(), program, recipe_of(R"("defaults": {})"), {"m", {given("x", "i8", 1.0 / 16, 6), given("sum", "i8", 0.25, -4)}}, true);
  ASSERT_TRUE(made) << to_text(made.error());
  for (const auto& [form, written] : made->forms) {
    const std::string stated = origins(written.program);
    EXPECT_NE(stated.find("x: given\n"), std::string::npos) << to_word(form) << "\n" << stated;
    EXPECT_NE(stated.find("y.q: same as: sum\n"), std::string::npos) << to_word(form) << "\n" << stated;
  }
}

}  // namespace
}  // namespace tiebreak
