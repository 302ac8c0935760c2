// SPDX-License-Identifier: Apache-2.0
// TVM's fixed-point products and requantization in machine integers and floats, step by step as compiled code does them.
#pragma once
#include <cstdint>
#include <optional>

namespace tiebreak::oracle::qnn {

/// value = mantissa * 2^(exponent - 31), the mantissa in [2^30, 2^31) or 0.
struct Factor {
  std::int64_t mantissa = 0;
  int exponent = 0;
};
Factor factor_of(double value);

/// How a target multiplies where halves go up.
enum class Lowering : std::uint8_t { shifted, general, aarch64, hexagon, gemmlowp, even };
/// Nothing where the code would shift by an amount that is not defined.
std::optional<std::int32_t> multiply_upward(std::int32_t value, const Factor& factor, Lowering lowering);
std::optional<std::int32_t> multiply_tonearest(std::int32_t value, const Factor& factor);

enum class Rounding : std::uint8_t { upward, tonearest };
enum class Compute : std::uint8_t { int64, float32, float64 };

struct Requantize {
  float input_scale = 1, output_scale = 1;
  std::int32_t input_zero_point = 0, output_zero_point = 0;
  Rounding rounding = Rounding::upward;
  Compute compute = Compute::int64;
  Lowering lowering = Lowering::shifted;
  bool single = true;             ///< the input has one scale
  bool rounds_by_adding = false;  ///< float path, TONEAREST, without rounding instructions
};
/// The int32 code before saturation; nothing where the float path leaves int32 or a shift is not defined.
std::optional<std::int32_t> requantize(std::int64_t code, const Requantize& how);
/// The same, unless scale and zero point are the result's already.
std::optional<std::int32_t> aligned(std::int64_t code, const Requantize& how);

}  // namespace tiebreak::oracle::qnn
