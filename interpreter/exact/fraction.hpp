// SPDX-License-Identifier: Apache-2.0
// A number taken apart into machine integers, for arithmetic that scales integers by it.
#pragma once
#include <cstdint>
#include <optional>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

/// numerator / denominator * 2^exponent with both parts odd, or 0 / 1 * 2^0; the denominator is positive.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  std::int64_t exponent = 0;
};

/// nullopt for nan, infinities, and numbers whose odd parts do not fit 63 bits.
std::optional<Fraction> fraction_of(const Real& v);

}  // namespace tiebreak
