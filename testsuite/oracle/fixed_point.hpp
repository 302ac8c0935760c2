// SPDX-License-Identifier: Apache-2.0
// The fixed-point products of integer kernels in 64-bit integers, with shifts, for the oracle's variants.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

namespace tiebreak::oracle {

__extension__ typedef __int128 Wide;

/// The low 32 bits.
inline std::int32_t wrap32(std::int64_t v) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(v))); }

struct FixedMultiplier {
  std::int32_t mantissa = 0;  ///< 31 bits
  int exponent = 0;
};
/// frexp, then the fraction times 2^31 rounded half away.
inline FixedMultiplier fixed_multiplier(double factor) {
  if (factor == 0) return {};
  int exponent = 0;
  auto mantissa = std::llround(std::frexp(factor, &exponent) * 0x1p31);
  if (mantissa == std::int64_t{1} << 31) {
    mantissa /= 2;
    ++exponent;
  }
  return {static_cast<std::int32_t>(mantissa), exponent};
}

inline std::int32_t doubling_high_multiply(std::int32_t a, std::int32_t b) {
  if (a == b && a == std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t product = static_cast<std::int64_t>(a) * b;
  const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
  return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

/// Halves away from zero.
inline std::int32_t shift_half_away(std::int32_t x, int shift) {
  if (shift == 0) return x;
  if (shift > 31) return 0;
  const std::int64_t half = std::int64_t{1} << (shift - 1), magnitude = (std::abs(static_cast<std::int64_t>(x)) + half) >> shift;
  return static_cast<std::int32_t>(x < 0 ? -magnitude : magnitude);
}

/// The same of a 64-bit sum, by one place or more.
inline std::int64_t shift_half_away64(std::int64_t x, int shift) {
  const std::int64_t magnitude = ((x < 0 ? -x : x) + (std::int64_t{1} << (shift - 1))) >> shift;
  return x < 0 ? -magnitude : magnitude;
}

/// Two roundings.
inline std::int32_t multiply_twice_rounded(std::int32_t x, FixedMultiplier by) {
  const auto left = static_cast<std::uint32_t>(by.exponent > 0 ? by.exponent : 0);
  const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << left);
  return shift_half_away(doubling_high_multiply(shifted, by.mantissa), by.exponent < 0 ? -by.exponent : 0);
}

/// One rounding, halves up. The product may need more than 64 bits' room only beyond the shifts that kernels allow.
inline std::int64_t multiply_once_rounded(std::int64_t x, FixedMultiplier by) {
  const int shift = 31 - by.exponent;
  if (shift > 62) {
    const __int128 product = static_cast<__int128>(x) * by.mantissa + (static_cast<__int128>(1) << (shift - 1));
    return static_cast<std::int64_t>(product >> shift);
  }
  return (x * by.mantissa + (std::int64_t{1} << (shift - 1))) >> shift;
}

}  // namespace tiebreak::oracle
