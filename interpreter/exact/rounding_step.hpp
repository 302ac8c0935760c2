// SPDX-License-Identifier: Apache-2.0
// One rounding step with integers: a magnitude is cut at a power of two into a whole quotient and what is left over.
// Every rounding of exact/ goes through here, so a tie is seen in one place only.
#pragma once
#include "interpreter/exact/big_rational.hpp"
#include "interpreter/exact/float_format.hpp"

namespace tiebreak {

/// What is left over, in halves of the quantum.
enum class Rest : std::uint8_t { none, below_half, half, above_half };

/// Whether the magnitude moves to quotient + 1.
bool rounds_outward(Rounding rounding, bool negative, Rest rest, bool odd);

struct SmallCut {
  std::uint64_t quotient;
  Rest rest;
};
struct BigCut {
  BigInteger quotient;
  Rest rest;
};

/// abs(v) / 2^quantum for a finite v that is not zero. The quotient must fit: v.exponent() - quantum <= 62.
SmallCut cut(const Real& v, std::int64_t exponent_of_v, std::int64_t quantum);
/// The same for any quotient within the size limit.
BigCut cut_big(const Real& v, std::int64_t quantum);

/// Directed roundings that never leave the representable range for a finite value of this sign.
bool points_inward(Rounding rounding, bool negative);

}  // namespace tiebreak
