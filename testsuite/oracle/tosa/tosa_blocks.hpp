// SPDX-License-Identifier: Apache-2.0
// TOSA's casts to and from blocks of small floats, by search: all values of the small format in a table, all scales tried from the least.
#pragma once
#include <vector>

namespace tiebreak::oracle::tosa {

/// Finite values of a float format that are not negative, ascending, so that the place of a value is its code. `tops` codes at the end are no numbers.
struct SmallFormat {
  SmallFormat(int exponent_bits, int fraction_bits, int tops);
  std::vector<double> values;
  /// The value next to |x|, of two the one with the even code; beyond the last one the last one.
  double nearest(double magnitude) const;
  /// Whether |x| rounds to a value where every magnitude has one: below half a step above the last one, or at it where that tie is even.
  bool takes(double magnitude) const;

 private:
  double limit_;
  bool tie_is_even_;
};

/// One block: what the numbers become, with their signs, and the scale, the least of 2^-127 to 2^127 under which the format takes all of them.
/// The numbers are finite. A block of zeros has the least scale.
struct ScaledBlock {
  std::vector<double> values;
  double scale = 0;
};
ScaledBlock to_block(const std::vector<double>& numbers, const SmallFormat& format);

}  // namespace tiebreak::oracle::tosa
