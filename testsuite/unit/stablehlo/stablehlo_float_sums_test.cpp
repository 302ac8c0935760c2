// SPDX-License-Identifier: Apache-2.0
// Sums of floats as declared, against plain loops: every order, with fused and rounded products, in every accumulator; and the exact sum.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "testsuite/oracle/float_sums.hpp"
#include "testsuite/unit/helpers/stablehlo_contractions.hpp"

namespace tiebreak {
namespace {

using oracle::DeclaredSum;
using oracle::SumOrder;

struct SumCase {
  SumOrder order;
  bool fused;
  std::string accumulator;
  int block = 4;
};

Profile profile_of_sum(const SumCase& one) {
  Profile profile;
  profile.name = "test";
  profile.extends = "reference";
  auto bind = [&](const std::string& choice, const std::string& alternative) { profile.choices["stablehlo.contraction/" + choice].alternative = alternative; };
  bind("order", one.order == SumOrder::sequential ? "sequential" : one.order == SumOrder::pairwise ? "pairwise" : "blocked");
  bind("products", one.fused ? "fused" : "unfused");
  bind("accumulator", one.accumulator);
  bind("block", "of_" + std::to_string(one.block));
  return profile;
}

float expected(const SumCase& one, const Floats& a, const Floats& b) {
  const DeclaredSum how{one.order, one.fused, one.block};
  if (one.accumulator == "own" || one.accumulator == "f32") return oracle::sum_f32(a, b, how);
  if (one.accumulator == "f64") {
    const std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
    return static_cast<float>(oracle::sum_f64(x, y, how));
  }
  return static_cast<float>(oracle::sum_narrow(a, b, how, one.accumulator == "f16" ? oracle::wide_f16 : oracle::wide_bf16));
}

TEST(StablehloFloatSums, AsDeclared) {
  std::int64_t points = 0;
  for (const char* accumulator : {"own", "f32", "f64", "f16", "bf16"})
    for (const SumOrder order : {SumOrder::sequential, SumOrder::pairwise, SumOrder::blocked})
      for (const bool fused : {false, true})
        for (const int block : {4, 32}) {
          if (order != SumOrder::blocked && block != 4) continue;
          const SumCase one{order, fused, accumulator, block};
          Random random(static_cast<std::uint64_t>(block) + 7);
          const std::int64_t rows = 30, depth = 75, columns = 37;
          const Floats l = random.floats(rows * depth, 9), r = random.floats(depth * columns, 4);
          const Profile profile = profile_of_sum(one);
          auto results = evaluate({*spec_pages(), profile}, dot_call(float_tensor("f32", {rows, depth}, l), float_tensor("f32", {depth, columns}, r),
                                                                     float_type("f32", {rows, columns})));
          ASSERT_TRUE(results) << to_text(results.error());
          for (std::int64_t i = 0; i < rows * columns; ++i, ++points) {
            Floats a, b;
            for (std::int64_t k = 0; k < depth; ++k) {
              a.push_back(l[static_cast<std::size_t>(i / columns * depth + k)]);
              b.push_back(r[static_cast<std::size_t>(k * columns + i % columns)]);
            }
            ASSERT_EQ(f32_at(results->front().tensor, i), expected(one, a, b))
                << accumulator << (fused ? " fused" : "") << " order " << static_cast<int>(order) << " block " << block << " [" << i << "]";
          }
        }
  std::printf("  %lld points\n", static_cast<long long>(points));
}

/// Sums that cancel, ties of f32 made by hand, and a scale in front.
TEST(StablehloFloatSums, Exact) {
  std::int64_t points = 0, zeros = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const std::int64_t rows = 24, depth = random.whole(2, 40), columns = 25;
    Floats l = random.floats(rows * depth, 12), r = random.floats(depth * columns, 8);
    for (std::int64_t row = 0; row < rows; row += 3)  // the second half undoes the first, but for the last element
      for (std::int64_t k = 0; k + depth / 2 < depth; ++k)
        l[static_cast<std::size_t>(row * depth + k + depth / 2)] = -l[static_cast<std::size_t>(row * depth + k)];
    for (std::int64_t k = 0; k + depth / 2 < depth; ++k)
      for (std::int64_t c = 0; c < columns; c += 2) r[static_cast<std::size_t>((k + depth / 2) * columns + c)] = r[static_cast<std::size_t>(k * columns + c)];
    for (std::int64_t c = 0; c < columns; c += 5)  // 1 + 2^-24 (a tie) and what stands beside it
      for (std::int64_t k = 0; k < depth; ++k) r[static_cast<std::size_t>(k * columns + c)] = k == 0 ? 1.0f : k == 1 ? 0x1p-24f : k == 2 ? 0x1p-50f : 0.0f;
    for (std::int64_t k = 0; k < depth; ++k) l[static_cast<std::size_t>(depth + k)] = 1.0f;
    auto results =
        run_profile(dot_call(float_tensor("f32", {rows, depth}, l), float_tensor("f32", {depth, columns}, r), float_type("f32", {rows, columns})), "reference");
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      Floats a, b;
      for (std::int64_t k = 0; k < depth; ++k) {
        a.push_back(l[static_cast<std::size_t>(i / columns * depth + k)]);
        b.push_back(r[static_cast<std::size_t>(k * columns + i % columns)]);
      }
      const auto wanted = oracle::exact_sum(a, b);
      if (!wanted) continue;
      ++points;
      zeros += *wanted == 0 ? 1 : 0;
      const float actual = f32_at(results->front().tensor, i);
      ASSERT_TRUE(actual == *wanted && std::signbit(actual) == std::signbit(*wanted))
          << "seed " << seed << " [" << i << "]: " << actual << ", oracle " << *wanted;
    }
  }
  std::printf("  %lld points, %lld of them zero, seeds 0 to 59\n", static_cast<long long>(points), static_cast<long long>(zeros));
  EXPECT_GE(points, 20000);
}

TEST(StablehloFloatSums, ExactWithScales) {
  std::int64_t points = 0;
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    Random random(seed);
    const std::int64_t rows = 24, depth = random.whole(2, 60), columns = 25;
    oracle::stablehlo::Channels rhs{{}, true};
    for (std::int64_t c = 0; c < columns; ++c) rhs.each.push_back(uniform("i8", 0.001 + 0.00037 * static_cast<double>(random.whole(0, 900)), 0));
    const Floats l = random.floats(rows * depth, 5);
    const Codes r = random.codes(depth * columns, {-128, 127});
    auto results = run_profile(
        dot_call(float_tensor("f32", {rows, depth}, l), code_tensor(quantized_type(rhs, {depth, columns}, 1), r), float_type("f32", {rows, columns})),
        "stablehlo-exact");
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      Floats a, b;
      for (std::int64_t k = 0; k < depth; ++k) {
        a.push_back(l[static_cast<std::size_t>(i / columns * depth + k)]);
        b.push_back(static_cast<float>(r[static_cast<std::size_t>(k * columns + i % columns)]));
      }
      const auto wanted = oracle::exact_sum(a, b, rhs.at(i % columns).scale);
      if (!wanted) continue;
      ++points;
      ASSERT_EQ(f32_at(results->front().tensor, i), *wanted) << "seed " << seed << " [" << i << "]";
    }
  }
  std::printf("  %lld points, seeds 100 to 129\n", static_cast<long long>(points));
  EXPECT_GE(points, 10000);
}

/// Codes with one rounding in all: scales of few bits, so that ties are many.
TEST(StablehloFloatSums, ExactCodes) {
  std::int64_t points = 0, ties = 0;
  for (std::uint64_t seed = 200; seed < 240; ++seed) {
    Random random(seed);
    const std::int64_t rows = 24, depth = random.whole(1, 50), columns = 25;
    constexpr int mantissas[] = {32, 64, 128, 192, 411};
    auto scale = [&] { return std::ldexp(static_cast<double>(random.of(mantissas)), -13); };
    const bool per_axis = random.whole(0, 1) == 1;
    const oracle::stablehlo::Channels lhs{{uniform("i8", scale(), random.whole(-128, 127))}, false};
    oracle::stablehlo::Channels rhs{{}, per_axis}, result{{}, per_axis};
    for (std::int64_t c = 0; c < (per_axis ? columns : 1); ++c) {
      rhs.each.push_back(uniform("i8", scale(), 0));
      result.each.push_back(uniform("i16", scale(), random.whole(-99, 99)));
    }
    const Codes l = random.codes(rows * depth, {-128, 127}), r = random.codes(depth * columns, {-128, 127});
    auto results = run_profile(dot_call(code_tensor(quantized_type(lhs, {rows, depth}, 0), l), code_tensor(quantized_type(rhs, {depth, columns}, 1), r),
                                        quantized_type(result, {rows, columns}, 1)),
                               "stablehlo-exact");
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::int64_t i = 0; i < rows * columns; ++i, ++points) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < depth; ++k)
        sum += (l[static_cast<std::size_t>(i / columns * depth + k)] - lhs.each[0].zero_point) * r[static_cast<std::size_t>(k * columns + i % columns)];
      const auto& from = rhs.at(i % columns);
      const auto& to = result.at(i % columns);
      const auto code = oracle::exact_code(sum, lhs.each[0].scale, from.scale, to.scale, to.zero_point);
      ASSERT_TRUE(code);
      const double quotient = static_cast<double>(sum) * lhs.each[0].scale * from.scale / to.scale;
      ties += std::fabs(std::fabs(quotient - std::trunc(quotient)) - 0.5) < 1e-9 ? 1 : 0;
      ASSERT_EQ(integer_at(results->front(), i), std::clamp<std::int64_t>(*code, -32768, 32767)) << "seed " << seed << " [" << i << "]";
    }
  }
  std::printf("  %lld points, %lld ties, seeds 200 to 239\n", static_cast<long long>(points), static_cast<long long>(ties));
  EXPECT_GE(ties, 100);
}

/// Infinities, nan, zeros of both signs and subnormals: the fast engine against the exact one.
TEST(StablehloFloatSums, SpecialValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, infinity, -infinity, std::nanf(""), 0x1p-149f, -0x1p-149f, 0x1.fffffep+127f, 0x1p-126f, 3.0f};
  Random random(5);
  Floats l, r;
  for (int i = 0; i < 40 * 6; ++i) l.push_back(i % 3 == 0 ? random.of(special) : static_cast<float>(random.whole(-2, 2)));
  for (int i = 0; i < 6 * 40; ++i) r.push_back(i % 4 == 0 ? random.of(special) : static_cast<float>(random.whole(-2, 2)));
  for (const SumOrder order : {SumOrder::sequential, SumOrder::pairwise, SumOrder::blocked})
    for (const char* accumulator : {"own", "f16", "bf16", "f64"})
      for (const bool fused : {false, true}) {
        auto results =
            evaluate({*spec_pages(), profile_of_sum({order, fused, accumulator})},
                     dot_call(float_tensor("f32", {40, 6}, l), float_tensor("f32", {6, 40}, r), float_type("f32", {40, 40})), {.engine = Engine::both});
        EXPECT_TRUE(results) << accumulator << " " << to_text(results.error());
      }
  for (const char* profile : {"reference", "stablehlo-exact"}) {
    auto found = spec_pages()->find_profile(profile);
    auto results = evaluate({*spec_pages(), **found}, dot_call(float_tensor("f32", {40, 6}, l), float_tensor("f32", {6, 40}, r), float_type("f32", {40, 40})),
                            {.engine = Engine::both});
    EXPECT_TRUE(results) << profile << " " << to_text(results.error());
  }
}

}  // namespace
}  // namespace tiebreak
