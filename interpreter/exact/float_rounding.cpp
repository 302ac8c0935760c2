// SPDX-License-Identifier: Apache-2.0
// Rounding of exact values to whole numbers and to float formats.
#include <cmath>
#include <limits>

#include "interpreter/exact/rounding_step.hpp"

namespace tiebreak {
namespace {

// The exponent of the quantum (unit in the last place) just at the top of the format, and the largest multiple of it there.
struct Top {
  std::uint64_t significand;
  std::int64_t quantum;
};

Top top_of(const FloatFormat& format) {
  const std::int64_t field = (std::int64_t{1} << format.exponent_bits) - 1;
  const std::uint64_t full = (std::uint64_t{2} << format.fraction_bits) - 1;
  const bool reserved = format.kind == FloatClass::ieee || format.kind == FloatClass::scale;
  return {format.kind == FloatClass::fn ? full - 1 : full, field - (reserved ? 1 : 0) - format.bias - format.fraction_bits};
}

std::int64_t least_exponent(const FloatFormat& format) { return format.kind == FloatClass::scale ? -std::int64_t{format.bias} : 1 - std::int64_t{format.bias}; }

Real signed_by(const Real& v, bool negative) { return negative ? -v : v; }

// A finite result beyond the largest value, or an infinity.
std::optional<Real> overflowed(const FloatFormat& format, bool negative, Overflow overflow) {
  if (overflow == Overflow::saturate) return signed_by(format.largest(), negative);
  if (overflow == Overflow::format && format.has_infinity()) return Real::infinity(negative);
  if (format.has_nan()) return Real::nan();
  return std::nullopt;
}

Real zero_of(const FloatFormat& format, bool negative) { return Real::zero(negative && format.has_negative_zero()); }

std::optional<Real> round_finite(const Real& v, const FloatFormat& format, Rounding rounding, Overflow overflow) {
  const bool negative = v.sign() < 0;
  const std::int64_t exponent = v.exponent();
  const std::int64_t quantum = std::max(exponent, least_exponent(format)) - format.fraction_bits;
  const Top top = top_of(format);
  std::uint64_t significand = 0;
  if (quantum <= top.quantum) {
    const SmallCut parts = cut(v, exponent, quantum);
    significand = parts.quotient + (rounds_outward(rounding, negative, parts.rest, (parts.quotient & 1) != 0) ? 1 : 0);
  }
  if (quantum > top.quantum || (quantum == top.quantum && significand > top.significand)) {
    if (points_inward(rounding, negative)) return signed_by(format.largest(), negative);
    return overflowed(format, negative, overflow);
  }
  if (significand == 0) return zero_of(format, negative);
  const auto signed_significand = static_cast<std::int64_t>(significand);
  return Real::dyadic(negative ? -signed_significand : signed_significand, quantum);
}

}  // namespace

Real round_whole(const Real& v, Rounding rounding) {
  if (!v.is_finite() || v.is_zero() || v.is_whole()) return v;
  const bool negative = v.sign() < 0;
  const std::int64_t exponent = v.exponent();
  if (exponent <= 61) {
    const SmallCut parts = cut(v, exponent, 0);
    const std::uint64_t whole = parts.quotient + (rounds_outward(rounding, negative, parts.rest, (parts.quotient & 1) != 0) ? 1 : 0);
    if (whole == 0) return Real::zero(negative);
    return Real(negative ? -static_cast<std::int64_t>(whole) : static_cast<std::int64_t>(whole));
  }
  if (exponent > size_limit) return RealAccess::exceeded();
  BigCut parts = cut_big(v, 0);
  if (rounds_outward(rounding, negative, parts.rest, mpz_odd_p(parts.quotient.backend().data()) != 0)) parts.quotient += 1;
  return signed_by(RealAccess::make(std::move(parts.quotient), BigInteger(1), 0), negative);
}

std::optional<Real> round_to(const Real& v, const FloatFormat& format, Rounding rounding, Overflow overflow) {
  if (v.is_nan()) return format.has_nan() ? std::optional<Real>(v) : std::nullopt;
  if (format.kind == FloatClass::scale) {
    if (v.sign() < 0) return Real::nan();
    if (v < format.smallest()) return format.smallest();
  }
  if (v.is_infinite()) return overflowed(format, v.is_negative(), overflow);
  if (v.is_zero()) return zero_of(format, v.is_negative());
  return round_finite(v, format, rounding, overflow);
}

double Real::to_double() const {
  if (is_nan()) return std::numeric_limits<double>::quiet_NaN();
  if (is_zero()) return negative_ ? -0.0 : 0.0;
  const double sign = is_negative() ? -1 : 1;
  if (is_infinite()) return sign * std::numeric_limits<double>::infinity();
  constexpr std::int64_t least_quantum = -1074;
  const std::int64_t size = exponent();
  if (size > 1023) return sign * std::numeric_limits<double>::infinity();
  const std::int64_t quantum = std::max(size - 52, least_quantum);
  const SmallCut parts = cut(*this, size, quantum);
  const std::uint64_t significand = parts.quotient + (rounds_outward(Rounding::nearest_even, false, parts.rest, (parts.quotient & 1) != 0) ? 1 : 0);
  return sign * std::ldexp(static_cast<double>(significand), static_cast<int>(quantum));  // at most 53 bits: exact, or an infinity
}

std::pair<double, double> Real::to_double_pair() const {
  const double high = to_double();
  if (!std::isfinite(high)) return {high, 0.0};
  return {high, (*this - from_double(high)).to_double()};
}

}  // namespace tiebreak
