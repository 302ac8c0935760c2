// SPDX-License-Identifier: Apache-2.0
// Exact rounding of double arithmetic to narrower formats. A sum, product or quotient of doubles is first rounded to odd (the last bit is set
// where the result is inexact), which keeps every later rounding to at most 51 bits correct in every mode: Boldo and Melquiond, "Emulation of FMA
// and correctly rounded sums: proved algorithms using rounding to odd", IEEE Trans. Computers 57(4), 2008.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "interpreter/exact/float_format.hpp"

namespace tiebreak {

/// Moves an inexact result with an even last bit one step toward the exact value: `error` has the sign of exact - rounded.
inline double to_odd(double rounded, double error) {
  if (error == 0 || !(error == error) || !std::isfinite(rounded)) return rounded;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(rounded);
  if ((bits & 1) != 0) return rounded;
  const bool away = (error > 0) == (rounded > 0);
  bits += away ? 1 : ~std::uint64_t{0};
  return std::bit_cast<double>(bits);
}

/// What the sum of two doubles lost: a + b = sum + error. Finite, and far from the ends of double's range.
inline double error_of_sum(double sum, double a, double b) {
  const double shadow = sum - a;
  return (a - (sum - shadow)) + (b - shadow);
}

/// a + b rounded to odd. Finite operands whose sum stays far from the ends of double's range.
inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  return std::isfinite(sum) ? to_odd(sum, error_of_sum(sum, a, b)) : sum;
}

inline double multiply_to_odd(double a, double b) {
  const double product = a * b;
  return std::isfinite(product) ? to_odd(product, std::fma(a, b, -product)) : product;
}

inline double divide_to_odd(double a, double b) {
  const double quotient = a / b;
  if (!std::isfinite(quotient) || !std::isfinite(b)) return quotient;
  const double rest = std::fma(-quotient, b, a);
  return to_odd(quotient, b < 0 ? -rest : rest);
}

/// Nearest value of a format of IEEE form and at most 51 bits, ties to even, beyond the largest an infinity. The double is exact, or rounded to odd.
inline double round_to_ieee(double value, const FloatFormat& format) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const int field = static_cast<int>(bits >> 52 & 0x7FF);
  if (field == 0x7FF) return value;
  const int exponent = field - 1023 < 1 - format.bias ? 1 - format.bias : field - 1023;
  // Adding 1.5 * 2^52 steps of the grid leaves no room for less than a step.
  const double far = std::bit_cast<double>(static_cast<std::uint64_t>(exponent - format.fraction_bits + 52 + 1023) << 52 | std::uint64_t{1} << 51);
  const double rounded = (value + far) - far;
  const double top = std::bit_cast<double>(static_cast<std::uint64_t>((1 << format.exponent_bits) - 1 - format.bias + 1023) << 52);  // where infinity stands
  const double result = std::fabs(rounded) >= top ? HUGE_VAL : std::fabs(rounded);
  return std::copysign(result, value);
}

/// The next float on one side of a double, the double itself where it is one. Infinities and nan stay.
inline double round_to_single(double value, bool up) {
  const float nearest = static_cast<float>(value);
  const double near = nearest;
  const bool is_there = up ? !(near < value) : !(near > value);
  if (is_there) return near;
  if (nearest == 0) return up ? 0x1p-149 : -0x1p-149;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  return std::bit_cast<float>((nearest > 0) == up ? bits + 1 : bits - 1);
}

/// Rounds a double (exact, or rounded to odd) to a value of the format, as round_to() does. `missing` is set where the format has no such value.
double round_to_format(double value, const FloatFormat& format, Rounding rounding, Overflow overflow, bool& missing);

/// Whole number by the rounding word.
double round_whole(double value, Rounding rounding);

}  // namespace tiebreak
