// SPDX-License-Identifier: Apache-2.0
// Enclosures of the real functions of one argument. Monotone ones take the two ends; sin and cos move by at most the
// width of their argument; tan is their quotient.
#include "interpreter/exact/enclosure.hpp"

namespace tiebreak {
namespace {

using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// 1 / (1 + exp(-x)) on one side: every inner step is rounded so that the whole errs in the direction asked for.
int logistic_end(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t direction) {
  const mpfr_rnd_t opposite = direction == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;
  Mpfr inner(mpfr_get_prec(result));
  Mpfr negated(mpfr_get_prec(x));
  mpfr_neg(negated.get(), x, MPFR_RNDN);
  const int power = mpfr_exp(inner.get(), negated.get(), opposite);
  const int sum = mpfr_add_ui(inner.get(), inner.get(), 1, opposite);
  const int quotient = mpfr_ui_div(result, 1, inner.get(), direction);
  return (power | sum | quotient) != 0 ? 1 : 0;
}

// Strictly increasing: an open end of the argument gives an open end of the result.
Enclosure increasing(const Enclosure& a, mpfr_prec_t precision, Operation operation) {
  Enclosure result(precision, Known::bounds);
  result.lo_open = operation(result.lo.get(), a.lo.get(), MPFR_RNDD) != 0 || a.lo_open;
  result.hi_open = operation(result.hi.get(), a.hi.get(), MPFR_RNDU) != 0 || a.hi_open;
  if (mpfr_nan_p(result.lo.get()) || mpfr_nan_p(result.hi.get())) result.known = Known::nothing;
  return result;
}

// Functions that are defined from `edge` on; below it the result is nan.
Enclosure increasing_from(long edge, const Enclosure& a, mpfr_prec_t precision, Operation operation) {
  if (mpfr_cmp_si(a.hi.get(), edge) < 0) return Enclosure(precision, Known::nan);
  if (mpfr_cmp_si(a.lo.get(), edge) < 0) return Enclosure(precision);
  return increasing(a, precision, operation);
}

Enclosure reciprocal_root(const Enclosure& a, mpfr_prec_t precision) {
  if (mpfr_sgn(a.hi.get()) < 0) return Enclosure(precision, Known::nan);
  if (mpfr_sgn(a.lo.get()) <= 0) return Enclosure(precision);
  Enclosure result(precision, Known::bounds);
  result.lo_open = mpfr_rec_sqrt(result.lo.get(), a.hi.get(), MPFR_RNDD) != 0 || a.hi_open;
  result.hi_open = mpfr_rec_sqrt(result.hi.get(), a.lo.get(), MPFR_RNDU) != 0 || a.lo_open;
  return result;
}

Enclosure oscillating(const Enclosure& a, mpfr_prec_t precision, Operation operation) {
  // Beyond this, the reduction of the argument would need millions of digits of pi; no precision here could decide.
  constexpr mpfr_exp_t argument_limit = 1 << 19;
  for (const Mpfr* end : {&a.lo, &a.hi})
    if (!mpfr_number_p(end->get()) || (!mpfr_zero_p(end->get()) && mpfr_get_exp(end->get()) > argument_limit)) return Enclosure(precision);
  Enclosure result(precision, Known::bounds);
  Mpfr width(precision);
  mpfr_sub(width.get(), a.hi.get(), a.lo.get(), MPFR_RNDU);
  const int below = operation(result.lo.get(), a.lo.get(), MPFR_RNDD);
  const int above = operation(result.hi.get(), a.lo.get(), MPFR_RNDU);
  mpfr_sub(result.lo.get(), result.lo.get(), width.get(), MPFR_RNDD);
  mpfr_add(result.hi.get(), result.hi.get(), width.get(), MPFR_RNDU);
  const bool moved = !mpfr_zero_p(width.get());  // sin and cos move by less than their argument does
  result.lo_open = below != 0 || moved;
  result.hi_open = above != 0 || moved;
  return result;
}

}  // namespace

Enclosure apply(RealFunction function, const Enclosure& a, mpfr_prec_t precision) {
  if (a.known != Known::bounds) return Enclosure(precision, a.known);
  switch (function) {
    case RealFunction::sqrt: return increasing_from(0, a, precision, mpfr_sqrt);
    case RealFunction::cbrt: return increasing(a, precision, mpfr_cbrt);
    case RealFunction::rsqrt: return reciprocal_root(a, precision);
    case RealFunction::exp: return increasing(a, precision, mpfr_exp);
    case RealFunction::expm1: return increasing(a, precision, mpfr_expm1);
    case RealFunction::log: return increasing_from(0, a, precision, mpfr_log);
    case RealFunction::log1p: return increasing_from(-1, a, precision, mpfr_log1p);
    case RealFunction::sin: return oscillating(a, precision, mpfr_sin);
    case RealFunction::cos: return oscillating(a, precision, mpfr_cos);
    case RealFunction::tan: return divide(oscillating(a, precision, mpfr_sin), oscillating(a, precision, mpfr_cos), precision);
    case RealFunction::tanh: return increasing(a, precision, mpfr_tanh);
    case RealFunction::erf: return increasing(a, precision, mpfr_erf);
    case RealFunction::logistic: return increasing(a, precision, logistic_end);
    case RealFunction::pow:
    case RealFunction::atan2: break;
  }
  return Enclosure(precision);
}

}  // namespace tiebreak
