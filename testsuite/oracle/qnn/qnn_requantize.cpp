// SPDX-License-Identifier: Apache-2.0
// See the header. Signed overflow is written as unsigned arithmetic, shifts to the right are those of signed numbers.
#include "testsuite/oracle/qnn/qnn_requantize.hpp"

#include <cmath>
#include <limits>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle::qnn {
namespace {

constexpr std::int64_t half_mantissa = std::int64_t{1} << 30;

std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }
std::int64_t power_of_two(int exponent) { return exponent > 62 ? std::numeric_limits<std::int64_t>::min() : std::int64_t{1} << exponent; }
std::int32_t shifted_left(std::int32_t value, int places) { return places > 31 ? 0 : static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << places); }

/// 64-bit product and one shift with halves up.
std::optional<std::int32_t> general(std::int32_t value, const Factor& factor) {
  const int up = factor.exponent > 0 ? factor.exponent : 0, down = factor.exponent > 0 ? 0 : -factor.exponent, total = 31 + down;
  if (total > 63 || up > 63) return std::nullopt;
  std::int64_t product = wrapping_product(wrapping_product(value, power_of_two(up)), factor.mantissa);
  product = wrapping_sum(product, power_of_two(total - 1));
  return wrap32(product >> total);
}

/// Factors that are powers of two: shifts of 32-bit numbers.
std::optional<std::int32_t> shifted(std::int32_t value, int exponent) {
  if (exponent == 0 || exponent < -31 || exponent > 31) return std::nullopt;
  if (exponent > 0) return shifted_left(value, exponent);
  return wrap32(std::int64_t{value} + power_of_two(-exponent - 1)) >> -exponent;
}

/// High half of the doubled product, halves up, saturating: SQRDMULH.
std::int32_t doubling_high(std::int32_t a, std::int32_t b) {
  if (a == b && a == std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>((std::int64_t{a} * b + half_mantissa) >> 31);
}

std::optional<std::int32_t> aarch64(std::int32_t value, const Factor& factor) {
  if (factor.exponent > 31) return std::nullopt;
  const auto mantissa = static_cast<std::int32_t>(factor.mantissa);
  if (factor.exponent >= 0) return doubling_high(shifted_left(value, factor.exponent), mantissa);
  return static_cast<std::int32_t>((std::int64_t{doubling_high(value, mantissa)} + power_of_two(-factor.exponent - 1)) >> -factor.exponent);
}

std::optional<std::int32_t> hexagon(std::int32_t value, const Factor& factor) {
  if (factor.exponent > 31) return std::nullopt;
  if (factor.exponent >= 0) return static_cast<std::int32_t>((std::int64_t{shifted_left(value, factor.exponent)} * factor.mantissa + half_mantissa) >> 31);
  const std::int64_t high = (std::int64_t{value} * factor.mantissa) >> 31;
  return static_cast<std::int32_t>(std::int64_t{wrap32(high + power_of_two(-factor.exponent - 1))} >> -factor.exponent);
}

std::int32_t gemmlowp(std::int32_t value, const Factor& factor) {
  const std::int32_t high = doubling_high(factor.exponent > 0 ? shifted_left(value, factor.exponent) : value, static_cast<std::int32_t>(factor.mantissa));
  if (factor.exponent >= 0) return high;
  const int places = -factor.exponent;
  const std::int64_t mask = power_of_two(places) - 1, rest = high & mask, threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return static_cast<std::int32_t>((std::int64_t{high} >> places) + (rest > threshold ? 1 : 0));
}

std::int32_t half_to_even(std::int32_t value, const Factor& factor) {
  const int up = factor.exponent > 0 ? factor.exponent : 0, down = 31 + up - factor.exponent;
  const __int128 product = static_cast<__int128>(value) * factor.mantissa * power_of_two(up);
  const __int128 floor = product >> down, rest = product - (floor << down), tie = static_cast<__int128>(1) << (down - 1);
  return wrap32(static_cast<std::int64_t>(floor + (rest > tie || (rest == tie && (floor & 1) != 0) ? 1 : 0)));
}

template <class Float>
std::optional<std::int32_t> float_path(std::int64_t code, const Requantize& how) {
  Float x = static_cast<Float>(wrap32(code)) - static_cast<Float>(how.input_zero_point);
  if (!how.single || how.input_scale != how.output_scale) x *= static_cast<Float>(static_cast<double>(how.input_scale) / static_cast<double>(how.output_scale));
  x += static_cast<Float>(how.output_zero_point);
  const Float half = static_cast<Float>(0.5);
  Float rounded = std::floor(x + half);
  if (how.rounding == Rounding::tonearest) rounded = how.rounds_by_adding ? std::trunc(x + std::copysign(half, x)) : std::round(x);
  if (!(rounded >= static_cast<Float>(-2147483648.0) && rounded < static_cast<Float>(2147483648.0))) return std::nullopt;
  return static_cast<std::int32_t>(rounded);
}

}  // namespace

Factor factor_of(double value) {
  Factor factor;
  if (value == 0) return factor;
  const double fraction = std::frexp(value, &factor.exponent);
  factor.mantissa = std::llround(fraction * 2147483648.0);
  if (factor.mantissa == std::int64_t{1} << 31) {
    factor.mantissa /= 2;
    ++factor.exponent;
  }
  return factor;
}

std::optional<std::int32_t> multiply_upward(std::int32_t value, const Factor& factor, Lowering lowering) {
  if (factor.exponent < -32) return std::nullopt;
  switch (lowering) {
    case Lowering::shifted: return factor.mantissa == half_mantissa ? shifted(value, factor.exponent - 1) : general(value, factor);
    case Lowering::general: return general(value, factor);
    case Lowering::aarch64: return aarch64(value, factor);
    case Lowering::hexagon: return hexagon(value, factor);
    case Lowering::gemmlowp: return gemmlowp(value, factor);
    case Lowering::even: return half_to_even(value, factor);
  }
  return std::nullopt;
}

std::optional<std::int32_t> multiply_tonearest(std::int32_t value, const Factor& factor) {
  const int up = factor.exponent > 0 ? factor.exponent : 0, total = 31 + (factor.exponent > 0 ? 0 : -factor.exponent);
  if (total > 63 || up > 63) return std::nullopt;
  std::int64_t product = wrapping_product(wrapping_product(value, power_of_two(up)), factor.mantissa);
  product = wrapping_sum(product, product >= 0 ? power_of_two(total - 1) : power_of_two(total - 1) - 1);
  return wrap32(product >> total);
}

std::optional<std::int32_t> requantize(std::int64_t code, const Requantize& how) {
  if (how.compute == Compute::float32) return float_path<float>(code, how);
  if (how.compute == Compute::float64) return float_path<double>(code, how);
  const std::int32_t difference = wrap32(wrapping_sum(code, -std::int64_t{how.input_zero_point}));
  if (how.single && how.input_scale == how.output_scale) return wrap32(std::int64_t{difference} + how.output_zero_point);
  const Factor factor = factor_of(static_cast<double>(how.input_scale) / static_cast<double>(how.output_scale));
  const auto product = how.rounding == Rounding::tonearest
                           ? multiply_tonearest(difference, factor)
                           : multiply_upward(difference, factor, how.single || how.lowering == Lowering::hexagon ? how.lowering : Lowering::general);
  if (!product) return std::nullopt;
  return wrap32(std::int64_t{*product} + how.output_zero_point);
}

std::optional<std::int32_t> aligned(std::int64_t code, const Requantize& how) {
  if (how.single && how.input_scale == how.output_scale && how.input_zero_point == how.output_zero_point) return wrap32(code);
  return requantize(code, how);
}

}  // namespace tiebreak::oracle::qnn
