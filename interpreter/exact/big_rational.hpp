// SPDX-License-Identifier: Apache-2.0
// The inside of a Real, for exact/ alone: its big form over GMP, and the one way to build a Real from parts.
#pragma once
#include <bit>
#include <boost/multiprecision/gmp.hpp>
#include <cstdint>

#include "interpreter/exact/magnitude.hpp"
#include "interpreter/exact/real.hpp"

namespace tiebreak {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;
using BigInteger = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

namespace detail {
/// Odd parts in lowest terms; the denominator is positive.
struct BigRational {
  BigInteger numerator;
  BigInteger denominator;
};
}  // namespace detail

inline constexpr std::int64_t size_limit = std::int64_t{1} << 24;      ///< bits of a numerator or denominator
inline constexpr std::int64_t exponent_limit = std::int64_t{1} << 30;  ///< of the power of two beside them

inline int bit_length(std::uint64_t v) { return static_cast<int>(std::bit_width(v)); }
inline int bit_length(UInt128 v) {
  const auto high = static_cast<std::uint64_t>(v >> 64);
  return high != 0 ? 64 + bit_length(high) : bit_length(static_cast<std::uint64_t>(v));
}
inline std::int64_t bit_length(const BigInteger& v) { return v.is_zero() ? 0 : static_cast<std::int64_t>(mpz_sizeinbase(v.backend().data(), 2)); }

BigInteger to_big(Int128 v);
/// v * 2^n for n >= 0.
BigInteger shifted(const BigInteger& v, std::int64_t n);

struct RealAccess {
  using Form = Real::Form;
  static Form form(const Real& v) { return v.form_; }
  static bool is_small(const Real& v) { return v.form_ == Form::small; }
  static bool is_integer_like(const Real& v) { return v.form_ == Form::small && v.denominator_ == 1; }
  static std::int64_t mantissa(const Real& v) { return v.mantissa_; }
  static std::int64_t denominator(const Real& v) { return v.denominator_; }
  static std::int64_t scale(const Real& v) { return v.exponent_; }

  /// Numerator and denominator of a finite value as big integers; the value is their quotient * 2^scale(v).
  static BigInteger big_numerator(const Real& v);
  static BigInteger big_denominator(const Real& v);

  static Real exceeded();
  /// numerator / denominator * 2^scale with an odd positive denominator; a zero is +0.
  static Real make(Int128 numerator, Int128 denominator, std::int64_t scale);
  /// The same for any size and any denominator but 0.
  static Real make(BigInteger numerator, BigInteger denominator, std::int64_t scale);

 private:
  static Real small(std::int64_t mantissa, std::int64_t denominator, std::int64_t scale);
};

}  // namespace tiebreak
