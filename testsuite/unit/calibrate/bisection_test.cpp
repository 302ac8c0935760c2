// SPDX-License-Identifier: Apache-2.0
// The bisection of MLIR's first quantizer against its own numbers and the oracle. What its tests state of other steps are cases, testsuite/published/mlir.
#include "testsuite/calibrate/bisection.hpp"

#include <gtest/gtest.h>

#include "testsuite/oracle/quantized/parameter_variants.hpp"

namespace tiebreak {
namespace {

/// tensorflow/mlir 491949a9, test/Quantizer/matmul.mlir, unittests/Quantizer/Support/UniformSolversTest.cpp; the first three are literals of f32 tensors.
TEST(Bisection, RowsOfTheFirstQuantizer) {
  struct Row {
    double low, high, scale, zero_point;
  };
  for (const Row& row : {Row{static_cast<double>(-6.123F), static_cast<double>(3.45F), 0.037564418067230126, 35},
                         Row{static_cast<double>(-0.797852993F), static_cast<double>(0.800239F), 0.006282307031586424, -1}, Row{-8, 8, 0.0629921259842528, -1},
                         Row{-12.25, 6.1, 0.07205882352941222, 42}}) {
    const auto solved = bisected_parameters(row.low, row.high, -128, 255);
    ASSERT_TRUE(solved.has_value());
    EXPECT_DOUBLE_EQ(oracle::bisected_parameters(row.low, row.high, 255, -128).scale, row.scale);
    EXPECT_DOUBLE_EQ(solved->first, row.scale);
    EXPECT_EQ(solved->second, row.zero_point);
  }
  EXPECT_FALSE(bisected_parameters(0, 0, -128, 255).has_value());
}

TEST(Bisection, IsThatOfTheOracle) {
  std::uint32_t state = 1;
  const auto draw = [&] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8) / 65536;
  };
  for (int i = 0; i < 2000; ++i) {
    const double low = 20 - draw() / 4, high = low + draw() / 100, steps = i % 2 == 0 ? 255 : 14;
    const auto solved = bisected_parameters(low, high, -128, steps);
    const auto expected = oracle::bisected_parameters(low, high, static_cast<int>(steps), -128);
    ASSERT_TRUE(solved.has_value());
    EXPECT_EQ(solved->first, expected.scale) << low << " .. " << high;
    EXPECT_EQ(solved->second, static_cast<double>(expected.zero_point.value())) << low << " .. " << high;
  }
}

}  // namespace
}  // namespace tiebreak
