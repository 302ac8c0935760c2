// SPDX-License-Identifier: Apache-2.0
// TFLite's reciprocal square roots and input radii: the rows of its own test, and the oracle's step by step computation.
#include "testsuite/oracle/quantized/inverse_sqrt.hpp"

#include <cmath>
#include <cstdio>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

Result<std::vector<ResultTensor>> roots_of(const std::vector<std::int32_t>& x, std::int64_t reverse_shift = 1) {
  OpCall call{.op = "quant.inverse_sqrt", .operands = {vector_tensor("i32", x)}};
  call.attributes["reverse_shift"] = Attribute{Real(reverse_shift)};
  return run_profile(call, "reference");
}

Result<std::vector<ResultTensor>> radii_of(const std::vector<int>& bits, const std::vector<int>& shifts, int total) {
  OpCall call{.op = "quant.input_radius", .operands = {vector_tensor("i32", bits), vector_tensor("i32", shifts)}};
  call.attributes["total_bits"] = Attribute{Real(total)};
  return run_profile(call, "reference");
}

/// Small numbers, both sides of every power of two, and pseudo-random ones of every length.
TEST(InverseSqrt, EqualsTheOracle) {
  std::vector<std::int32_t> inputs;
  for (std::int32_t x = 0; x < 2048; ++x) inputs.push_back(x);
  for (int bit = 11; bit < 31; ++bit)
    for (std::int64_t beside = -9; beside <= 9; ++beside) inputs.push_back(static_cast<std::int32_t>((std::int64_t{1} << bit) + beside));
  std::uint64_t state = 20;
  std::printf("  seed %llu\n", static_cast<unsigned long long>(state));
  for (int i = 0; i < 3000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    inputs.push_back(static_cast<std::int32_t>((state >> 33) >> (state >> 8 & 31) % 20));
  }
  inputs.push_back(2147483647);
  auto result = roots_of(inputs, -1);
  ASSERT_TRUE(result) << to_text(result.error());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const oracle::InverseSqrt expected = oracle::inverse_sqrt(inputs[i]);
    const auto at = static_cast<std::int64_t>(i);
    ASSERT_EQ(integer_at((*result)[0], at), expected.multiplier) << inputs[i];
    ASSERT_EQ(integer_at((*result)[1], at), -expected.right_shift) << inputs[i];
    if (inputs[i] < 1) continue;
    const double root = std::ldexp(expected.multiplier, -31 - expected.right_shift);  // what it is meant to be
    ASSERT_NEAR(root * std::sqrt(inputs[i]), 1, 1e-4) << inputs[i];
  }
  auto negative = roots_of({-1});
  ASSERT_TRUE(negative);
  EXPECT_TRUE(undefined_at((*negative)[0], 0));
}

TEST(InputRadius, EqualsTheOracleEverywhere) {
  for (const int total : {15, 31}) {
    std::vector<int> bits, shifts;
    for (int b = 0; b <= total; ++b)
      for (int s = 0; s <= 62; ++s) bits.push_back(b), shifts.push_back(s);
    auto result = radii_of(bits, shifts, total);
    ASSERT_TRUE(result) << to_text(result.error());
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const std::int32_t expected = oracle::input_radius(bits[i], shifts[i], total);
      ASSERT_EQ(expected, oracle::input_radius_of_integers(bits[i], shifts[i], total));
      ASSERT_EQ(integer_at(result->front(), static_cast<std::int64_t>(i)), expected) << bits[i] << " bits, shift " << shifts[i];
    }
  }
}

}  // namespace
}  // namespace tiebreak
