// SPDX-License-Identifier: Apache-2.0
// Every profile's add and mul against the oracle's functions of the same names, on all 256 x 256 pairs of codes. Every system is run with a
// few of the parameter sets fully; the sets are spread over the systems so that each is used.
#include "testsuite/oracle/quantized/binary_variants.hpp"

#include <cmath>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

/// Parameter sets: powers of two with odd zero points, decimals, ratios beside simple fractions, wide ratios, pseudo-random ones.
std::vector<oracle::BinaryParameters> binary_parameter_sets(bool product) {
  std::vector<oracle::BinaryParameters> sets;
  auto add = [&](float a, float b, float y, int az, int bz, int yz) {
    sets.push_back(
        {.a_scale = a, .b_scale = b, .y_scale = product ? a * b * y / a : y, .a_zero_point = az, .b_zero_point = bz, .y_zero_point = yz, .codes = {-128, 127}});
  };
  add(1, 1, product ? 128 : 2, 0, 0, 1);
  add(0.5f, 1, product ? 64 : 2, 3, -5, -7);
  add(0.25f, 0.5f, product ? 16 : 4, 0, 1, 1);
  add(0.02f, 0.015f, product ? 2 : 0.03f, 3, -5, 7);
  add(0.1f, 0.07f, product ? 8 : 0.13f, 1, -3, 5);
  add(0.1f, 0.3f, product ? 12.8f : 0.2f, -7, 9, -3);
  add(0.1f, 0.1f, product ? 5 : 0.1f, 4, 4, 4);
  add(0x1p-20f, 0.25f, product ? 0x1p-15f : 0.5f, 0, 1, 3);
  add(7.5f, 1e-3f, product ? 700 : 11, 127, -128, 0);
  add(3, 1, product ? 1024.0f / 3 : 3, 2, 0, 1);
  std::uint64_t state = product ? 77 : 99;
  auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  while (sets.size() < 20) {
    const auto a = static_cast<float>(0.01 + next()), b = static_cast<float>(0.01 + next());
    const float y = product ? std::ldexp(a, 5 + static_cast<int>(next() * 3)) : (a + b) / 2;
    add(a, b, y, static_cast<int>(next() * 255) - 128, static_cast<int>(next() * 255) - 128, static_cast<int>(next() * 255) - 128);
  }
  return sets;
}

std::int64_t compare_pairs(const std::string& op, const oracle::BinaryVariant& variant, const oracle::BinaryParameters& p) {
  static const auto pairs = [] {
    std::pair<std::vector<int>, std::vector<int>> all;
    for (int a = -128; a < 128; ++a)
      for (int b = -128; b < 128; ++b) {
        all.first.push_back(a);
        all.second.push_back(b);
      }
    return all;
  }();
  auto scale = [](float v) { return scalar_tensor("f32", static_cast<double>(v)); };
  OpCall call{.op = op,
              .operands = {vector_tensor("i8", pairs.first), scale(p.a_scale), scalar_tensor("i32", p.a_zero_point), vector_tensor("i8", pairs.second),
                           scale(p.b_scale), scalar_tensor("i32", p.b_zero_point), scale(p.y_scale), scalar_tensor("i32", p.y_zero_point)}};
  auto results = run_profile(call, variant.name);
  EXPECT_TRUE(results) << variant.name << " " << (results ? "" : to_text(results.error()));
  if (!results) return 0;
  int wrong = 0;
  for (std::size_t i = 0; i < pairs.first.size(); ++i) {
    const auto actual = integer_at(results->front(), static_cast<std::int64_t>(i));
    const std::int64_t expected = variant.function(pairs.first[i], pairs.second[i], p);
    if (actual != expected && ++wrong <= 3)
      ADD_FAILURE() << op << " " << variant.name << " scales " << p.a_scale << " " << p.b_scale << " " << p.y_scale << " zero points " << p.a_zero_point << " "
                    << p.b_zero_point << " " << p.y_zero_point << ": " << pairs.first[i] << ", " << pairs.second[i] << " gives " << text_of(actual)
                    << ", oracle " << expected;
  }
  EXPECT_EQ(wrong, 0) << op << " " << variant.name;
  return static_cast<std::int64_t>(pairs.first.size());
}

void run_all(const std::string& op, std::span<const oracle::BinaryVariant> variants, bool product) {
  const std::vector<oracle::BinaryParameters> sets = binary_parameter_sets(product);
  std::int64_t points = 0;
  for (const oracle::BinaryVariant& variant : variants)
    for (const oracle::BinaryParameters& p : sets) points += compare_pairs(op, variant, p);
  std::printf("  %lld points, %zu profiles, %zu parameter sets\n", static_cast<long long>(points), variants.size(), sets.size());
  EXPECT_GE(points, 1'000'000);
}

TEST(BinaryVariants, AddOfEveryPair) { run_all("quant.add", oracle::add_variants(), false); }
TEST(BinaryVariants, MulOfEveryPair) { run_all("quant.mul", oracle::mul_variants(), true); }

}  // namespace
}  // namespace tiebreak
