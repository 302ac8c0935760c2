// SPDX-License-Identifier: Apache-2.0
// See the header. std::nearbyint is used in the default rounding mode, which nothing here changes: ties to even.
#include "testsuite/oracle/quantize_oracle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tiebreak::oracle {
namespace {

std::int64_t wrap_into(std::int64_t value, CodeRange range) {
  const std::int64_t count = range.max - range.min + 1;
  std::int64_t offset = (value - range.min) % count;
  if (offset < 0) offset += count;
  return range.min + offset;
}

std::int64_t special_code(NotANumber policy, std::int64_t zero_point, CodeRange range) {
  switch (policy) {
    case NotANumber::least: return range.min;
    case NotANumber::zero: return 0;
    case NotANumber::zero_point: return zero_point;
    case NotANumber::greatest: return range.max;
  }
  return range.min;
}

/// The sum of a float and a half is exact in double.
float whole_of(float scaled, Tie tie) {
  switch (tie) {
    case Tie::even: return std::nearbyint(scaled);
    case Tie::away: return std::round(scaled);
    case Tie::up: return static_cast<float>(std::floor(static_cast<double>(scaled) + 0.5));
  }
  return scaled;
}

/// A whole number in double as an integer, far values pulled in to where saturation still sees them.
std::int64_t to_integer(double whole) { return static_cast<std::int64_t>(std::clamp(whole, -0x1p62, 0x1p62)); }

}  // namespace

CodeRange integer_range(bool is_signed, int bits) {
  const std::int64_t count = std::int64_t{1} << bits;
  return is_signed ? CodeRange{-count / 2, count / 2 - 1} : CodeRange{0, count - 1};
}

std::int64_t to_code(float scaled, std::int64_t zero_point, CodeRange range, const QuantizeRule& rule) {
  if (std::isnan(scaled)) return special_code(rule.not_a_number, zero_point, range);
  if (std::isinf(scaled)) return scaled > 0 ? range.max : range.min;
  if (rule.order == ZeroPointOrder::before) scaled = scaled + static_cast<float>(zero_point);
  const float whole = whole_of(scaled, rule.tie);
  std::int64_t code = to_integer(whole);
  if (rule.order == ZeroPointOrder::after) code += zero_point;
  return rule.overflow == Overflow::saturate ? std::clamp(code, range.min, range.max) : wrap_into(code, range);
}

std::int64_t quantize(float x, float scale, std::int64_t zero_point, CodeRange range, const QuantizeRule& rule) {
  if (rule.quotient == Quotient::divide) return to_code(x / scale, zero_point, range, rule);
  const float inverse = 1.0f / scale;
  return to_code(x * inverse, zero_point, range, rule);
}

std::int64_t to_code_in_int32(float scaled, std::int32_t zero_point, CodeRange range, ToInt32 conversion, Whole whole) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(), greatest = std::numeric_limits<std::int32_t>::max();
  const float rounded = whole == Whole::cut ? std::trunc(scaled) : std::nearbyint(scaled);
  std::int32_t converted = 0;
  if (rounded >= -0x1p31f && rounded < 0x1p31f) {
    converted = static_cast<std::int32_t>(rounded);
  } else if (conversion == ToInt32::least) {
    converted = least;
  } else if (!std::isnan(rounded)) {
    converted = rounded > 0 ? greatest : least;
  }
  const auto moved = static_cast<std::int32_t>(static_cast<std::uint32_t>(converted) + static_cast<std::uint32_t>(zero_point));
  return std::clamp<std::int64_t>(moved, range.min, range.max);
}

float requantize_multiplier(float x_scale, float w_scale, float y_scale) {
  const float product = x_scale * w_scale;
  return product / y_scale;
}

std::int64_t requantize(std::int32_t accumulator, float multiplier, std::int64_t zero_point, CodeRange range, const QuantizeRule& rule) {
  return to_code(static_cast<float>(accumulator) * multiplier, zero_point, range, rule);
}

float dequantize(std::int64_t code, std::int64_t zero_point, float scale) {
  const auto difference = static_cast<std::int32_t>(static_cast<std::uint32_t>(code - zero_point));
  return static_cast<float>(difference) * scale;
}

DynamicQuantized dynamic_quantize(std::span<const float> x) {
  float least = 0, greatest = 0;
  for (float value : x) {
    if (value < least) least = value;  // false for nan
    if (value > greatest) greatest = value;
  }
  DynamicQuantized result;
  const float width = greatest - least;
  result.scale = greatest == least ? 1.0f : width / 255.0f;
  const float zero_point = 0.0f - least / result.scale;
  const float inside = std::isnan(zero_point) ? 255.0f : std::clamp(zero_point, 0.0f, 255.0f);
  result.zero_point = static_cast<std::uint8_t>(std::nearbyint(inside));
  for (float value : x) {
    result.codes.push_back(static_cast<std::uint8_t>(quantize(value, result.scale, result.zero_point, {0, 255})));
  }
  return result;
}

float decode(std::uint32_t code, const SmallFloat& format) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::uint32_t fraction_mask = (1u << format.fraction_bits) - 1;
  const std::uint32_t exponent_mask = (1u << format.exponent_bits) - 1;
  const std::uint32_t fraction = code & fraction_mask;
  const std::uint32_t exponent = (code >> format.fraction_bits) & exponent_mask;
  const bool negative = ((code >> (format.fraction_bits + format.exponent_bits)) & 1u) != 0;
  if (format.kind == SmallFloatKind::fnuz && negative && exponent == 0 && fraction == 0) return nan;
  if (format.kind == SmallFloatKind::fn && exponent == exponent_mask && fraction == fraction_mask) return nan;
  if (format.kind == SmallFloatKind::ieee && exponent == exponent_mask) {
    if (fraction != 0) return nan;
    return negative ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  }
  const auto digits = static_cast<float>(exponent == 0 ? fraction : fraction + fraction_mask + 1);
  const int power = std::max(static_cast<int>(exponent), 1) - format.bias - format.fraction_bits;
  const float magnitude = std::ldexp(digits, power);
  return negative ? -magnitude : magnitude;
}

std::uint32_t encode(float value, const SmallFloat& format, bool saturate) {
  const int width = format.exponent_bits + format.fraction_bits;
  const std::uint32_t fraction_ones = (1u << format.fraction_bits) - 1;
  const std::uint32_t sign = std::signbit(value) ? 1u << width : 0u;
  const std::uint32_t nan = format.kind == SmallFloatKind::fnuz ? 1u << width
                            : format.kind == SmallFloatKind::fn ? sign | ((1u << width) - 1)
                                                                : sign | ((1u << width) - 1 - (fraction_ones >> 1));
  if (std::isnan(value)) return nan;
  const std::uint32_t top = (1u << width) - 1;  // largest finite code: below inf and the nans
  const std::uint32_t largest = format.kind == SmallFloatKind::fnuz ? top : format.kind == SmallFloatKind::fn ? top - 1 : top - fraction_ones - 1;
  const std::uint32_t outside = saturate ? sign | largest : format.kind == SmallFloatKind::ieee ? sign | (largest + 1) : nan;
  if (std::isinf(value)) return outside;
  if (value == 0) return format.kind == SmallFloatKind::fnuz ? 0 : sign;
  // Codes of one sign are in the order of their values, so the code is the magnitude counted in steps of its binade.
  const double magnitude = std::fabs(static_cast<double>(value));
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int step = std::max(exponent - 1, 1 - format.bias) - format.fraction_bits;
  const double steps = std::nearbyint(std::ldexp(magnitude, -step));  // up to 2^(fraction_bits + 1)
  const int binades = step - (1 - format.bias - format.fraction_bits);
  if (binades > (1 << format.exponent_bits)) return outside;
  const std::uint32_t code = static_cast<std::uint32_t>(steps) + (static_cast<std::uint32_t>(binades) << format.fraction_bits);
  if (code > largest) return outside;
  if (code == 0 && format.kind == SmallFloatKind::fnuz) return 0;
  return sign | code;
}

}  // namespace tiebreak::oracle
