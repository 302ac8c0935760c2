// SPDX-License-Identifier: Apache-2.0
// How far apart two values of one type are. docs/policies.md states these definitions for users.
#pragma once
#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {

/// Position of a finite float on its format's ordered grid: 0 for both zeros, 1 for the least positive value, -1 for its negative.
std::int64_t grid_position(std::uint64_t code, const FloatFormat& format);

/// Whether the bits alone say that the code is neither an infinity nor a nan; false also where only the value says so.
bool is_plain_number(std::uint64_t code, const FloatFormat& format);

/// actual - expected: whole numbers for integers and bool (LSB), steps of the grid for floats. nan when one side is nan, an
/// infinity when exactly one side is infinite or the infinities differ in sign; 0 for equal values, zeros of either sign included.
double difference(std::uint64_t expected, std::uint64_t actual, const ElementType& type);

/// How far that is, whatever the direction: nan is as far as an infinity.
double size_of_difference(double difference);

/// Spacing of the format at v: 2^max(floor(log2 |v|), least exponent) / 2^fraction_bits. At a power of two the upper binade's.
Real ulp_at(const Real& v, const FloatFormat& format);

}  // namespace tiebreak
