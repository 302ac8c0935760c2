// SPDX-License-Identifier: Apache-2.0
// Construction, questions and order of extended reals.
#include "interpreter/exact/real.hpp"

#include <cmath>
#include <limits>

#include "interpreter/exact/big_rational.hpp"

namespace tiebreak {

BigInteger to_big(Int128 v) {
  const UInt128 size = v < 0 ? 0 - static_cast<UInt128>(v) : static_cast<UInt128>(v);
  const std::uint64_t words[2] = {static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(size >> 64)};
  BigInteger result;
  mpz_import(result.backend().data(), 2, -1, sizeof(std::uint64_t), 0, 0, words);
  if (v < 0) mpz_neg(result.backend().data(), result.backend().data());
  return result;
}

BigInteger shifted(const BigInteger& v, std::int64_t n) {
  BigInteger result;
  mpz_mul_2exp(result.backend().data(), v.backend().data(), static_cast<mp_bitcnt_t>(n));
  return result;
}

BigInteger RealAccess::big_numerator(const Real& v) { return v.form_ == Form::big ? v.big_->numerator : BigInteger(v.mantissa_); }

BigInteger RealAccess::big_denominator(const Real& v) { return v.form_ == Form::big ? v.big_->denominator : BigInteger(v.denominator_); }

Real RealAccess::exceeded() {
  Real result = Real::nan();
  result.exceeded_ = true;
  return result;
}

Real RealAccess::small(std::int64_t mantissa, std::int64_t denominator, std::int64_t scale) {
  if (scale > exponent_limit || scale < -exponent_limit) return exceeded();
  Real result;
  if (denominator != 1 && mantissa % denominator == 0) {
    mantissa /= denominator;
    denominator = 1;
  }
  result.mantissa_ = mantissa;
  result.denominator_ = denominator;
  result.exponent_ = static_cast<std::int32_t>(scale);
  return result;
}

Real RealAccess::make(Int128 numerator, Int128 denominator, std::int64_t scale) {
  constexpr Int128 largest = std::numeric_limits<std::int64_t>::max();
  if (numerator == 0) return Real();
  const auto low = static_cast<std::uint64_t>(numerator);
  const int zeros = low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(numerator >> 64));
  numerator >>= zeros;
  scale += zeros;
  if (numerator <= largest && numerator >= -largest && denominator <= largest)
    return small(static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator), scale);
  return make(to_big(numerator), to_big(denominator), scale);
}

Real RealAccess::make(BigInteger numerator, BigInteger denominator, std::int64_t scale) {
  auto* n = numerator.backend().data();
  auto* d = denominator.backend().data();
  if (mpz_sgn(n) == 0) return Real();
  if (mpz_sgn(d) < 0) {
    mpz_neg(n, n);
    mpz_neg(d, d);
  }
  const mp_bitcnt_t up = mpz_scan1(n, 0);
  const mp_bitcnt_t down = mpz_scan1(d, 0);
  mpz_tdiv_q_2exp(n, n, up);
  mpz_tdiv_q_2exp(d, d, down);
  scale += static_cast<std::int64_t>(up) - static_cast<std::int64_t>(down);
  if (mpz_cmp_ui(d, 1) != 0) {
    BigInteger divisor;
    mpz_gcd(divisor.backend().data(), n, d);
    mpz_divexact(n, n, divisor.backend().data());
    mpz_divexact(d, d, divisor.backend().data());
  }
  const std::int64_t upper = bit_length(numerator);
  const std::int64_t lower = bit_length(denominator);
  if (upper <= 63 && lower <= 63) return small(mpz_get_si(n), mpz_get_si(d), scale);
  if (upper > size_limit || lower > size_limit || scale > exponent_limit || scale < -exponent_limit) return exceeded();
  Real result;
  result.form_ = Form::big;
  result.exponent_ = static_cast<std::int32_t>(scale);
  result.big_ = std::make_shared<const detail::BigRational>(detail::BigRational{std::move(numerator), std::move(denominator)});
  return result;
}

Real::Real(std::int64_t value) {
  if (value == 0) return;
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(value));
  mantissa_ = value >> zeros;
  exponent_ = zeros;
}

Real Real::from_double(double value) {
  if (std::isnan(value)) return nan();
  if (std::isinf(value)) return infinity(std::signbit(value));
  if (value == 0) return zero(std::signbit(value));
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return dyadic(static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53);
}

Real Real::from_unsigned(std::uint64_t value) { return RealAccess::make(static_cast<Int128>(value), 1, 0); }

Real Real::nan() {
  Real result;
  result.form_ = Form::nan;
  return result;
}

Real Real::infinity(bool negative) {
  Real result;
  result.form_ = Form::infinite;
  result.negative_ = negative;
  return result;
}

Real Real::zero(bool negative) {
  Real result;
  result.negative_ = negative;
  return result;
}

Real Real::dyadic(std::int64_t mantissa, std::int64_t exponent) {
  if (mantissa != 0 && (exponent > 2 * exponent_limit || exponent < -2 * exponent_limit)) return RealAccess::exceeded();
  return RealAccess::make(static_cast<Int128>(mantissa), 1, exponent);
}

bool Real::is_nan() const { return form_ == Form::nan; }
bool Real::is_exceeded() const { return exceeded_; }
bool Real::is_infinite() const { return form_ == Form::infinite; }
bool Real::is_finite() const { return form_ == Form::small || form_ == Form::big; }
bool Real::is_zero() const { return form_ == Form::small && mantissa_ == 0; }
bool Real::is_whole() const { return is_dyadic() && exponent_ >= 0; }

bool Real::is_dyadic() const { return form_ == Form::small ? denominator_ == 1 : form_ == Form::big && big_->denominator == 1; }

int Real::sign() const {
  switch (form_) {
    case Form::small: return (mantissa_ > 0) - (mantissa_ < 0);
    case Form::big: return big_->numerator.sign();
    case Form::infinite: return negative_ ? -1 : 1;
    case Form::nan: break;
  }
  return 0;
}

bool Real::is_negative() const { return is_zero() || is_infinite() ? negative_ : sign() < 0; }

std::optional<std::int64_t> Real::to_int64() const {
  if (!is_whole() || form_ != Form::small) return std::nullopt;
  if (mantissa_ == 0) return 0;
  if (mantissa_ == -1 && exponent_ == 63) return std::numeric_limits<std::int64_t>::min();
  if (bit_length(magnitude(mantissa_)) + exponent_ > 63) return std::nullopt;
  return mantissa_ * (std::int64_t{1} << exponent_);
}

std::optional<std::uint64_t> Real::to_uint64() const {
  if (!is_whole() || sign() < 0) return std::nullopt;
  if (form_ == Form::big) {
    if (bit_length(big_->numerator) + exponent_ > 64) return std::nullopt;
    return std::uint64_t{mpz_get_ui(big_->numerator.backend().data())};
  }
  if (mantissa_ == 0) return 0;
  if (bit_length(magnitude(mantissa_)) + exponent_ > 64) return std::nullopt;
  return static_cast<std::uint64_t>(mantissa_) << exponent_;
}

std::int64_t Real::exponent() const {
  if (form_ == Form::small) {
    const std::uint64_t n = magnitude(mantissa_);
    const int difference = bit_length(n) - bit_length(static_cast<std::uint64_t>(denominator_));
    if (denominator_ == 1) return std::int64_t{exponent_} + difference;
    const UInt128 left = static_cast<UInt128>(n) << (difference < 0 ? -difference : 0);
    const UInt128 right = static_cast<UInt128>(denominator_) << (difference > 0 ? difference : 0);
    return std::int64_t{exponent_} + difference - (left < right ? 1 : 0);
  }
  if (form_ != Form::big) return 0;
  const std::int64_t difference = bit_length(big_->numerator) - bit_length(big_->denominator);
  const BigInteger left = shifted(big_->numerator, difference < 0 ? -difference : 0);
  const BigInteger right = shifted(big_->denominator, difference > 0 ? difference : 0);
  const bool less = mpz_cmpabs(left.backend().data(), right.backend().data()) < 0;
  return exponent_ + difference - (less ? 1 : 0);
}

namespace {
// abs(a) against abs(b), both finite and not zero.
std::partial_ordering compare_small(const Real& a, const Real& b) {
  UInt128 left = static_cast<UInt128>(magnitude(RealAccess::mantissa(a))) * static_cast<std::uint64_t>(RealAccess::denominator(b));
  UInt128 right = static_cast<UInt128>(magnitude(RealAccess::mantissa(b))) * static_cast<std::uint64_t>(RealAccess::denominator(a));
  const std::int64_t gap = RealAccess::scale(a) - RealAccess::scale(b);
  const std::int64_t lengths = bit_length(left) + gap - bit_length(right);
  if (lengths != 0) return lengths <=> 0;
  if (gap > 0) left <<= gap;
  else right <<= -gap;
  return left < right ? std::partial_ordering::less : left > right ? std::partial_ordering::greater : std::partial_ordering::equivalent;
}

std::partial_ordering compare_magnitudes(const Real& a, const Real& b) {
  if (RealAccess::is_small(a) && RealAccess::is_small(b)) return compare_small(a, b);
  if (const std::int64_t gap = a.exponent() - b.exponent(); gap != 0) return gap <=> 0;
  const BigInteger left = RealAccess::big_numerator(a) * RealAccess::big_denominator(b);
  const BigInteger right = RealAccess::big_numerator(b) * RealAccess::big_denominator(a);
  const std::int64_t gap = RealAccess::scale(a) - RealAccess::scale(b);  // bounded, as the exponents are equal
  const BigInteger upper = gap > 0 ? shifted(left, gap) : left;
  const BigInteger lower = gap < 0 ? shifted(right, -gap) : right;
  return mpz_cmpabs(upper.backend().data(), lower.backend().data()) <=> 0;
}
}  // namespace

std::partial_ordering operator<=>(const Real& a, const Real& b) {
  if (a.is_nan() || b.is_nan()) return std::partial_ordering::unordered;
  const int left = a.sign();
  const int right = b.sign();
  if (left != right) return left <=> right;
  if (left == 0) return std::partial_ordering::equivalent;
  if (a.is_infinite() || b.is_infinite()) {
    if (a.is_infinite() && b.is_infinite()) return std::partial_ordering::equivalent;
    return a.is_infinite() == (left > 0) ? std::partial_ordering::greater : std::partial_ordering::less;
  }
  return left > 0 ? compare_magnitudes(a, b) : compare_magnitudes(b, a);
}

bool Real::identical(const Real& other) const {
  if (is_nan() || other.is_nan()) return is_nan() && other.is_nan();
  return is_negative() == other.is_negative() && *this == other;
}

}  // namespace tiebreak
