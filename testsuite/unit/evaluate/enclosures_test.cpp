// SPDX-License-Identifier: Apache-2.0
// Conversions of what no double holds: quotients, roots, sums of products and what is computed from them, by both engines, which must agree. Numbers at the
// ends of the formats, zeros of both signs, ties, infinities and nan, each with each.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/stablehlo_contractions.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

const Floats enclosed_numbers{0.0F,      -0.0F,         1.0F,          -1.0F,       3.0F,     -0.1F,    0x1p-149F, -0x1.8p-130F, 0x1.fffffep127F,
                              -0x1p127F, 0x1.000002p0F, 0x1.fffffep0F, 16777217.0F, 0x1p-60F, infinite, -infinite, std::nanf("")};

class EnclosedFormula : public testing::TestWithParam<const char*> {};

TEST_P(EnclosedFormula, IsRoundedAsTheExactValue) {
  Floats a, b, c;
  for (const float x : enclosed_numbers)
    for (const float y : enclosed_numbers)
      for (const float z : enclosed_numbers) {
        a.push_back(x);
        b.push_back(y);
        c.push_back(z);
      }
  const ToyLibrary toy(Pages{{"t/f", std::string("op t.f(a: T, b: T, c: T) -> y: f32, h: f16\ntypes T: f32\nstructure elementwise(a, b, c)\nwanted = ") +
                                         GetParam() + "\ny = f32(wanted)\nh = f16(wanted)"}});
  ASSERT_TRUE(toy.library);
  OpCall call{.op = "t.f"};
  call.operands = {floats_line(a), floats_line(b), floats_line(c)};
  const auto results = evaluate({*toy.library, **toy.library->find_profile("reference")}, call, {.engine = Engine::both});
  EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
}

INSTANTIATE_TEST_SUITE_P(Arithmetic, EnclosedFormula,
                         testing::Values("(a - b) / sqrt(c + 1 / 3) * a + b", "a * b / c", "max(a * b, c)", "min(a * b, c) / 3", "abs(a * b - c)",
                                         "(if a < b then a * b / 3 else -(c * a))", "-(a / b) * c", "a + b * c", "sqrt(abs(a * b * c))",
                                         "(a + b) / 2 - c / 3"));
INSTANTIATE_TEST_SUITE_P(Functions, EnclosedFormula,
                         testing::Values("logistic(a / 3) * b", "tanh(a * b) + c", "log(abs(a) + abs(b) / 3) * c", "exp(-abs(a / 3)) * b",
                                         "exp(-abs(a / 3)) / (1 + b * b)", "tanh(a / 7) / (b * b + 1 / 3)"));

Tensor float_noise(Random& random, Shape shape) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), std::move(shape), {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const bool special = random.whole(0, 40) == 0;
    const float value = special ? enclosed_numbers[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(enclosed_numbers.size()) - 1))]
                                : std::ldexp(static_cast<float>(random.whole(-4000000, 4000000)), static_cast<int>(random.whole(-30, -18)));
    tensor.set_code(i, *tensor.element().encode(Real::from_double(static_cast<double>(value))));
  }
  return tensor;
}

/// A bias beside the sum, padding, groups.
TEST(EnclosedSums, OfConvolutions) {
  Random random(11);
  for (int round = 0; round < 24; ++round) {
    const std::int64_t group = random.whole(1, 2), inputs = random.whole(1, 4), outputs = group * random.whole(1, 4);
    OpCall call{.op = "onnx.Conv", .version = 11};
    call.operands = {float_noise(random, {random.whole(1, 2), group * inputs, random.whole(3, 7), random.whole(3, 7)}),
                     float_noise(random, {outputs, inputs, 3, 2}), float_noise(random, {outputs})};
    call.attributes = {{"group", Attribute{Real(group)}}, {"pads", Attribute::integers({random.whole(0, 2), 1, 0, random.whole(0, 1)})}};
    EXPECT_GT(given_result(call).tensor.size(), 0);
  }
}

/// Sums that are read by other sums, windows with holes, and means.
TEST(EnclosedSums, OfMeansAndWindows) {
  Random random(12);
  for (int round = 0; round < 12; ++round) {
    OpCall mean{.op = "onnx.GlobalAveragePool", .version = 1};
    mean.operands = {float_noise(random, {2, 3, random.whole(1, 6), random.whole(1, 6)})};
    given_result(mean);
    OpCall pool{.op = "onnx.AveragePool", .version = 19};
    pool.operands = {float_noise(random, {1, 2, 6, 5})};
    pool.attributes = {{"kernel_shape", Attribute::integers({3, 2})}, {"pads", Attribute::integers({1, 1, 1, 0})}};
    given_result(pool);
    OpCall norm{.op = "onnx.LayerNormalization", .version = 17};
    norm.operands = {float_noise(random, {3, random.whole(1, 9)})};
    norm.operands.push_back(float_noise(random, {norm.operands[0]->type().shape[1]}));
    given_result(norm);
    OpCall batch{.op = "onnx.BatchNormalization", .version = 15};
    batch.operands = {float_noise(random, {2, 3, 4}), float_noise(random, {3}), float_noise(random, {3}), float_noise(random, {3}), float_noise(random, {3})};
    given_result(batch);
  }
}

}  // namespace
}  // namespace tiebreak
