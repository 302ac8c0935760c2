// SPDX-License-Identifier: Apache-2.0
// The exact sum of any number of doubles: a fixed-point number as wide as double's range (Kulisch's accumulator), in digits of 32 bits.
#pragma once
#include <array>
#include <cstdint>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

class LongAccumulator {
 public:
  /// Up to 2^30 of them.
  void add(double v);
  /// The sum: +0 where nothing is left; infinities of both signs, or a nan, make a nan.
  Real total() const;

 private:
  static constexpr int lowest = -1088;  // a multiple of 32 below the least double's exponent
  std::array<std::int64_t, 70> digits_{};
  bool nan_ = false, above_ = false, below_ = false;
};

}  // namespace tiebreak
