// SPDX-License-Identifier: Apache-2.0
// Where real functions have rational, infinite or undefined results, as IEEE 754 recommends for the special ones,
// and which of the others are known to be irrational.
#include "interpreter/exact/computable_node.hpp"

namespace tiebreak {
namespace {

// The n-th root of a positive value, if it is rational.
std::optional<Real> root(const Real& v, unsigned long n) {
  BigInteger upper = RealAccess::big_numerator(v);
  BigInteger lower = RealAccess::big_denominator(v);
  BigInteger divisor;
  mpz_gcd(divisor.backend().data(), upper.backend().data(), lower.backend().data());
  upper /= divisor;
  lower /= divisor;
  const auto order = static_cast<std::int64_t>(n);
  if (RealAccess::scale(v) % order != 0) return std::nullopt;
  BigInteger upper_root;
  BigInteger lower_root;
  if (mpz_root(upper_root.backend().data(), upper.backend().data(), n) == 0) return std::nullopt;
  if (mpz_root(lower_root.backend().data(), lower.backend().data(), n) == 0) return std::nullopt;
  return RealAccess::make(std::move(upper_root), std::move(lower_root), RealAccess::scale(v) / order);
}

bool is_odd(const Real& v) { return v.is_whole() && !v.is_zero() && RealAccess::scale(v) == 0; }

// pow for arguments of which one is an infinity, nan, zero, or pow(1, y), pow(x, 0).
std::optional<Real> special_power(const Real& x, const Real& y) {
  if (y.is_zero() || x == Real(1)) return Real(1);
  if (x.is_nan() || y.is_nan()) return Real::nan();
  if (y.is_infinite()) {
    const Real size = abs(x);
    if (size == Real(1)) return Real(1);
    return (size > Real(1)) == (y.sign() > 0) ? Real::infinity() : Real();
  }
  if (x.is_zero() || x.is_infinite()) {
    const bool negative = x.is_negative() && is_odd(y);
    return x.is_infinite() == (y.sign() > 0) ? Real::infinity(negative) : Real::zero(negative);
  }
  if (x.sign() < 0 && !y.is_whole()) return Real::nan();
  return std::nullopt;
}

struct Exponent {
  std::int64_t upper;
  std::uint64_t lower;
};

// y in lowest terms, where both parts are of ordinary size.
std::optional<Exponent> reduced(const Real& y) {
  const std::int64_t scale = RealAccess::scale(y);
  if (!y.is_finite() || scale > 62 || scale < -62) return std::nullopt;
  BigInteger upper = RealAccess::big_numerator(y);
  BigInteger lower = RealAccess::big_denominator(y);
  BigInteger divisor;
  mpz_gcd(divisor.backend().data(), upper.backend().data(), lower.backend().data());
  upper /= divisor;
  lower /= divisor;
  (scale > 0 ? upper : lower) = shifted(scale > 0 ? upper : lower, scale > 0 ? scale : -scale);
  if (bit_length(upper) > 62 || bit_length(lower) > 62) return std::nullopt;
  return Exponent{mpz_get_si(upper.backend().data()), mpz_get_ui(lower.backend().data())};
}

// x^(a/b) with a/b in lowest terms is rational only if the b-th root of x is.
std::optional<Real> exact_power(const Real& x, const Real& y) {
  if (auto special = special_power(x, y)) return special;
  if (x == Real(-1)) return Real(is_odd(y) ? -1 : 1);
  const auto exponent = reduced(y);
  if (!exponent) return std::nullopt;
  const auto base = exponent->lower == 1 ? std::optional<Real>(x) : root(x, exponent->lower);
  if (!base) return std::nullopt;
  auto result = power(*base, exponent->upper);
  return result && !result->is_exceeded() ? std::optional<Real>(*result) : std::nullopt;
}

std::optional<Real> exact_atan2(const Real& y, const Real& x) {
  if (y.is_nan() || x.is_nan()) return Real::nan();
  if (x.is_negative()) return std::nullopt;  // a multiple of pi, or irrational
  if (y.is_zero()) return y;
  if (x.is_infinite() && y.is_finite()) return Real::zero(y.is_negative());
  return std::nullopt;
}

std::optional<Real> exact_root(RealFunction function, const Real& a) {
  const bool reciprocal = function == RealFunction::rsqrt;
  if (a.is_zero()) return reciprocal ? Real::infinity(a.is_negative()) : a;
  if (function != RealFunction::cbrt && a.sign() < 0) return Real::nan();
  if (a.is_infinite()) return reciprocal ? Real() : a;
  const auto found = root(abs(a), function == RealFunction::cbrt ? 3 : 2);
  if (!found) return std::nullopt;
  if (reciprocal) return Real(1) / *found;
  return a.sign() < 0 ? -*found : *found;
}

std::optional<Real> exact_log(const Real& a, const Real& edge, const Real& one) {  // nan below edge, -inf there, 0 at one
  if (a < edge) return Real::nan();
  if (a == edge) return Real::infinity(true);
  if (a == one) return a.is_zero() ? a : Real();
  if (a.is_infinite()) return a;
  return std::nullopt;
}

// f(0) and the limits at both infinities.
std::optional<Real> exact_at(const Real& a, const Real& at_zero, const Real& at_least, const Real& at_most) {
  if (a.is_zero()) return at_zero;
  if (a.is_infinite()) return a.sign() < 0 ? at_least : at_most;
  return std::nullopt;
}

}  // namespace

std::optional<Real> exact_result(RealFunction function, const Real& a, const Real& b) {
  if (function == RealFunction::pow) return exact_power(a, b);
  if (function == RealFunction::atan2) return exact_atan2(a, b);
  if (a.is_nan()) return a;
  switch (function) {
    case RealFunction::sqrt:
    case RealFunction::cbrt:
    case RealFunction::rsqrt: return exact_root(function, a);
    case RealFunction::exp: return exact_at(a, Real(1), Real(), a);
    case RealFunction::expm1: return exact_at(a, a, Real(-1), a);
    case RealFunction::log: return exact_log(a, Real(), Real(1));
    case RealFunction::log1p: return exact_log(a, Real(-1), Real());
    case RealFunction::sin:
    case RealFunction::tan: return exact_at(a, a, Real::nan(), Real::nan());
    case RealFunction::cos: return exact_at(a, Real(1), Real::nan(), Real::nan());
    case RealFunction::tanh:
    case RealFunction::erf: return exact_at(a, a, Real(-1), Real(1));
    case RealFunction::logistic: return exact_at(a, Real::dyadic(1, -1), Real(), Real(1));
    case RealFunction::pow:
    case RealFunction::atan2: break;
  }
  return std::nullopt;
}

bool is_irrational_result(RealFunction function, const Real& a, const Real& b) {
  if (function == RealFunction::erf) return false;  // not proven for all rationals
  if (function != RealFunction::pow) return true;   // roots by unique factorisation, the others by Lindemann and Weierstrass
  const auto exponent = reduced(b);                 // a power without a rational root; else it may be rational but too large to write down
  return a.is_finite() && a.sign() > 0 && exponent && exponent->lower > 1 && !root(a, exponent->lower);
}

}  // namespace tiebreak
