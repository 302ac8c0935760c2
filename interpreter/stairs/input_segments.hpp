// SPDX-License-Identifier: Apache-2.0
// Every number of an element type, as runs of equal steps away from zero: one for each power of two, subnormal numbers included, for zeros
// and for infinities.
#pragma once
#include <cstdint>
#include <vector>

#include "interpreter/stairs/scalar_function.hpp"

namespace tiebreak {

struct InputSegment {
  Real start{}, step{};
  std::int64_t count = 0;  ///< at most 2^63 - 1
  Real value(std::int64_t place) const { return place == 0 ? start : start + step * Real(place); }
};

/// In order of magnitude, positive before negative. Without nan; f8e8m0 and integers without a sign have positive numbers alone.
std::vector<InputSegment> input_segments(const ElementType& type);
/// The same, of integers that are limited only what lies between the ordinals.
std::vector<InputSegment> input_segments(const OrderedType& input);
/// Codes that are nan.
std::uint64_t nan_codes(const ElementType& type);

}  // namespace tiebreak
