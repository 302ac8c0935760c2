// SPDX-License-Identifier: Apache-2.0
// What FxpMath's lowering and the casts of MLIR's quant dialect compute, in machine integers and floats.
#pragma once
#include <cstdint>
#include <optional>

namespace tiebreak::oracle {

/// A type with 8 bits of signed storage.
struct UniformType {
  double scale = 1;
  int zero_point = 0;
};
/// real_add_ew of three equal types; limits are codes.
int fxpmath_add(int a, int b, UniformType type, int least, int greatest);
/// real_mul_ew for a factor below 1.
int fxpmath_mul(int a, UniformType a_type, int b, UniformType b_type, UniformType type);

/// quant.qcast as --lower-quant-ops has it, f32 into i8; nothing where the conversion is not defined.
std::optional<int> lowered_qcast(float x, UniformType type);
/// A constant of f32 into i8, and one of another type or width.
int constant_qcast(float x, UniformType type, bool is_fast);

}  // namespace tiebreak::oracle
