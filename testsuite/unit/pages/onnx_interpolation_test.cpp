// SPDX-License-Identifier: Apache-2.0
// Resize of ONNX in the modes linear and cubic against whole numbers: random shapes, layouts and lengths, both engines.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "testsuite/oracle/onnx/onnx_interpolation.hpp"
#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/draw.hpp"

namespace tiebreak {
namespace {

using oracle::onnx::ResizedLine;
using oracle::onnx::WholeMean;

struct Resized {
  OpCall call{.op = "onnx.Resize"};
  std::vector<WholeMean> wanted{};
};

/// A tensor of whole numbers, which every type here holds.
Resized drawn_resize(Draw& draw, const std::string& type) {
  static const std::vector<std::string> layouts{"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn"};
  const bool cubic = draw.below(2) == 0, inner = draw.below(3) == 0;
  const std::string layout = layouts[static_cast<std::size_t>(draw.below(5))];
  std::vector<ResizedLine> lines;
  Shape shape;
  std::vector<std::int64_t> sizes;
  for (std::int64_t d = draw.below(cubic ? 2 : 3); d >= 0; --d) {
    lines.push_back({1 + draw.below(5), 1 + draw.below(cubic ? 4 : 9), layout});
    shape.push_back(lines.back().length);
    sizes.push_back(lines.back().resized);
  }
  const std::vector<std::int64_t> values = draw.codes({-100, 100}, *element_count(shape));
  Tensor x = *Tensor::zeros({*ElementType::parse(type), shape, {}});
  for (std::int64_t i = 0; i < x.size(); ++i) x.set_code(i, *x.element().encode(Real(values[static_cast<std::size_t>(i)])));
  Resized drawn;
  drawn.call.operands = {x, std::nullopt, std::nullopt, codes_tensor("i64", {static_cast<std::int64_t>(sizes.size())}, sizes)};
  drawn.call.attributes = {{"mode", Attribute{std::string(cubic ? "cubic" : "linear")}},
                           {"coordinate_transformation_mode", Attribute{layout}},
                           {"exclude_outside", Attribute{Real(inner ? 1 : 0)}}};
  drawn.wanted = oracle::onnx::interpolate(values, lines, cubic, inner);
  return drawn;
}

/// `expect` compares an element of a result with the exact mean.
void expect_means(int rounds, std::uint32_t seed, const char* type, const std::function<void(const Tensor&, std::int64_t, const WholeMean&)>& expect) {
  Draw draw(seed);
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const Resized drawn = drawn_resize(draw, type);
    const ResultTensor result = given_result(drawn.call);
    ASSERT_EQ(result.tensor.size(), static_cast<std::int64_t>(drawn.wanted.size()));
    for (std::int64_t i = 0; i < result.tensor.size() && !testing::Test::HasFailure(); ++i) expect(result.tensor, i, drawn.wanted[static_cast<std::size_t>(i)]);
  }
}

TEST(OnnxInterpolation, OfFloats) {
  expect_means(300, 7, "f32", [](const Tensor& given, std::int64_t i, const WholeMean& mean) {
    EXPECT_EQ(f32_at(given, i), static_cast<float>(static_cast<double>(mean.sum) / static_cast<double>(mean.whole))) << i;
  });
}

TEST(OnnxInterpolation, OfIntegersIsCut) {
  expect_means(150, 8, "i16", [](const Tensor& given, std::int64_t i, const WholeMean& mean) { EXPECT_EQ(given.value(i), Real(mean.sum / mean.whole)) << i; });
}

/// Means of 24-bit numbers with weights of a few bits are often half way between two, and exact in doubles; zeros of both signs, infinities.
TEST(OnnxInterpolation, OfTiesByBothEngines) {
  Draw draw(9);
  int large = 0;
  for (int round = 0; round < 60; ++round) {
    const Shape shape{2, 1 + draw.below(5), 1 + draw.below(6)};
    Floats values;
    for (std::int64_t i = 0; i < *element_count(shape); ++i) {
      const std::int64_t kind = draw.below(12);
      const float odd = static_cast<float>((1 << 23) + 2 * draw.below(1 << 22) + 1) * (draw.below(2) == 0 ? 1.0F : -1.0F);
      values.push_back(kind == 0 ? 0.0F : kind == 1 ? -0.0F : kind == 2 && round % 4 == 0 ? HUGE_VALF : odd);
    }
    OpCall call{.op = "onnx.Resize"};
    call.operands = {floats_tensor(shape, values), std::nullopt, std::nullopt, codes_tensor("i64", {3}, {2, 2 * shape[1], 2 * shape[2]})};
    call.attributes = {{"mode", Attribute{std::string("linear")}}};
    const ResultTensor result = given_result(call);
    for (std::int64_t i = 0; i < result.tensor.size(); ++i) large += std::fabs(f32_at(result.tensor, i)) < 0x1p23F ? 0 : 1;
  }
  EXPECT_GT(large, 1000);  // where a unit is 1, and a quarter of a sum a tie
}

}  // namespace
}  // namespace tiebreak
