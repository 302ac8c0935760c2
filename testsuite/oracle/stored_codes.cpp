// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stored_codes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tiebreak::oracle {
namespace {

constexpr double four_bit_values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

/// How many of the midpoints lie below a magnitude; on a midpoint the even code, or the greater one. `side` compares with a midpoint.
template <class Side>
double nearest_four_bit_value(bool negative, bool ties_away, Side side) {
  int code = 0;
  for (int i = 0; i < 7; ++i) {
    const int place = side((four_bit_values[i] + four_bit_values[i + 1]) / 2);
    if (place > 0 || (place == 0 && (ties_away || i % 2 == 1))) code = i + 1;
  }
  return std::copysign(four_bit_values[code], negative ? -1.0 : 1.0);
}

int side_of_midpoint(long double a, long double b) { return a > b ? 1 : a < b ? -1 : 0; }

struct FloatFields {
  std::uint32_t sign, exponent, fraction;
};
FloatFields float_fields(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return {bits >> 31, bits >> 23 & 0xFFU, bits & 0x7FFFFFU};
}

/// Whether the fraction takes a power of two to the next one.
bool goes_to_next_power(std::uint32_t fraction, const std::string& mode) { return mode == "up" ? fraction != 0 : mode == "nearest" && fraction >= 0x400000U; }

}  // namespace

std::int64_t unpacked(const std::string& code, std::uint32_t bits, int width) {
  const auto value = static_cast<std::int64_t>(bits & ((1U << width) - 1));
  if (code == "twos_complement") return static_cast<std::int8_t>(static_cast<std::uint8_t>(bits << (8 - width))) >> (8 - width);
  if (code == "offset") return value - (std::int64_t{1} << (width - 1));
  if (code == "offset_less_one") return value - (std::int64_t{1} << (width - 1)) + 1;
  return value;
}

std::uint32_t stored_zero_point(std::uint32_t zero_point, int width, bool less_one) {
  const std::uint32_t mask = (1U << width) - 1;
  return (less_one ? zero_point + mask : zero_point) & mask;  // one less, modulo the word
}

double four_bit_float(float x, float unit, UnitQuotient quotient, bool ties_away) {
  const bool negative = std::signbit(x) != std::signbit(unit);
  if (quotient == UnitQuotient::exact)  // 24 bits by 4: the product is exact
    return nearest_four_bit_value(negative, ties_away, [&](double middle) {
      return side_of_midpoint(std::fabs(static_cast<long double>(x)), std::fabs(static_cast<long double>(unit)) * static_cast<long double>(middle));
    });
  const float inverse = 1 / unit, ratio = quotient == UnitQuotient::divided ? x / unit : x * inverse;
  return nearest_four_bit_value(negative, ties_away,
                                [&](double middle) { return side_of_midpoint(std::fabs(static_cast<long double>(ratio)), static_cast<long double>(middle)); });
}

std::optional<int> power_of_two(float x, const std::string& mode, bool saturate) {
  constexpr int nan = 255, greatest = 254;
  if (std::isnan(x)) return nan;
  const auto [sign, exponent, fraction] = float_fields(x);
  if (sign != 0) return std::nullopt;
  if (exponent == 255 || (exponent == 254 && fraction != 0)) return saturate ? greatest : nan;  // beyond 2^127
  if (exponent > 0) return static_cast<int>(exponent) + (goes_to_next_power(fraction, mode) ? 1 : 0);
  if (fraction < 0x400000U) return saturate ? 0 : nan;  // below 2^-127, the least power of the type
  return goes_to_next_power((fraction & 0x3FFFFFU) << 1, mode) ? 1 : 0;
}

int power_of_two_by_fields(float x, const std::string& mode, bool saturate) {
  const auto [sign, exponent, fraction] = float_fields(x);
  if (exponent == 255) return 255;
  if (exponent == 0) return (mode == "up" && fraction != 0) || (mode == "nearest" && fraction > 0x400000U) ? 1 : 0;
  if (exponent == 254 && saturate) return 254;
  return static_cast<int>(exponent) + (goes_to_next_power(fraction, mode) ? 1 : 0);
}

std::optional<std::int64_t> four_bit_integer(float x, bool ties_away) {
  if (!std::isfinite(x)) return std::nullopt;
  const float whole = ties_away ? std::round(x) : std::nearbyint(x);
  if (std::fabs(whole) >= 0x1p28F) return 0;  // a multiple of 16
  return unpacked("twos_complement", static_cast<std::uint32_t>(static_cast<std::int32_t>(whole)), 4);
}

std::int64_t leaky_relu(const LeakyRelu& how, std::int64_t code) {
  const float difference = static_cast<float>(code - how.x_zero_point);
  const float moved = -static_cast<float>(how.x_zero_point) * how.x_scale;
  const float x = how.vectors ? std::fma(static_cast<float>(code), how.x_scale, moved) : difference * how.x_scale;
  const float sloped = x * how.alpha, kept = x > 0 ? x : sloped;
  const float inverse = 1 / how.y_scale, scaled = kept * inverse;
  const std::int64_t least = how.is_signed ? -128 : 0;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::nearbyint(scaled)) + how.y_zero_point, least, least + 255);
}

}  // namespace tiebreak::oracle
