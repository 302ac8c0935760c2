// SPDX-License-Identifier: Apache-2.0
// Paths from numbers to codes that single vendors take: sums of dequantized codes in f32 (Arm NN's reference device), a quantization by one
// fused step in i8, and a bias that takes in the zero point (OpenCV).
#pragma once
#include <cstdint>
#include <vector>

namespace tiebreak::oracle {

/// Codes minus zero points, in the order in which they are added.
struct DequantizedSum {
  std::vector<std::int32_t> x{}, w{};
  float x_scale = 1, w_scale = 1, y_scale = 1;
  std::int32_t bias = 0;
  std::int32_t y_zero_point = 0;
};
/// Not saturated; halves away from zero.
double dequantized_code(const DequantizedSum& sum);

/// The code of x: `is_signed` says i8, else u8, which is made as i8. Product and zero point are one multiply-add where `fused`, else two operations.
/// What leaves int32 on its way becomes the least code, subnormal numbers are zeros.
std::int32_t moved_code(float x, float scale, std::int32_t zero_point, bool is_signed, bool fused);

/// The accumulator of a convolution of codes x by weights w, which are differences from their zero point. The part of x's zero point is taken
/// out of the bias in double, the bias converted as x86 does; `is_signed` says x is i8, else u8, whose codes are 128 less.
std::int32_t folded_sum(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& w, std::int32_t x_zero_point, std::int32_t bias, bool is_signed);

/// The code of a bias alone where the library takes it as a float (PyTorch with oneDNN): to f32 by the scales, back by their inverses, then the factor
/// made of inverses, the zero point before the rounding. Not saturated. The bias has at most 29 bits, so that a double holds its product with a scale.
double float_bias_code(std::int32_t bias, float x_scale, float w_scale, float y_scale, std::int32_t y_zero_point);

/// A sum held in f32 that becomes an int32 as ARM converts: saturating (oneDNN's integer products on arm64).
std::int32_t sum_through_float(std::int64_t sum);

}  // namespace tiebreak::oracle
