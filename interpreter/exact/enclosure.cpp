// SPDX-License-Identifier: Apache-2.0
// Interval arithmetic and conversions between exact numbers and MPFR.
#include "interpreter/exact/enclosure.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

constexpr std::int64_t end_exponent_limit = std::int64_t{1} << 20;

bool has_nan(const Enclosure& a) { return mpfr_nan_p(a.lo.get()) || mpfr_nan_p(a.hi.get()); }

// The state of a result of a and b, before its own bounds are looked at.
Known joined(const Enclosure& a, const Enclosure& b) {
  if (a.known == Known::nan || b.known == Known::nan) return Known::nan;
  return a.known == Known::bounds && b.known == Known::bounds ? Known::bounds : Known::nothing;
}

Enclosure checked(Enclosure result) {
  if (result.known == Known::bounds && has_nan(result)) result.known = Known::nothing;
  return result;
}

// True where the end is not v itself.
bool set_end(Mpfr& end, const Real& v, mpfr_rnd_t direction) {
  if (v.is_infinite() || v.is_zero()) {
    if (v.is_zero()) mpfr_set_zero(end.get(), v.is_negative() ? -1 : 1);
    else mpfr_set_inf(end.get(), v.sign());
    return false;
  }
  const BigInteger numerator = RealAccess::big_numerator(v);
  const BigInteger denominator = RealAccess::big_denominator(v);
  Mpfr exact(std::max<mpfr_prec_t>(bit_length(numerator), 2));
  mpfr_set_z(exact.get(), numerator.backend().data(), MPFR_RNDN);
  const int divided = mpfr_div_z(end.get(), exact.get(), denominator.backend().data(), direction);
  const int scaled = mpfr_mul_2si(end.get(), end.get(), static_cast<long>(RealAccess::scale(v)), direction);
  return divided != 0 || scaled != 0;
}

// Keeps the more extreme of an end and a candidate; an end is open only where every candidate equal to it was inexact.
void take(Mpfr& end, bool& open, const Mpfr& candidate, bool inexact, bool first, bool upper) {
  const int order = first ? 1 : mpfr_cmp(candidate.get(), end.get()) * (upper ? 1 : -1);
  if (order > 0) {
    mpfr_set(end.get(), candidate.get(), MPFR_RNDN);
    open = inexact;
  } else if (order == 0) {
    open = open && inexact;
  }
}

// Smallest and largest of the four combinations of ends; right where the operation is monotone in each argument.
template <class Operation>
Enclosure corners(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision, Operation operation) {
  Enclosure result(precision, Known::bounds);
  bool first = true;
  Mpfr candidate(precision);
  for (const Mpfr* x : {&a.lo, &a.hi}) {
    for (const Mpfr* y : {&b.lo, &b.hi}) {
      const int below = operation(candidate.get(), x->get(), y->get(), MPFR_RNDD);
      if (mpfr_nan_p(candidate.get())) return Enclosure(precision);
      take(result.lo, result.lo_open, candidate, below != 0, first, false);
      const int above = operation(candidate.get(), x->get(), y->get(), MPFR_RNDU);
      take(result.hi, result.hi_open, candidate, above != 0, first, true);
      first = false;
    }
  }
  return result;
}

// A factor that is strictly inside its ends, times one that is not zero, is strictly inside the ends of the product.
Enclosure opened(Enclosure result, const Enclosure& a, const Enclosure& b) {
  const bool open = (a.lo_open && a.hi_open && certain_sign(b) != 0) || (b.lo_open && b.hi_open && certain_sign(a) != 0);
  result.lo_open = result.lo_open || open;
  result.hi_open = result.hi_open || open;
  return result;
}

Real end_of(mpfr_srcptr end, bool upper) {
  if (mpfr_inf_p(end)) return Real::infinity(mpfr_sgn(end) < 0);
  if (mpfr_zero_p(end)) return Real();
  const bool negative = mpfr_sgn(end) < 0;
  const bool outward = negative != upper;  // away from zero
  const std::int64_t exponent = mpfr_get_exp(end);
  if (exponent > end_exponent_limit) {
    if (outward) return Real::infinity(negative);
    return Real::dyadic(negative ? -1 : 1, end_exponent_limit);
  }
  if (exponent < -end_exponent_limit) return outward ? Real::dyadic(negative ? -1 : 1, -end_exponent_limit) : Real();
  BigInteger significand;
  const mpfr_exp_t scale = mpfr_get_z_2exp(significand.backend().data(), end);
  return RealAccess::make(std::move(significand), BigInteger(1), scale);
}

}  // namespace

Enclosure enclose(const Real& v, mpfr_prec_t precision) {
  if (v.is_nan()) return Enclosure(precision, Known::nan);
  Enclosure result(precision, Known::bounds);
  result.lo_open = set_end(result.lo, v, MPFR_RNDD);
  result.hi_open = set_end(result.hi, v, MPFR_RNDU);
  return result;
}

Enclosure add(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision) {
  Enclosure result(precision, joined(a, b));
  if (result.known != Known::bounds) return result;
  const int below = mpfr_add(result.lo.get(), a.lo.get(), b.lo.get(), MPFR_RNDD);
  const int above = mpfr_add(result.hi.get(), a.hi.get(), b.hi.get(), MPFR_RNDU);
  result.lo_open = below != 0 || a.lo_open || b.lo_open;
  result.hi_open = above != 0 || a.hi_open || b.hi_open;
  return checked(std::move(result));
}

Enclosure subtract(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision) {
  Enclosure result(precision, joined(a, b));
  if (result.known != Known::bounds) return result;
  const int below = mpfr_sub(result.lo.get(), a.lo.get(), b.hi.get(), MPFR_RNDD);
  const int above = mpfr_sub(result.hi.get(), a.hi.get(), b.lo.get(), MPFR_RNDU);
  result.lo_open = below != 0 || a.lo_open || b.hi_open;
  result.hi_open = above != 0 || a.hi_open || b.lo_open;
  return checked(std::move(result));
}

Enclosure multiply(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision) {
  if (const Known known = joined(a, b); known != Known::bounds) return Enclosure(precision, known);
  return opened(corners(a, b, precision, mpfr_mul), a, b);
}

Enclosure divide(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision) {
  if (const Known known = joined(a, b); known != Known::bounds) return Enclosure(precision, known);
  if (strict_sign(b) == 0) return Enclosure(precision);
  return opened(corners(a, b, precision, mpfr_div), a, b);
}

Enclosure power(const Enclosure& base, const Enclosure& exponent, ExponentKind kind, mpfr_prec_t precision) {
  if (const Known known = joined(base, exponent); known != Known::bounds) return Enclosure(precision, known);
  const int sign = strict_sign(base);
  if (sign > 0) return corners(base, exponent, precision, mpfr_pow);
  if (sign == 0 || kind == ExponentKind::other) return Enclosure(precision);
  const Enclosure zero = enclose(Real(), precision);
  const Enclosure size = corners(subtract(zero, base, precision), exponent, precision, mpfr_pow);
  return kind == ExponentKind::odd ? subtract(zero, size, precision) : size;
}

Enclosure atan2(const Enclosure& y, const Enclosure& x, mpfr_prec_t precision) {
  if (const Known known = joined(y, x); known != Known::bounds) return Enclosure(precision, known);
  // A box has its extreme angles at corners, unless it holds the origin or meets the cut along the negative x axis.
  const bool point = mpfr_equal_p(y.lo.get(), y.hi.get()) && mpfr_equal_p(x.lo.get(), x.hi.get());
  if (!point && strict_sign(y) == 0 && strict_sign(x) <= 0) {
    const bool on_axis = mpfr_zero_p(y.lo.get()) && mpfr_zero_p(y.hi.get()) && strict_sign(x) < 0;
    if (!on_axis) return Enclosure(precision);
  }
  return corners(y, x, precision, mpfr_atan2);
}

int certain_sign(const Enclosure& a) {
  if (a.known != Known::bounds) return 0;
  const int lower = mpfr_sgn(a.lo.get());
  const int upper = mpfr_sgn(a.hi.get());
  if (lower > 0 || (lower == 0 && a.lo_open)) return 1;
  return upper < 0 || (upper == 0 && a.hi_open) ? -1 : 0;
}

int strict_sign(const Enclosure& a) {
  if (a.known != Known::bounds) return 0;
  return mpfr_sgn(a.lo.get()) > 0 ? 1 : mpfr_sgn(a.hi.get()) < 0 ? -1 : 0;
}

Real lower_end(const Enclosure& a) { return end_of(a.lo.get(), false); }
Real upper_end(const Enclosure& a) { return end_of(a.hi.get(), true); }

}  // namespace tiebreak
