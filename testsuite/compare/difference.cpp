// SPDX-License-Identifier: Apache-2.0
#include "testsuite/compare/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tiebreak {

std::int64_t grid_position(std::uint64_t code, const FloatFormat& format) {
  if (!format.is_signed()) return static_cast<std::int64_t>(code);
  std::uint64_t sign = std::uint64_t{1} << (format.bits() - 1);
  auto magnitude = static_cast<std::int64_t>(code & (sign - 1));
  return (code & sign) != 0 ? -magnitude : magnitude;
}

bool is_plain_number(std::uint64_t code, const FloatFormat& format) {
  if (format.kind != FloatClass::ieee) return false;
  const std::uint64_t top = (std::uint64_t{1} << format.exponent_bits) - 1;
  return ((code >> format.fraction_bits) & top) != top;
}

double difference(std::uint64_t expected, std::uint64_t actual, const ElementType& type) {
  if (expected == actual) return 0;
  if (!type.is_float()) return (type.decode(actual) - type.decode(expected)).to_double();
  if (!is_plain_number(expected, type.floating()) || !is_plain_number(actual, type.floating())) {
    const Real left = type.decode(expected), right = type.decode(actual);
    if (left.is_nan() && right.is_nan()) return 0;
    if (left.is_nan() || right.is_nan()) return std::numeric_limits<double>::quiet_NaN();
    if (left.is_infinite() || right.is_infinite()) {
      double infinity = std::numeric_limits<double>::infinity();
      return right < left ? -infinity : right == left ? 0 : infinity;
    }
  }
  std::int64_t from = grid_position(expected, type.floating());
  std::int64_t to = grid_position(actual, type.floating());
  std::int64_t steps = 0;
  // Only f64 values of opposite sign can be that far apart; neighbours must never be subtracted as rounded doubles.
  if (__builtin_sub_overflow(to, from, &steps)) return static_cast<double>(to) - static_cast<double>(from);
  return static_cast<double>(steps);
}

Differences::Differences(const ElementType& type) : type_(type), is_float_(type.is_float()) {
  if (type.bits() > 32) return;
  const std::uint64_t highest = std::uint64_t{1} << (type.bits() - 1);
  if (!is_float_) {
    is_narrow_ = !type.is_boolean();
    sign_ = type.is_integer() && type.integer().is_signed ? highest : 0;
    return;
  }
  const FloatFormat& format = type.floating();
  is_narrow_ = format.kind == FloatClass::ieee;
  sign_ = format.is_signed() ? highest : 0;
  top_ = ((std::uint64_t{1} << format.exponent_bits) - 1) << format.fraction_bits;
}

double size_of_difference(double difference) { return std::isnan(difference) ? HUGE_VAL : std::abs(difference); }

Real ulp_at(const Real& v, const FloatFormat& format) {
  std::int64_t least = 1 - format.bias;
  std::int64_t exponent = v.is_zero() ? least : std::max(v.exponent(), least);
  return Real::power_of_two(exponent - format.fraction_bits);
}

}  // namespace tiebreak
