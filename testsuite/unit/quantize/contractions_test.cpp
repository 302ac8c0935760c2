// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products in all forms against plain loops over integers.
#include "testsuite/unit/quantize/quantize_helpers.hpp"

namespace tiebreak {
namespace {

using models::ModelBuilder;
using models::numbers;

/// Weights whose range gives a scale of 2^-5: -127 .. 127, or -100 .. 155 with zero point -28.
std::vector<double> weights(std::size_t count, bool symmetric, std::uint64_t seed) {
  PseudoRandom random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back((static_cast<double>(random.below(symmetric ? 255 : 256)) - (symmetric ? 127 : 100)) / 32);
  values[0] = (symmetric ? 127 : 155) / 32.0;
  values[1] = (symmetric ? -127 : -100) / 32.0;
  return values;
}

struct Convolution {
  std::int64_t channels = 4, in = 4, group = 2, size = 6, kernel = 3;
  std::vector<std::int64_t> pads{1, 2, 0, 1}, strides{2, 1};
};

/// Grouped convolution of numbers on the grid, zero outside the image.
Floats convolve(const Convolution& c, const Floats& x, const std::vector<double>& w, const std::vector<double>& b, double y_scale, int y_zero) {
  const std::int64_t inner = c.in / c.group, rows = (c.size + c.pads[0] + c.pads[2] - c.kernel) / c.strides[0] + 1;
  const std::int64_t columns = (c.size + c.pads[1] + c.pads[3] - c.kernel) / c.strides[1] + 1;
  Floats result;
  for (std::int64_t o = 0; o < c.channels; ++o)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t s = 0; s < columns; ++s) {
        double sum = std::nearbyint(b[static_cast<std::size_t>(o)] * 32 * 16) / 32 / 16;
        for (std::int64_t i = 0; i < inner; ++i)
          for (std::int64_t u = 0; u < c.kernel * c.kernel; ++u) {
            const std::int64_t h = r * c.strides[0] + u / c.kernel - c.pads[0], v = s * c.strides[1] + u % c.kernel - c.pads[1];
            if (h < 0 || v < 0 || h >= c.size || v >= c.size) continue;
            const std::int64_t from = o / (c.channels / c.group) * inner + i;
            sum += on_grid(x[static_cast<std::size_t>((from * c.size + h) * c.size + v)], 1.0 / 16, -3) *
                   w[static_cast<std::size_t>((o * inner + i) * c.kernel * c.kernel + u)];
          }
        result.push_back(static_cast<float>(on_grid(sum, y_scale, y_zero)));
      }
  return result;
}

void check_convolution(const Convolution& c, bool symmetric, const std::string& more) {
  ModelBuilder model("conv", 13, 1);
  const auto count = static_cast<std::size_t>(c.channels * c.in / c.group * c.kernel * c.kernel);
  const std::vector<double> w = weights(count, symmetric, 5);
  std::vector<double> b;
  for (std::int64_t o = 0; o < c.channels; ++o) b.push_back(0.375 * static_cast<double>(o) - 1);
  const ValueId x = model.input("x", "f32", {1, c.in, c.size, c.size});
  const ValueId y = model.add("Conv", "y", {x, model.floats("w", {c.channels, c.in / c.group, c.kernel, c.kernel}, w), model.floats("b", {c.channels}, b)},
                              {{"group", models::number(c.group)}, {"pads", numbers(c.pads)}, {"strides", numbers(c.strides)}});
  const std::string recipe = R"("defaults": {"weights_symmetric": )" + std::string(symmetric ? "true" : R"(false, "weights_narrow": false)") + more + "}";
  const QuantizedForms made = forms_of(model.finish({y}), recipe, {given("x", "i8", 1.0 / 16, -3), given("y", "i8", 0.25, 5)});
  const Floats image = drawn_floats(static_cast<std::size_t>(c.in * c.size * c.size), 1.0 / 16, 3);
  expect_all_forms(made, {floats_tensor({1, c.in, c.size, c.size}, image)}, convolve(c, image, w, b, 0.25, 5));
  EXPECT_TRUE(has_operation(made.forms.at(Form::integer).program, "onnx.QLinearConv"));
}

TEST(QuantizedContractions, GroupedConvolution) { check_convolution({}, true, ""); }
TEST(QuantizedContractions, DepthwiseConvolution) { check_convolution({.channels = 4, .in = 4, .group = 4}, true, ""); }
TEST(QuantizedContractions, ConvolutionWithZeroPointsOfWeights) { check_convolution({}, false, ""); }
TEST(QuantizedContractions, DenseConvolution) { check_convolution({.channels = 3, .in = 2, .group = 1, .kernel = 2, .pads = {0, 0, 0, 0}}, false, ""); }

/// y = a * b (+ c), a on the grid of x.
Floats multiply(const Floats& a, const std::vector<double>& b, std::int64_t rows, std::int64_t inner, std::int64_t columns, bool turned,
                const std::vector<double>& bias) {
  Floats result;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      double sum = bias.empty() ? 0 : std::nearbyint(bias[static_cast<std::size_t>(c)] * 512) / 512;
      for (std::int64_t k = 0; k < inner; ++k)
        sum += on_grid(a[static_cast<std::size_t>(r * inner + k)], 1.0 / 16, 7) * b[static_cast<std::size_t>(turned ? c * inner + k : k * columns + c)];
      result.push_back(static_cast<float>(on_grid(sum, 0.5, -11)));
    }
  return result;
}

TEST(QuantizedContractions, GemmWithTurnedWeightsAndBias) {
  for (const bool symmetric : {true, false}) {
    ModelBuilder model("gemm", 13, 1);
    const std::vector<double> w = weights(5 * 6, symmetric, 9), b{0.1, -3, 2.5, 0, 1};
    const ValueId x = model.input("x", "f32", {3, 6});
    const ValueId y = model.add("Gemm", "y", {x, model.floats("w", {5, 6}, w), model.floats("b", {5}, b)}, {{"transB", models::number(1)}});
    const std::string recipe = symmetric ? R"("defaults": {})" : R"("defaults": {"weights_symmetric": false, "weights_narrow": false})";
    const QuantizedForms made = forms_of(model.finish({y}), recipe, {given("x", "i8", 1.0 / 16, 7), given("y", "i8", 0.5, -11)});
    const Floats a = drawn_floats(18, 1.0 / 16, 4);
    expect_all_forms(made, {floats_tensor({3, 6}, a)}, multiply(a, w, 3, 6, 5, true, b));
  }
}

TEST(QuantizedContractions, MatMulWithZeroPointsOfBothSides) {
  ModelBuilder model("matmul", 13, 1);
  const std::vector<double> w = weights(6 * 4, false, 2);
  const ValueId x = model.input("x", "f32", {3, 6});
  const ValueId y = model.add("MatMul", "y", {x, model.floats("w", {6, 4}, w)});
  const QuantizedForms made = forms_of(model.finish({y}), R"("defaults": {"weights_symmetric": false, "weights_narrow": false})",
                                       {given("x", "i8", 1.0 / 16, 7), given("y", "i8", 0.5, -11)});
  const Floats a = drawn_floats(18, 1.0 / 16, 4);
  expect_all_forms(made, {floats_tensor({3, 6}, a)}, multiply(a, w, 3, 6, 4, false, {}));
  EXPECT_TRUE(has_operation(made.forms.at(Form::integer).program, "onnx.QLinearMatMul"));
}

TEST(QuantizedContractions, MatMulOfTwoActivations) {
  ModelBuilder model("matmul", 13, 1);
  const ValueId a = model.input("a", "f32", {2, 3, 6}), b = model.input("b", "f32", {6, 4});
  const ValueId y = model.add("MatMul", "y", {a, b});
  const QuantizedForms made =
      forms_of(model.finish({y}), R"("defaults": {})", {given("a", "i8", 1.0 / 16, 7), given("b", "i8", 1.0 / 32, -28), given("y", "i8", 0.5, -11)});
  const Floats left = drawn_floats(36, 1.0 / 16, 4), right = drawn_floats(24, 1.0 / 32, 6);
  std::vector<double> grid;
  for (const float value : right) grid.push_back(on_grid(value, 1.0 / 32, -28));
  expect_all_forms(made, {floats_tensor({2, 3, 6}, left), floats_tensor({6, 4}, right)}, multiply(left, grid, 6, 6, 4, false, {}));
}

/// Without parameters of its result a product ends in real space, its accumulator named.
TEST(QuantizedContractions, ResultInRealSpace) {
  ModelBuilder model("matmul", 13, 1);
  const std::vector<double> w = weights(6 * 4, true, 2);
  const ValueId x = model.input("x", "f32", {1, 6});
  const ValueId y = model.add("MatMul", "y", {x, model.floats("w", {6, 4}, w)});
  const QuantizedForms made = forms_of(model.finish({y}), R"("defaults": {})", {given("x", "u8", 1.0 / 16, 7)});
  const Floats a = drawn_floats(6, 1.0 / 16, 4);
  Floats expected;
  for (int c = 0; c < 4; ++c) {
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += on_grid(a[static_cast<std::size_t>(k)], 1.0 / 16, 7, 0, 255) * w[static_cast<std::size_t>(k * 4 + c)];
    expected.push_back(static_cast<float>(sum));
  }
  expect_all_forms(made, {floats_tensor({1, 6}, a)}, expected);
  const Program& integer = made.forms.at(Form::integer).program;
  EXPECT_TRUE(has_operation(integer, "onnx.MatMulInteger"));
  EXPECT_TRUE(std::ranges::any_of(integer.values, [](const ProgramValue& value) { return value.name == "y.acc"; }));
}

/// Four bits, and scales along an axis: the same codes in every form.
TEST(QuantizedContractions, NarrowWeightsAlongAnAxis) {
  ModelBuilder model("matmul", 13, 1);
  const std::vector<double> w{7, 3, -7, 0.5, 2, -1.75, 1, -1, 0, 3.5, -0.25, 1.75};  // greatest 7, 3.5, 7, 1.75: steps of 1, 1/2, 1, 1/4
  const ValueId x = model.input("x", "f32", {2, 3});
  const ValueId y = model.add("MatMul", "y", {x, model.floats("w", {3, 4}, w)});
  const QuantizedForms made =
      forms_of(model.finish({y}), R"("defaults": {"weights": "i4", "granularity": "axis"})", {given("x", "i8", 1.0 / 16, 7), given("y", "i8", 0.5, -11)});
  const Floats a = drawn_floats(6, 1.0 / 16, 8);
  const std::array<double, 4> steps{1, 0.5, 1, 0.25};
  std::vector<double> grid;
  for (std::size_t i = 0; i < w.size(); ++i) grid.push_back(on_grid(w[i], steps[i % 4], 0, -8, 7));
  expect_all_forms(made, {floats_tensor({2, 3}, a)}, multiply(a, grid, 2, 3, 4, false, {}));
}

}  // namespace
}  // namespace tiebreak
