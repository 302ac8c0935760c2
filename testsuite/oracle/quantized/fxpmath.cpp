// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/quantized/fxpmath.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {

int fxpmath_add(int a, int b, UniformType type, int least, int greatest) {
  const auto sum = static_cast<std::int16_t>(a + b);
  const auto moved = static_cast<std::int16_t>(sum - type.zero_point);
  return std::min(greatest, std::max<int>(moved, least));
}

int fxpmath_mul(int a, UniformType a_type, int b, UniformType b_type, UniformType type) {
  const double factor = a_type.scale * b_type.scale / type.scale;
  const FixedMultiplier by = fixed_multiplier(factor);
  const std::int32_t product = (a - a_type.zero_point) * (b - b_type.zero_point);
  const std::int32_t scaled = shift_half_away(doubling_high_multiply(product, by.mantissa), -by.exponent);
  return std::min(127, std::max(-128, scaled + type.zero_point));
}

std::optional<int> lowered_qcast(float x, UniformType type) {
  float t = x / static_cast<float>(type.scale);
  if (type.zero_point != 0) t = t + static_cast<float>(type.zero_point);
  const float whole = std::trunc(t);
  if (!(whole >= -128.0f && whole <= 127.0f)) return std::nullopt;
  return static_cast<int>(whole);
}

int constant_qcast(float x, UniformType type, bool is_fast) {
  const double quotient = static_cast<double>(x) / type.scale;
  const double code = is_fast ? std::round(quotient + type.zero_point) : std::round(quotient) + type.zero_point;
  return static_cast<int>(std::min(127.0, std::max(-128.0, code)));
}

}  // namespace tiebreak::oracle
