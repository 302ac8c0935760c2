// SPDX-License-Identifier: Apache-2.0
// The one number domain of the notation: every rational, +inf, -inf, one nan, and a zero with a sign.
// Values are immutable and cheap to copy. No Boost header is included here; the big form is opaque.
#pragma once
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/error.hpp"

namespace tiebreak {

namespace detail {
struct BigRational;
}

/// An extended real. Arithmetic is exact and follows IEEE 754 for signed zeros (ties-to-even conventions:
/// x - x is +0, -0 + -0 is -0), infinities and nan (0/0, inf - inf, 0 * inf, inf / inf are nan; x / 0 is an infinity by the signs).
class Real {
 public:
  Real() = default;                               ///< +0
  Real(std::int64_t value);                       // NOLINT: integers convert implicitly
  Real(int value) : Real(std::int64_t{value}) {}  // NOLINT
  static Real from_double(double value);          ///< exact; nan, inf and -0 kept
  static Real from_unsigned(std::uint64_t value);
  static Real nan();
  static Real infinity(bool negative = false);
  static Real zero(bool negative);
  static Real dyadic(std::int64_t mantissa, std::int64_t exponent);  ///< mantissa * 2^exponent
  static Real power_of_two(std::int64_t exponent) { return dyadic(1, exponent); }
  /// Reads `12`, `-0.1` (one tenth exactly), `1e-6`, `0x7FFF`, `0x1.8p-3`, `3/7`, `inf`, `-inf`, `nan`. Exact. Exponents are limited to +-100000.
  static Result<Real> parse(std::string_view text);

  bool is_nan() const;
  /// A nan that stands for a result beyond the size limit (2^24 bits, exponents +-2^30); it goes through arithmetic as nan does.
  bool is_exceeded() const;
  bool is_infinite() const;
  bool is_finite() const;
  bool is_zero() const;
  bool is_whole() const;     ///< finite and an integer
  bool is_dyadic() const;    ///< finite and m * 2^e
  bool is_negative() const;  ///< sign bit: true for -0 and -inf, false for nan
  int sign() const;          ///< -1, 0, 1; 0 for zeros and nan

  std::optional<std::int64_t> to_int64() const;      ///< when whole and in range
  std::optional<std::uint64_t> to_uint64() const;    ///< when whole, non-negative and in range
  double to_double() const;                          ///< correctly rounded, ties to even (subnormals too)
  std::pair<double, double> to_double_pair() const;  ///< hi = to_double(), lo = rounded rest (0 for inf, nan)
  /// floor(log2(abs(v))) for finite non-zero v.
  std::int64_t exponent() const;

  std::string to_string() const;                  ///< exact: `12`, `-3/7`, `inf`, `-0`, `nan`
  std::string to_decimal(int digits = 17) const;  ///< shortest-looking decimal with at most `digits` significant digits; exact when it fits
  std::string to_hex_float() const;               ///< `0x1.8p-3` when dyadic, else to_string()

  Real operator-() const;
  friend Real operator+(const Real& a, const Real& b);
  friend Real operator-(const Real& a, const Real& b);
  friend Real operator*(const Real& a, const Real& b);
  friend Real operator/(const Real& a, const Real& b);
  /// nan is unordered with everything; -0 equals +0.
  friend std::partial_ordering operator<=>(const Real& a, const Real& b);
  friend bool operator==(const Real& a, const Real& b) { return (a <=> b) == std::partial_ordering::equivalent; }
  /// Same value, same sign of zero, nan identical with nan.
  bool identical(const Real& other) const;

  /// Access for exact/ only.
  const detail::BigRational* big() const { return big_.get(); }

 private:
  enum class Form : std::uint8_t { small, big, infinite, nan };
  // small: mantissa_ / denominator_ * 2^exponent_, mantissa_ odd or 0 (negative_ = -0), denominator_ odd, positive, not
  //        necessarily in lowest terms, but 1 wherever it divides mantissa_: so the value is dyadic where it is 1.
  // big:   *big_ * 2^exponent_, in lowest terms, both parts odd; only what does not fit the small form.
  Form form_ = Form::small;
  bool negative_ = false;  // sign of a zero or an infinity
  bool exceeded_ = false;  // of a nan
  std::int32_t exponent_ = 0;
  std::int64_t mantissa_ = 0;
  std::int64_t denominator_ = 1;
  std::shared_ptr<const detail::BigRational> big_{};
  friend struct RealAccess;
};

Real abs(const Real& v);
/// nan if any argument is nan; -0 < +0.
Real min(const Real& a, const Real& b);
Real max(const Real& a, const Real& b);
/// a ^ n for a finite whole n of either sign; the caller checks n. Limited to |n| <= 100000.
Result<Real> power(const Real& a, std::int64_t n);
/// Whole numbers only (the caller checks); two's complement without end.
Real bit_and(const Real& a, const Real& b);
Real bit_or(const Real& a, const Real& b);
Real bit_xor(const Real& a, const Real& b);

}  // namespace tiebreak
