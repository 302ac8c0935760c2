// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/quantized/inverse_sqrt.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

std::int32_t shift_left_saturating(std::int32_t v, int bits) {
  const std::int64_t wide = static_cast<std::int64_t>(v) * (std::int64_t{1} << bits);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(wide, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

InverseSqrt inverse_sqrt(std::int32_t x) {
  if (x <= 1) return {std::numeric_limits<std::int32_t>::max(), 0};
  int right = 11;
  for (; x >= 1 << 29; x /= 4) ++right;
  const int spare_bits = std::countl_zero(static_cast<std::uint32_t>(x)) - 1, pairs = spare_bits / 2 - 1;
  right -= pairs;
  x <<= 2 * pairs;
  const std::int32_t half = shift_half_away(x / 2, 1), three_halves = 3 << 27;
  std::int32_t y = 1 << 28;
  for (int step = 0; step < 5; ++step) {
    const std::int32_t square = doubling_high_multiply(y, y);
    const std::int32_t cube = shift_left_saturating(doubling_high_multiply(square, y), 6);
    y = shift_left_saturating(doubling_high_multiply(three_halves, y) - doubling_high_multiply(half, cube), 3);
  }
  y = doubling_high_multiply(y, 1518500250);
  if (right < 0) {
    y <<= -right;
    right = 0;
  }
  return {y, right};
}

std::int32_t input_radius(int integer_bits, int left_shift, int total_bits) {
  const double most = static_cast<double>((std::int64_t{1} << integer_bits) - 1) * static_cast<double>(std::int64_t{1} << (total_bits - integer_bits));
  return static_cast<std::int32_t>(std::floor(most / static_cast<double>(std::int64_t{1} << left_shift)));
}

std::int32_t input_radius_of_integers(int integer_bits, int left_shift, int total_bits) {
  const std::int64_t most = ((std::int64_t{1} << integer_bits) - 1) << (total_bits - integer_bits);
  return static_cast<std::int32_t>(most >> left_shift);
}

}  // namespace tiebreak::oracle
