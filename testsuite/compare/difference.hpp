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

/// difference() of many pairs of one type: what follows from the type is known once.
class Differences {
 public:
  explicit Differences(const ElementType& type);
  double operator()(std::uint64_t expected, std::uint64_t actual) const {
    if (is_narrow_ && is_plain(expected) && is_plain(actual)) return static_cast<double>(position(actual) - position(expected));
    return difference(expected, actual, type_);
  }

 private:
  bool is_plain(std::uint64_t code) const { return top_ == 0 || (code & top_) != top_; }
  std::int64_t position(std::uint64_t code) const {
    if ((code & sign_) == 0) return static_cast<std::int64_t>(code);
    const auto rest = static_cast<std::int64_t>(code & (sign_ - 1));
    return is_float_ ? -rest : rest - static_cast<std::int64_t>(sign_);
  }

  const ElementType type_;
  bool is_narrow_ = false;  ///< at most 32 bits, and where it is a float, of IEEE form
  bool is_float_ = false;
  std::uint64_t sign_ = 0;  ///< the bit, 0 where there is none
  std::uint64_t top_ = 0;   ///< of floats: the exponent of infinities and nans; 0: every code is a number
};

/// How far that is, whatever the direction: nan is as far as an infinity.
double size_of_difference(double difference);

/// Spacing of the format at v: 2^max(floor(log2 |v|), least exponent) / 2^fraction_bits. At a power of two the upper binade's.
Real ulp_at(const Real& v, const FloatFormat& format);

}  // namespace tiebreak
