// SPDX-License-Identifier: Apache-2.0
// TOSA's operators on integers, as the pseudocode has them in machine words. Nothing where the text calls the result unpredictable.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tiebreak::oracle::tosa {

using Integer = std::optional<std::int64_t>;

/// ADD SUB INTDIV LOGICAL_LEFT_SHIFT LOGICAL_RIGHT_SHIFT BITWISE_AND BITWISE_OR BITWISE_XOR MAXIMUM MINIMUM EQUAL GREATER GREATER_EQUAL of integers of so many
/// bits.
Integer of_integers(const std::string& op, std::int64_t a, std::int64_t b, int bits);
Integer right_shift(std::int64_t value, std::int64_t places, int bits, bool round);
/// Of i8 and i16 with no shift, of i32; the product has 32 bits.
Integer product(std::int64_t a, std::int64_t b, std::int64_t shift, int bits);
/// ABS BITWISE_NOT CLZ.
Integer unary(const std::string& op, std::int64_t value, int bits);
Integer negated(std::int64_t value, std::int64_t input_zero_point, std::int64_t output_zero_point, int bits);

/// REDUCE_SUM, of which every step has to fit.
Integer sum(const std::vector<std::int64_t>& line, int bits);
/// Place of the greatest element; of equal ones the first.
std::int64_t place_of_greatest(const std::vector<std::int64_t>& line);

/// CAST between integers.
std::int64_t cast(std::int64_t value, int from_bits, int to_bits, bool read_unsigned);

}  // namespace tiebreak::oracle::tosa
