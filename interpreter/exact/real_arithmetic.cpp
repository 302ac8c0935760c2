// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic on extended reals. 128 bits carry the ordinary case; what does not fit goes through GMP.
#include <limits>
#include <utility>

#include "interpreter/exact/big_rational.hpp"
#include "interpreter/exact/real.hpp"

namespace tiebreak {
namespace {

int length(std::int64_t v) { return bit_length(magnitude(v)); }

// The nan that an operation with a nan operand gives; remembers an exceeded limit.
Real nan_of(const Real& a, const Real& b) { return a.is_exceeded() || b.is_exceeded() ? RealAccess::exceeded() : Real::nan(); }

std::int64_t size_of(const Real& v) {
  if (RealAccess::is_small(v)) return 126;
  return bit_length(v.big()->numerator) + bit_length(v.big()->denominator);
}

Real add_big(const Real& a, const Real& b) {  // scale(a) >= scale(b)
  const std::int64_t gap = RealAccess::scale(a) - RealAccess::scale(b);
  if (gap + size_of(a) + size_of(b) > 2 * size_limit) return RealAccess::exceeded();
  const BigInteger lower_a = RealAccess::big_denominator(a);
  const BigInteger lower_b = RealAccess::big_denominator(b);
  const BigInteger upper_a = shifted(RealAccess::big_numerator(a), gap);
  const BigInteger upper_b = RealAccess::big_numerator(b);
  if (lower_a == lower_b) return RealAccess::make(BigInteger(upper_a + upper_b), lower_a, RealAccess::scale(b));
  return RealAccess::make(BigInteger(upper_a * lower_b + upper_b * lower_a), BigInteger(lower_a * lower_b), RealAccess::scale(b));
}

Real add_finite(const Real& a, const Real& b) {  // neither is zero
  if (RealAccess::scale(a) < RealAccess::scale(b)) return add_finite(b, a);
  if (!RealAccess::is_small(a) || !RealAccess::is_small(b)) return add_big(a, b);
  const std::int64_t gap = RealAccess::scale(a) - RealAccess::scale(b);
  const std::int64_t da = RealAccess::denominator(a);
  const std::int64_t db = RealAccess::denominator(b);
  if (da == db) {
    if (length(RealAccess::mantissa(a)) + gap > 125) return add_big(a, b);
    const Int128 sum = static_cast<Int128>(RealAccess::mantissa(a)) * (Int128{1} << gap) + RealAccess::mantissa(b);
    return RealAccess::make(sum, da, RealAccess::scale(b));
  }
  if (length(RealAccess::mantissa(a)) + length(db) + gap > 125 || length(RealAccess::mantissa(b)) + length(da) > 125) return add_big(a, b);
  const Int128 left = static_cast<Int128>(RealAccess::mantissa(a)) * db * (Int128{1} << gap);
  const Int128 right = static_cast<Int128>(RealAccess::mantissa(b)) * da;
  return RealAccess::make(left + right, static_cast<Int128>(da) * db, RealAccess::scale(b));
}

}  // namespace

Real Real::operator-() const {
  Real result = *this;
  if (form_ == Form::big) {
    result.big_ = std::make_shared<const detail::BigRational>(detail::BigRational{-big_->numerator, big_->denominator});
  } else if (form_ != Form::nan) {
    result.mantissa_ = -mantissa_;
    if (mantissa_ == 0) result.negative_ = !negative_;
  }
  return result;
}

Real operator+(const Real& a, const Real& b) {
  if (RealAccess::is_integer_like(a) && RealAccess::is_integer_like(b) && RealAccess::mantissa(a) != 0 && RealAccess::mantissa(b) != 0) return add_finite(a, b);
  if (a.is_nan() || b.is_nan()) return nan_of(a, b);
  if (a.is_infinite()) return b.is_infinite() && a.is_negative() != b.is_negative() ? Real::nan() : a;
  if (b.is_infinite()) return b;
  if (a.is_zero()) return b.is_zero() ? Real::zero(a.is_negative() && b.is_negative()) : b;
  if (b.is_zero()) return a;
  return add_finite(a, b);
}

Real operator-(const Real& a, const Real& b) { return a + -b; }

Real operator*(const Real& a, const Real& b) {
  if (a.is_nan() || b.is_nan()) return nan_of(a, b);
  const bool negative = a.is_negative() != b.is_negative();
  if (a.is_infinite() || b.is_infinite()) return a.is_zero() || b.is_zero() ? Real::nan() : Real::infinity(negative);
  if (a.is_zero() || b.is_zero()) return Real::zero(negative);
  const std::int64_t scale = RealAccess::scale(a) + RealAccess::scale(b);
  if (RealAccess::is_small(a) && RealAccess::is_small(b)) {
    return RealAccess::make(static_cast<Int128>(RealAccess::mantissa(a)) * RealAccess::mantissa(b),
                            static_cast<Int128>(RealAccess::denominator(a)) * RealAccess::denominator(b), scale);
  }
  if (size_of(a) + size_of(b) > 2 * size_limit) return RealAccess::exceeded();
  return RealAccess::make(BigInteger(RealAccess::big_numerator(a) * RealAccess::big_numerator(b)),
                          BigInteger(RealAccess::big_denominator(a) * RealAccess::big_denominator(b)), scale);
}

Real operator/(const Real& a, const Real& b) {
  if (a.is_nan() || b.is_nan()) return nan_of(a, b);
  const bool negative = a.is_negative() != b.is_negative();
  if (a.is_infinite()) return b.is_infinite() ? Real::nan() : Real::infinity(negative);
  if (b.is_infinite()) return Real::zero(negative);
  if (b.is_zero()) return a.is_zero() ? Real::nan() : Real::infinity(negative);
  if (a.is_zero()) return Real::zero(negative);
  const std::int64_t scale = RealAccess::scale(a) - RealAccess::scale(b);
  if (RealAccess::is_small(a) && RealAccess::is_small(b)) {
    const Int128 upper = static_cast<Int128>(RealAccess::mantissa(a)) * RealAccess::denominator(b);
    const Int128 lower = static_cast<Int128>(RealAccess::mantissa(b)) * RealAccess::denominator(a);
    return lower < 0 ? RealAccess::make(-upper, -lower, scale) : RealAccess::make(upper, lower, scale);
  }
  if (size_of(a) + size_of(b) > 2 * size_limit) return RealAccess::exceeded();
  return RealAccess::make(BigInteger(RealAccess::big_numerator(a) * RealAccess::big_denominator(b)),
                          BigInteger(RealAccess::big_denominator(a) * RealAccess::big_numerator(b)), scale);
}

Real abs(const Real& v) { return v.is_negative() ? -v : v; }

Real min(const Real& a, const Real& b) {
  if (a.is_nan() || b.is_nan()) return nan_of(a, b);
  if (a.is_zero() && b.is_zero()) return a.is_negative() ? a : b;
  return b < a ? b : a;
}

Real max(const Real& a, const Real& b) {
  if (a.is_nan() || b.is_nan()) return nan_of(a, b);
  if (a.is_zero() && b.is_zero()) return a.is_negative() ? b : a;
  return a < b ? b : a;
}

Result<Real> power(const Real& a, std::int64_t n) {
  if (n > 100000 || n < -100000) return fail(Errc::limit, "exponent " + std::to_string(n) + " is beyond 100000");
  if (a.is_nan()) return a;
  const std::int64_t size = n < 0 ? -n : n;
  if (a.is_finite() && !a.is_zero()) {
    const std::int64_t bits = RealAccess::is_small(a) ? std::max(length(RealAccess::mantissa(a)), length(RealAccess::denominator(a))) : size_of(a);
    if ((bits > 1 && bits * size > size_limit) || std::abs(RealAccess::scale(a)) * size > exponent_limit)
      return fail(Errc::limit, "a power with exponent " + std::to_string(n) + " is larger than the limit on numbers");
  }
  Real result = 1;
  Real square = a;
  for (std::int64_t rest = size; rest != 0;) {
    if (rest & 1) result = result * square;
    rest >>= 1;
    if (rest != 0) square = square * square;
  }
  return n < 0 ? Real(1) / result : result;
}

namespace {
// Both whole and within the size limit, else an empty pair of operands would be meaningless: nan.
template <class Small, class Large>
Real bitwise(const Real& a, const Real& b, Small small, Large large) {
  const auto left = a.to_int64();
  const auto right = b.to_int64();
  if (left && right) return Real(small(*left, *right));
  if (!a.is_whole() || !b.is_whole()) return nan_of(a, b);
  if (a.is_zero() || b.is_zero() || (a.exponent() <= size_limit && b.exponent() <= size_limit)) {
    const BigInteger upper = shifted(RealAccess::big_numerator(a), a.is_zero() ? 0 : RealAccess::scale(a));
    const BigInteger lower = shifted(RealAccess::big_numerator(b), b.is_zero() ? 0 : RealAccess::scale(b));
    BigInteger result;
    large(result.backend().data(), upper.backend().data(), lower.backend().data());
    return RealAccess::make(std::move(result), BigInteger(1), 0);
  }
  return RealAccess::exceeded();
}
}  // namespace

Real bit_and(const Real& a, const Real& b) {
  return bitwise(
      a, b, [](std::int64_t x, std::int64_t y) { return x & y; }, mpz_and);
}
Real bit_or(const Real& a, const Real& b) {
  return bitwise(
      a, b, [](std::int64_t x, std::int64_t y) { return x | y; }, mpz_ior);
}
Real bit_xor(const Real& a, const Real& b) {
  return bitwise(
      a, b, [](std::int64_t x, std::int64_t y) { return x ^ y; }, mpz_xor);
}

}  // namespace tiebreak
