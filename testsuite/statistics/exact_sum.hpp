// SPDX-License-Identifier: Apache-2.0
// Sums of doubles and of their products without any rounding, so that neither the order of the terms nor the machine changes a digit of what is reported.
#pragma once
#include <array>
#include <cstdint>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

/// A fixed-point number that is wide enough for every double and for the product of any two.
class ExactSum {
 public:
  void add(double value);
  /// The exact product, by its rounded value and the rest that a fused multiply-add gives.
  void add_product(double a, double b);
  Real value() const;

 private:
  static constexpr int least_exponent = -1152, limbs = 80;  // limbs of 32 bits from 2^-1152 on: beyond 2^1024 with room for carries
  void carry();

  std::array<std::int64_t, limbs> digits_{};  // each below 2^62 in magnitude between two carries
  int pending_ = 0;
  Real rest_{};  // products that leave the exponents of doubles
};

}  // namespace tiebreak
