// SPDX-License-Identifier: Apache-2.0
// StableHLO's cholesky on pseudo-random symmetric matrices of one to four rows, both triangles, against long doubles.
#include "testsuite/oracle/stablehlo/stablehlo_cholesky.hpp"

#include <cmath>
#include <random>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

/// Whole numbers of ten bits, symmetric; a strong diagonal makes three of four positive definite.
std::vector<double> symmetric(std::mt19937& engine, std::size_t n) {
  std::vector<double> matrix(n * n);
  const std::uint32_t strength = engine() % 4 == 0 ? 256 : 4096;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double v = static_cast<double>(engine() % 1024) - 512 + (i == j ? static_cast<double>(strength) : 0);
      matrix[i * n + j] = matrix[j * n + i] = v;
    }
  return matrix;
}

/// Elements that differ; those of the other triangle, and all where there is no decomposition, are undefined.
int differing_factor(const ResultTensor& result, const std::vector<long double>& factor, std::size_t n, bool lower) {
  int wrong = 0;
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      const auto place = static_cast<std::int64_t>(row * n + column);
      const std::size_t i = lower ? row : column, j = lower ? column : row;
      const bool open = factor.empty() || i < j;
      if (undefined_at(result, place) != open) ++wrong;
      else if (!open && f32_at(result.tensor, place) != static_cast<float>(factor[i * n + j])) ++wrong;
    }
  return wrong;
}

TEST(StablehloCholesky, MatricesOfOneToFourRows) {
  std::mt19937 engine(5);
  std::printf("  seed 5\n");
  int decomposed = 0;
  for (int turn = 0; turn < 400; ++turn) {
    const std::size_t n = 1 + static_cast<std::size_t>(turn % 4);
    const bool lower = turn % 8 < 4;
    const std::vector<double> matrix = symmetric(engine, n);
    Tensor a = *Tensor::zeros({*ElementType::parse("f32"), {static_cast<std::int64_t>(n), static_cast<std::int64_t>(n)}, {}});
    for (std::size_t i = 0; i < matrix.size(); ++i) a.set_code(static_cast<std::int64_t>(i), *a.element().encode(Real::from_double(matrix[i])));
    const OpCall call{.op = "stablehlo.cholesky", .operands = {a}, .attributes = {{"lower", Attribute{lower}}}, .result_types = {a.type()}};
    auto results = run_profile(call, "stablehlo-spec");
    ASSERT_TRUE(results) << to_text(results.error());
    const std::vector<long double> factor = oracle::stablehlo::cholesky(matrix, n);
    decomposed += factor.empty() ? 0 : 1;
    EXPECT_EQ(differing_factor(results->front(), factor, n, lower), 0) << "turn " << turn;
  }
  EXPECT_GT(decomposed, 200);
  EXPECT_LT(decomposed, 400);
}

}  // namespace
}  // namespace tiebreak
