// SPDX-License-Identifier: Apache-2.0
#include "interpreter/exact/fraction.hpp"

#include <numeric>

#include "interpreter/exact/big_rational.hpp"

namespace tiebreak {

std::optional<Fraction> fraction_of(const Real& v) {
  if (!RealAccess::is_small(v)) return std::nullopt;
  const std::int64_t numerator = RealAccess::mantissa(v), denominator = RealAccess::denominator(v);
  const std::int64_t divisor = numerator == 0 ? denominator : std::gcd(numerator, denominator);
  return Fraction{numerator / divisor, denominator / divisor, numerator == 0 ? 0 : RealAccess::scale(v)};
}

}  // namespace tiebreak
