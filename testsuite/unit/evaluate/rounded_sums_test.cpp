// SPDX-License-Identifier: Apache-2.0
// Sums of float products that doubles do not decide: ties, what is a little beside them, zeros, what cancels. Both engines, and numbers known by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

Tensor result_of(const OpCall& call, Engine engine) {
  const auto results = evaluate({pages(), **pages().find_profile("onnx")}, call, {.engine = engine});
  EXPECT_TRUE(results) << to_text(results.error());
  return results ? results->front().tensor : Tensor();
}

/// Rows that hold `terms` among terms that cancel, against a column of ones: 70 rows and 40 columns, so that whole vectors and tails have them.
OpCall product_of(const Floats& terms, std::size_t items, std::uint32_t seed) {
  constexpr std::size_t rows = 70, columns = 40;
  std::mt19937 random(seed);
  Floats left;
  for (std::size_t r = 0; r < rows; ++r) {
    Floats row = terms;
    while (row.size() + 2 <= items) {
      const float large = std::ldexp(1.0F + static_cast<float>(random() % 4096) / 4096, static_cast<int>(random() % 60) - 20);
      row.insert(row.end(), {large, -large});
    }
    row.resize(items);
    std::ranges::shuffle(row, random);
    left.insert(left.end(), row.begin(), row.end());
  }
  const auto width = static_cast<std::int64_t>(items);
  return {.op = "onnx.MatMul", .operands = {floats_tensor({rows, width}, left), floats_tensor({width, columns}, Floats(items * columns, 1.0F))}};
}

void expect_all(const Floats& terms, float expected) {
  for (const std::size_t items : {terms.size() + 1, std::size_t{64}, std::size_t{300}}) {
    const Tensor result = result_of(product_of(terms, items, 7), Engine::fast);
    for (std::int64_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(f32_at(result, i)), std::bit_cast<std::uint32_t>(expected))
          << i << " of " << items << " items: " << f32_at(result, i);
  }
}

TEST(RoundedSums, AtATieAndBesideIt) {
  expect_all({1, 0x1p-24F}, 1);
  expect_all({1, 0x1p-24F, 0x1p-90F}, 1 + 0x1p-23F);
  expect_all({1, 0x1p-24F, -0x1p-90F}, 1);
  expect_all({1 + 0x1p-23F, 0x1p-24F}, 1 + 0x1p-22F);
  expect_all({1 + 0x1p-23F, 0x1p-24F, -0x1p-149F}, 1 + 0x1p-23F);
  expect_all({-1, -0x1p-24F, -0x1p-140F}, -1 - 0x1p-23F);
}

TEST(RoundedSums, AroundZeroAndAtTheEnds) {
  expect_all({}, 0.0F);
  expect_all({0x1p-149F}, 0x1p-149F);
  expect_all({-0x1p-149F, 0x1p-149F}, 0.0F);
  expect_all({0x1.fffffep+127F, 0x1p+103F}, std::numeric_limits<float>::infinity());
  expect_all({0x1.fffffep+127F, 0x1p+103F, -0x1p-100F}, 0x1.fffffep+127F);
}

/// A bias is one more term of the sum: it makes a tie, or breaks one.
TEST(RoundedSums, WithSomethingAdded) {
  const auto expect_with = [](float term, float small, float bias, float expected) {
    constexpr std::int64_t channels = 40, features = 50, places = 9;
    Floats x(static_cast<std::size_t>(channels * places), 0.0F), w(static_cast<std::size_t>(features * channels), 1.0F);
    for (std::size_t i = 0; i < places; ++i) {
      x[3 * places + i] = term;
      x[17 * places + i] = small;
      x[20 * places + i] = 0x1p30F;
      x[33 * places + i] = -0x1p30F;
    }
    OpCall call{.op = "onnx.Conv",
                .operands = {floats_tensor({1, channels, 3, 3}, x), floats_tensor({features, channels, 1, 1}, w),
                             floats_line(Floats(static_cast<std::size_t>(features), bias))}};
    for (const Engine engine : {Engine::fast, Engine::exact}) {
      const Tensor result = result_of(call, engine);
      for (std::int64_t i = 0; i < result.size(); ++i) ASSERT_EQ(f32_at(result, i), expected) << i;
    }
  };
  expect_with(1, 0, 0x1p-24F, 1);
  expect_with(1, 0x1p-100F, 0x1p-24F, 1 + 0x1p-23F);
  expect_with(1, 0x1p-24F, 0x1p-120F, 1 + 0x1p-23F);
  expect_with(1, 0x1p-24F, -0x1p-120F, 1);
  expect_with(1, 0, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity());
}

TEST(RoundedSums, AreTheSameByBothEngines) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  const auto drawn = [&](Shape shape) {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape) size *= extent;
    Floats values(static_cast<std::size_t>(size));
    for (float& value : values) value = std::ldexp(normal(random), static_cast<int>(random() % 30) - 15);
    return floats_tensor(std::move(shape), values);
  };
  OpCall call{.op = "onnx.Conv", .operands = {drawn({2, 6, 7, 9}), drawn({8, 3, 3, 2}), drawn({8})}};
  call.attributes["group"] = Attribute{Real(2)};
  call.attributes["pads"] = Attribute::integers({1, 0, 2, 1});
  call.attributes["strides"] = Attribute::integers({2, 1});
  const Tensor fast = result_of(call, Engine::fast), exact = result_of(call, Engine::exact);
  EXPECT_TRUE(std::ranges::equal(fast.bytes(), exact.bytes()));
}

}  // namespace
}  // namespace tiebreak
