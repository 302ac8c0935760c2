// SPDX-License-Identifier: Apache-2.0
#include "interpreter/exact/rounding_step.hpp"

namespace tiebreak {

bool rounds_outward(Rounding rounding, bool negative, Rest rest, bool odd) {
  if (rest == Rest::none) return false;
  using enum Rounding;
  switch (rounding) {
    case nearest_even: return rest == Rest::half ? odd : rest == Rest::above_half;
    case nearest_away: return rest != Rest::below_half;
    case nearest_up: return rest == Rest::half ? !negative : rest == Rest::above_half;
    case nearest_down: return rest == Rest::half ? negative : rest == Rest::above_half;
    case nearest_zero: return rest == Rest::above_half;
    case toward_zero: return false;
    case down: return negative;
    case up: return !negative;
    case to_odd: return !odd;
  }
  return false;
}

bool points_inward(Rounding rounding, bool negative) {
  using enum Rounding;
  return rounding == toward_zero || rounding == to_odd || (rounding == down && !negative) || (rounding == up && negative);
}

namespace {
Rest compare_to_half(int order) { return order < 0 ? Rest::below_half : order == 0 ? Rest::half : Rest::above_half; }
}  // namespace

SmallCut cut(const Real& v, std::int64_t exponent_of_v, std::int64_t quantum) {
  if (exponent_of_v < quantum - 1) return {0, Rest::below_half};
  if (!RealAccess::is_small(v)) {
    const BigCut big = cut_big(v, quantum);
    return {mpz_get_ui(big.quotient.backend().data()), big.rest};
  }
  // Here 2^shift * n / d lies in [1/2, 2^63), so n << shift and d << -shift fit 128 bits, and -shift <= 63 where d is 1.
  const std::uint64_t n = magnitude(RealAccess::mantissa(v));
  const auto d = static_cast<std::uint64_t>(RealAccess::denominator(v));
  const std::int64_t shift = RealAccess::scale(v) - quantum;
  if (d == 1) {
    if (shift >= 0) return {n << shift, Rest::none};
    const std::uint64_t half = std::uint64_t{1} << (-shift - 1);
    const std::uint64_t rest = n & (half * 2 - 1);
    return {n >> -shift, rest == 0 ? Rest::none : compare_to_half((rest > half) - (rest < half))};
  }
  const UInt128 upper = static_cast<UInt128>(n) << (shift > 0 ? shift : 0);
  const UInt128 lower = static_cast<UInt128>(d) << (shift < 0 ? -shift : 0);
  const auto quotient = static_cast<std::uint64_t>(upper / lower);
  const UInt128 rest = upper - lower * quotient;
  if (rest == 0) return {quotient, Rest::none};
  const UInt128 opposite = lower - rest;
  return {quotient, compare_to_half((rest > opposite) - (rest < opposite))};
}

BigCut cut_big(const Real& v, std::int64_t quantum) {
  const std::int64_t shift = RealAccess::scale(v) - quantum;
  BigInteger upper = RealAccess::big_numerator(v);
  BigInteger lower = RealAccess::big_denominator(v);
  mpz_abs(upper.backend().data(), upper.backend().data());
  (shift > 0 ? upper : lower) = shifted(shift > 0 ? upper : lower, shift > 0 ? shift : -shift);
  BigCut result{BigInteger(), Rest::none};
  BigInteger rest;
  mpz_tdiv_qr(result.quotient.backend().data(), rest.backend().data(), upper.backend().data(), lower.backend().data());
  if (!rest.is_zero()) {
    const BigInteger opposite = lower - rest;
    result.rest = compare_to_half(mpz_cmp(rest.backend().data(), opposite.backend().data()));
  }
  return result;
}

}  // namespace tiebreak
