// SPDX-License-Identifier: Apache-2.0
// Sums of products of floats in every order and accumulator that pages declare, by plain loops; and the exact sum in integers of 128 bits.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "testsuite/oracle/stablehlo/stablehlo_unary.hpp"

namespace tiebreak::oracle {

enum class SumOrder : std::uint8_t { sequential, pairwise, blocked };
struct DeclaredSum {
  SumOrder order = SumOrder::sequential;
  bool fused = false;
  int block = 4;
};
float sum_f32(std::span<const float> a, std::span<const float> b, const DeclaredSum& how);
double sum_f64(std::span<const double> a, std::span<const double> b, const DeclaredSum& how);
/// Any narrower accumulator. Factors whose products and sums a long double holds.
double sum_narrow(std::span<const float> a, std::span<const float> b, const DeclaredSum& how, const WideFloat& accumulator);

/// The exact sum times a scale, rounded once to f32, ties to even; nothing where 128 bits do not hold it.
std::optional<float> exact_sum(std::span<const float> a, std::span<const float> b, double scale = 1);
/// The whole number nearest to sum * s / t + zero_point, ties to even, for scales of few bits; nothing where 128 bits do not hold it.
std::optional<std::int64_t> exact_code(std::int64_t sum, double s, double other_s, double t, std::int64_t zero_point);

}  // namespace tiebreak::oracle
