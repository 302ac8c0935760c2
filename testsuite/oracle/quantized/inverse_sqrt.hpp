// SPDX-License-Identifier: Apache-2.0
// TFLite's mantissa and shift of 1 / sqrt(x), and its radius of inputs, step by step as a kernel computes them.
#pragma once
#include <cstdint>

namespace tiebreak::oracle {

struct InverseSqrt {
  std::int32_t multiplier = 0;
  int right_shift = 0;
};
InverseSqrt inverse_sqrt(std::int32_t x);

/// In doubles, as targets that have them do.
std::int32_t input_radius(int integer_bits, int left_shift, int total_bits);
/// In 64-bit integers, as the others do.
std::int32_t input_radius_of_integers(int integer_bits, int left_shift, int total_bits);

}  // namespace tiebreak::oracle
