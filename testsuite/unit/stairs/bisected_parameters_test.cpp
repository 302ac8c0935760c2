// SPDX-License-Identifier: Apache-2.0
// MLIR's first quantizer: parameters by a bisection of up to 60 steps, which is no formula of the notation, so that the oracle alone computes
// them. What its own tests state of other steps are cases, testsuite/published/mlir.
#include <gtest/gtest.h>

#include "testsuite/oracle/quantized/parameter_variants.hpp"

namespace tiebreak {
namespace {

struct SolvedRange {
  double low, high;
  double scale;
  std::int64_t zero_point;
};

/// tensorflow/mlir 491949a9, test/Quantizer/matmul.mlir and unittests/Quantizer/Support/UniformSolversTest.cpp, for codes -128 .. 127. The first three
/// are literals of f32 tensors.
constexpr SolvedRange solved_ranges[] = {
    {static_cast<double>(-6.123F), static_cast<double>(3.45F), 0.037564418067230126, 35},
    {static_cast<double>(-0.797852993F), static_cast<double>(0.800239F), 0.006282307031586424, -1},
    {-8, 8, 0.0629921259842528, -1},
    {-12.25, 6.1, 0.07205882352941222, 42},
};

TEST(BisectedParameters, RowsOfTheFirstQuantizer) {
  for (const SolvedRange& row : solved_ranges) {
    const auto derived = oracle::bisected_parameters(row.low, row.high, 255, -128);
    EXPECT_DOUBLE_EQ(derived.scale, row.scale) << row.low;
    EXPECT_EQ(derived.zero_point, row.zero_point) << row.low;
  }
}

}  // namespace
}  // namespace tiebreak
