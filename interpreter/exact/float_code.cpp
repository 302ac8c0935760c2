// SPDX-License-Identifier: Apache-2.0
// Codes of float formats: sign, exponent field, fraction, and what the largest field means.
#include "interpreter/exact/big_rational.hpp"
#include "interpreter/exact/float_format.hpp"

namespace tiebreak {
namespace {

std::uint64_t ones(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

std::optional<std::uint64_t> nan_code(const FloatFormat& format) {
  switch (format.kind) {
    case FloatClass::ieee: {
      const std::uint64_t exponent = ones(format.exponent_bits) << format.fraction_bits;
      return exponent | (std::uint64_t{1} << (format.fraction_bits - 1));
    }
    case FloatClass::fn: return ones(format.bits() - 1);
    case FloatClass::fnuz: return std::uint64_t{1} << (format.bits() - 1);
    case FloatClass::scale: return ones(format.bits());
    case FloatClass::finite: break;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> encode_scale(const Real& v, const FloatFormat& format) {
  if (v.sign() <= 0 || !RealAccess::is_integer_like(v) || RealAccess::mantissa(v) != 1) return std::nullopt;
  const std::int64_t code = v.exponent() + format.bias;
  if (code < 0 || code >= static_cast<std::int64_t>(ones(format.exponent_bits))) return std::nullopt;
  return static_cast<std::uint64_t>(code);
}

}  // namespace

std::optional<std::uint64_t> encode(const Real& v, const FloatFormat& format) {
  if (v.is_nan()) return nan_code(format);
  if (format.kind == FloatClass::scale) return v.is_finite() ? encode_scale(v, format) : std::nullopt;
  const std::uint64_t sign = v.is_negative() ? std::uint64_t{1} << (format.bits() - 1) : 0;
  if (v.is_infinite()) {
    if (!format.has_infinity()) return std::nullopt;
    return sign | (ones(format.exponent_bits) << format.fraction_bits);
  }
  if (v.is_zero()) return sign != 0 && !format.has_negative_zero() ? std::nullopt : std::optional<std::uint64_t>(sign);
  if (!RealAccess::is_integer_like(v)) return std::nullopt;
  const std::int64_t least = 1 - std::int64_t{format.bias};
  const std::int64_t exponent = v.exponent();
  const std::int64_t quantum = std::max(exponent, least) - format.fraction_bits;
  const std::int64_t shift = RealAccess::scale(v) - quantum;
  if (shift < 0 || abs(v) > format.largest()) return std::nullopt;
  const std::uint64_t significand = magnitude(RealAccess::mantissa(v)) << shift;
  if (exponent < least) return sign | significand;
  const auto field = static_cast<std::uint64_t>(exponent + format.bias);
  return sign | (field << format.fraction_bits) | (significand & ones(format.fraction_bits));
}

Real decode(std::uint64_t code, const FloatFormat& format) {
  const std::uint64_t fraction = code & ones(format.fraction_bits);
  const std::uint64_t field = (code >> format.fraction_bits) & ones(format.exponent_bits);
  const std::uint64_t top = ones(format.exponent_bits);
  if (format.kind == FloatClass::scale) return field == top ? Real::nan() : Real::power_of_two(static_cast<std::int64_t>(field) - format.bias);
  const bool negative = ((code >> (format.bits() - 1)) & 1) != 0;
  if (format.kind == FloatClass::ieee && field == top) return fraction != 0 ? Real::nan() : Real::infinity(negative);
  if (format.kind == FloatClass::fn && field == top && fraction == ones(format.fraction_bits)) return Real::nan();
  if (field == 0 && fraction == 0) return format.kind == FloatClass::fnuz && negative ? Real::nan() : Real::zero(negative);
  const std::uint64_t significand = field == 0 ? fraction : fraction | (std::uint64_t{1} << format.fraction_bits);
  const std::int64_t quantum = (field == 0 ? 1 : static_cast<std::int64_t>(field)) - format.bias - format.fraction_bits;
  const auto value = static_cast<std::int64_t>(significand);
  return Real::dyadic(negative ? -value : value, quantum);
}

}  // namespace tiebreak
