// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/microsoft_elementwise.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

float f32_of_code(std::int64_t code) { return static_cast<float>(code); }

std::int64_t float_to_code(float rounded, CodeRange range) {
  if (rounded <= static_cast<float>(range.min)) return range.min;
  if (rounded >= static_cast<float>(range.max)) return range.max;
  return static_cast<std::int64_t>(rounded);
}

std::int64_t add_scalar(std::int64_t a, std::int64_t b, const QLinearBinaryParameters& p, CodeRange range) {
  const float va = p.a_scale * f32_of_code(a - p.a_zero_point), vb = p.b_scale * f32_of_code(b - p.b_zero_point);
  const float quotient = (va + vb) / p.c_scale;
  const float moved = quotient + f32_of_code(p.c_zero_point);
  return float_to_code(std::nearbyint(moved), range);
}

std::int64_t add_neon(std::int64_t a, std::int64_t b, const QLinearBinaryParameters& p, CodeRange range) {
  const float ra = p.a_scale / p.c_scale, rb = p.b_scale / p.c_scale;
  const float larger = std::max(ra, rb);
  int exponent = 0;
  std::frexp(larger, &exponent);
  const int places = 21 - (exponent - 1);
  if (std::min(ra, rb) < 0x1p-14f || larger >= 256 || places < 13 || places > 31) return add_scalar(a, b, p, range);
  const auto ma = static_cast<std::int64_t>(std::nearbyint(std::ldexp(ra, places)));
  const auto mb = static_cast<std::int64_t>(std::nearbyint(std::ldexp(rb, places)));
  const std::int64_t sum = (a - p.a_zero_point) * ma + (b - p.b_zero_point) * mb;
  const CodeRange sixteen = integer_range(true, 16);
  return clamped(clamped(clamped(shift_half_away64(sum, places), sixteen) + p.c_zero_point, sixteen), range);
}

/// One sum in units of 2^-20 of the larger ratio, and a shift that rounds halves up.
std::int64_t add_twenty_digits(std::int64_t a, std::int64_t b, const QLinearBinaryParameters& p, CodeRange range) {
  const float ra = p.a_scale / p.c_scale, rb = p.b_scale / p.c_scale;
  int exponent = 0;
  std::frexp(std::max(ra, rb), &exponent);
  const int places = 21 - exponent;
  const auto ma = static_cast<std::int64_t>(std::nearbyint(std::ldexp(ra, places)));
  const auto mb = static_cast<std::int64_t>(std::nearbyint(std::ldexp(rb, places)));
  const std::int64_t sum = (a - p.a_zero_point) * ma + (b - p.b_zero_point) * mb;
  return clamped(((sum + (std::int64_t{1} << (places - 1))) >> places) + p.c_zero_point, range);
}

}  // namespace

std::int64_t add_codes(std::int64_t a, std::int64_t b, const QLinearBinaryParameters& p, CodeRange range, AddKernel kernel, Lone lone) {
  // The kernels know a lone second operand only: a lone first one changes places with it.
  if (lone == Lone::a && (kernel == AddKernel::sse || kernel == AddKernel::avx2))
    return add_codes(b, a, {p.b_scale, p.b_zero_point, p.a_scale, p.a_zero_point, p.c_scale, p.c_zero_point}, range, kernel, Lone::b);
  const float ra = p.a_scale / p.c_scale, rb = p.b_scale / p.c_scale;
  switch (kernel) {
    case AddKernel::sse: {
      const float pa = ra * f32_of_code(p.a_zero_point), pb = rb * f32_of_code(p.b_zero_point);
      const float fixed = f32_of_code(p.c_zero_point) - (pa + pb);
      const float scaled_a = f32_of_code(a) * ra, scaled_b = f32_of_code(b) * rb;
      const float sum = lone == Lone::b ? (fixed + scaled_b) + scaled_a : (fixed + scaled_a) + scaled_b;
      return float_to_code(std::nearbyint(sum), range);
    }
    case AddKernel::avx2: {
      const float fixed = f32_of_code(p.c_zero_point) - std::fma(ra, f32_of_code(p.a_zero_point), rb * f32_of_code(p.b_zero_point));
      return float_to_code(std::nearbyint(std::fma(f32_of_code(a), ra, std::fma(f32_of_code(b), rb, fixed))), range);
    }
    case AddKernel::neon: return add_neon(a, b, p, range);
    case AddKernel::scalar: return add_scalar(a, b, p, range);
    case AddKernel::twenty_digits: return add_twenty_digits(a, b, p, range);
    case AddKernel::unfused: break;
  }
  const float sum = dequantize(a, p.a_zero_point, p.a_scale) + dequantize(b, p.b_zero_point, p.b_scale);
  return quantize(sum, p.c_scale, p.c_zero_point, range);
}

std::int64_t multiply_codes(std::int64_t a, std::int64_t b, const QLinearBinaryParameters& p, CodeRange range, MultiplyKernel kernel) {
  const float codes = f32_of_code((a - p.a_zero_point) * (b - p.b_zero_point));
  const float factor = requantize_multiplier(p.a_scale, p.b_scale, p.c_scale);
  const float values = dequantize(a, p.a_zero_point, p.a_scale) * dequantize(b, p.b_zero_point, p.b_scale);
  const float zero = f32_of_code(p.c_zero_point);
  switch (kernel) {
    case MultiplyKernel::after_rounding: return float_to_code(std::nearbyint(codes * factor) + zero, range);
    case MultiplyKernel::unfused_steps: return quantize(values, p.c_scale, p.c_zero_point, range);
    case MultiplyKernel::one_rounding: return float_to_code(std::nearbyint(std::fma(codes, factor, zero)), range);
    case MultiplyKernel::two_roundings: {
      const float scaled = codes * factor;
      return float_to_code(std::nearbyint(scaled + zero), range);
    }
    case MultiplyKernel::scalar: break;
  }
  const float quotient = values / p.c_scale;
  return float_to_code(std::nearbyint(quotient + zero), range);
}

std::int64_t sigmoid_code(std::int64_t x, const UnaryParameters& p, CodeRange range) {
  const double value = static_cast<double>(dequantize(x, p.x_zero_point, p.x_scale));
  return quantize(static_cast<float>(1 / (1 + std::exp(-value))), p.y_scale, p.y_zero_point, range);
}

std::int64_t leaky_relu_code(std::int64_t x, float alpha, const UnaryParameters& p, CodeRange range) {
  const float value = dequantize(x, p.x_zero_point, p.x_scale);
  return quantize(value >= 0 ? value : alpha * value, p.y_scale, p.y_zero_point, range);
}

std::int64_t rescaled_code(std::int64_t x, const UnaryParameters& p, CodeRange range) {
  return quantize(dequantize(x, p.x_zero_point, p.x_scale), p.y_scale, p.y_zero_point, range);
}

}  // namespace tiebreak::oracle
