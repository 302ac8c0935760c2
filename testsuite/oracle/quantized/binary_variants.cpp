// SPDX-License-Identifier: Apache-2.0
// See the header. Integers where the system computes in integers, floats where it computes in floats.
#include "testsuite/oracle/quantized/binary_variants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

using BinaryIn = const BinaryParameters&;
using Int = std::int32_t;

float real(Int code) { return static_cast<float>(code); }

Int int16(std::int64_t v) { return static_cast<Int>(std::clamp<std::int64_t>(v, -32768, 32767)); }

// ---- addition

std::int64_t tflite_add(Int a, Int b, BinaryIn p, bool twice) {
  auto product = [twice](Int v, double factor) {
    const FixedMultiplier by = fixed_multiplier(factor);
    return twice ? multiply_twice_rounded(v, by) : static_cast<Int>(multiply_once_rounded(v, by));
  };
  const double top = 2 * std::max(wide(p.a_scale), wide(p.b_scale));
  const Int left = product((a - p.a_zero_point) * (1 << 20), wide(p.a_scale) / top), right = product((b - p.b_zero_point) * (1 << 20), wide(p.b_scale) / top);
  return clamped(static_cast<std::int64_t>(product(left + right, top / (0x1p20 * wide(p.y_scale)))) + p.y_zero_point, p.codes);
}
std::int64_t tflite_add_double(Int a, Int b, BinaryIn p) { return tflite_add(a, b, p, true); }
std::int64_t tflite_add_single(Int a, Int b, BinaryIn p) { return tflite_add(a, b, p, false); }

struct RelativeMultipliers {
  std::int64_t a, b;
  int shift;
};
/// Multipliers of `digits` bits below the larger ratio.
RelativeMultipliers relative(BinaryIn p, int digits) {
  const float a = p.a_scale / p.y_scale, b = p.b_scale / p.y_scale;
  const int shift = digits - std::ilogb(std::max(a, b));
  return {std::llrint(std::ldexp(wide(a), shift)), std::llrint(std::ldexp(wide(b), shift)), shift};
}
std::int64_t xnnpack_add(Int a, Int b, BinaryIn p) {
  const RelativeMultipliers m = relative(p, 20);
  const std::int64_t sum = (a - p.a_zero_point) * m.a + (b - p.b_zero_point) * m.b;
  return clamped(((sum + (std::int64_t{1} << (m.shift - 1))) >> m.shift) + p.y_zero_point, p.codes);
}
std::int64_t qnnpack_add(Int a, Int b, BinaryIn p) {
  const RelativeMultipliers m = relative(p, 21);
  return clamped(shift_half_away64((a - p.a_zero_point) * m.a + (b - p.b_zero_point) * m.b, m.shift) + p.y_zero_point, p.codes);
}

struct Folded {
  float a, b, constant;
};
Folded folded_factors(BinaryIn p) {
  const float a = p.a_scale / p.y_scale, b = p.b_scale / p.y_scale;
  return {a, b, real(p.y_zero_point) - (a * real(p.a_zero_point) + b * real(p.b_zero_point))};
}
std::int64_t ort_sse_add(Int a, Int b, BinaryIn p) {
  const Folded f = folded_factors(p);
  return clamped(static_cast<double>(std::nearbyint((f.constant + real(a) * f.a) + real(b) * f.b)), p.codes);
}
std::int64_t ort_avx2_add(Int a, Int b, BinaryIn p) {
  const Folded f = folded_factors(p);
  return clamped(static_cast<double>(std::nearbyint(std::fma(real(a), f.a, std::fma(real(b), f.b, f.constant)))), p.codes);
}
float left_real(Int a, BinaryIn p) { return p.a_scale * real(a - p.a_zero_point); }
float right_real(Int b, BinaryIn p) { return p.b_scale * real(b - p.b_zero_point); }
std::int64_t code_of_real(float v, BinaryIn p) { return clamped(static_cast<double>(std::nearbyint(v / p.y_scale + real(p.y_zero_point))), p.codes); }
std::int64_t float_add_before(Int a, Int b, BinaryIn p) { return code_of_real(left_real(a, p) + right_real(b, p), p); }
std::int64_t float_add_even(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::nearbyint((left_real(a, p) + right_real(b, p)) / p.y_scale)) + p.y_zero_point, p.codes);
}
std::int64_t float_add_away(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::round((left_real(a, p) + right_real(b, p)) / p.y_scale)) + p.y_zero_point, p.codes);
}

std::int64_t ort_neon_add(Int a, Int b, BinaryIn p) {
  const float ra = p.a_scale / p.y_scale, rb = p.b_scale / p.y_scale;
  const RelativeMultipliers m = relative(p, 21);
  if (std::min(ra, rb) < 0x1p-14f || std::max(ra, rb) >= 256 || m.shift < 13 || m.shift > 31) return float_add_before(a, b, p);
  const std::int64_t sum = (a - p.a_zero_point) * m.a + (b - p.b_zero_point) * m.b;
  return clamped(static_cast<std::int64_t>(int16(int16(shift_half_away64(sum, m.shift)) + p.y_zero_point)), p.codes);
}

std::int64_t torch_add(Int a, Int b, BinaryIn p) {
  const float x = std::fma(real(a), p.a_scale, -real(p.a_zero_point) * p.a_scale), y = std::fma(real(b), p.b_scale, -real(p.b_zero_point) * p.b_scale);
  return clamped(static_cast<double>(std::nearbyint((x + y) * (1.0f / p.y_scale))) + p.y_zero_point, p.codes);
}
std::int64_t torch_tail_add(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::nearbyint((left_real(a, p) + right_real(b, p)) * (1.0f / p.y_scale))) + p.y_zero_point, p.codes);
}
std::int64_t onednn_add(Int a, Int b, BinaryIn p) { return clamped(static_cast<double>(std::nearbyint(real(a) * p.a_scale + real(b) * p.b_scale)), p.codes); }
std::int64_t same_scale_add(Int a, Int b, BinaryIn p) { return clamped(static_cast<std::int64_t>(a + b - p.y_zero_point), p.codes); }

Int tvm_operand(Int code, float scale, Int zero, BinaryIn p) {
  if (scale == p.y_scale && zero == p.y_zero_point) return code;
  return static_cast<Int>(multiply_once_rounded(code - zero, fixed_multiplier(wide(scale) / wide(p.y_scale)))) + p.y_zero_point;
}
std::int64_t tvm_add(Int a, Int b, BinaryIn p) {
  const std::int64_t sum =
      static_cast<std::int64_t>(tvm_operand(a, p.a_scale, p.a_zero_point, p)) + tvm_operand(b, p.b_scale, p.b_zero_point, p) - p.y_zero_point;
  return clamped(static_cast<std::int64_t>(wrap32(sum)), p.codes);
}

Int stablehlo_operand(Int code, float scale, Int zero, BinaryIn p) {
  if (scale == p.y_scale && zero == p.y_zero_point) return code;
  const double factor = wide(scale) / wide(p.y_scale), product = zero * factor, offset = p.y_zero_point - product;
  float v = real(code) * static_cast<float>(factor);
  if (offset != 0) v += static_cast<float>(offset);
  return static_cast<Int>(std::clamp(static_cast<double>(std::nearbyint(v)), -0x1p31, 0x1p31 - 1));
}
std::int64_t stablehlo_add(Int a, Int b, BinaryIn p) {
  const std::int64_t sum = static_cast<std::int64_t>(stablehlo_operand(a, p.a_scale, p.a_zero_point, p)) + stablehlo_operand(b, p.b_scale, p.b_zero_point, p);
  return clamped(static_cast<std::int64_t>(wrap32(sum - p.y_zero_point)), p.codes);
}

// ---- multiplication

Int product_of(Int a, Int b, BinaryIn p) { return (a - p.a_zero_point) * (b - p.b_zero_point); }
float factor_f32(BinaryIn p) { return p.a_scale * p.b_scale / p.y_scale; }
double factor_f64(BinaryIn p) { return wide(p.a_scale) * wide(p.b_scale) / wide(p.y_scale); }

std::int64_t tflite_mul_double(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<std::int64_t>(multiply_twice_rounded(product_of(a, b, p), fixed_multiplier(wide(factor_f32(p))))) + p.y_zero_point, p.codes);
}
std::int64_t tflite_mul_single(Int a, Int b, BinaryIn p) {
  return clamped(multiply_once_rounded(product_of(a, b, p), fixed_multiplier(wide(factor_f32(p)))) + p.y_zero_point, p.codes);
}
std::int64_t fxpmath_mul(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<std::int64_t>(multiply_twice_rounded(product_of(a, b, p), fixed_multiplier(factor_f64(p)))) + p.y_zero_point, p.codes);
}
std::int64_t tvm_mul(Int a, Int b, BinaryIn p) {
  const FixedMultiplier by = fixed_multiplier(wide(p.a_scale * p.b_scale) / wide(p.y_scale));
  return clamped(multiply_once_rounded(product_of(a, b, p), by) + p.y_zero_point, p.codes);
}
std::int64_t xnnpack_mul(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::nearbyint(real(product_of(a, b, p)) * factor_f32(p))) + p.y_zero_point, p.codes);
}
std::int64_t xnnpack_arm64_mul(Int a, Int b, BinaryIn p) {
  // The product of 17 bits and a 24-bit mantissa is exact in double, and so is the half.
  return clamped(std::floor(static_cast<double>(product_of(a, b, p)) * wide(factor_f32(p)) + 0.5) + p.y_zero_point, p.codes);
}
std::int64_t ort_x86_mul(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::nearbyint(real(product_of(a, b, p)) * factor_f32(p) + real(p.y_zero_point))), p.codes);
}
std::int64_t ort_arm64_mul(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::nearbyint(std::fma(real(product_of(a, b, p)), factor_f32(p), real(p.y_zero_point)))), p.codes);
}
std::int64_t float_mul_before(Int a, Int b, BinaryIn p) { return code_of_real(left_real(a, p) * right_real(b, p), p); }
std::int64_t float_mul_even(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::nearbyint(left_real(a, p) * right_real(b, p) / p.y_scale)) + p.y_zero_point, p.codes);
}
std::int64_t float_mul_away(Int a, Int b, BinaryIn p) {
  return clamped(static_cast<double>(std::round(left_real(a, p) * right_real(b, p) / p.y_scale)) + p.y_zero_point, p.codes);
}
std::int64_t torch_mul(Int a, Int b, BinaryIn p) {
  const float factor = p.a_scale * p.b_scale * (1.0f / p.y_scale);
  return clamped(static_cast<double>(std::nearbyint(real(product_of(a, b, p)) * factor)) + p.y_zero_point, p.codes);
}

// PyTorch's engine qnnpack has XNNPACK behind signed codes, and QNNPACK behind unsigned ones; multiplication does so whatever the engine.
std::int64_t pytorch_qnnpack_add(Int a, Int b, BinaryIn p) { return p.codes.min < 0 ? xnnpack_add(a, b, p) : qnnpack_add(a, b, p); }
std::int64_t pytorch_qnnpack_mul(Int a, Int b, BinaryIn p) { return p.codes.min < 0 ? xnnpack_mul(a, b, p) : torch_mul(a, b, p); }

constexpr BinaryVariant additions[] = {{"tflite-quantize-ref", tflite_add_double},
                                       {"tflite-single-add", tflite_add_single},
                                       {"xnnpack-add20", xnnpack_add},
                                       {"qnnpack-add", qnnpack_add},
                                       {"onnxruntime-x64-sse", ort_sse_add},
                                       {"onnxruntime-x64", ort_avx2_add},
                                       {"onnxruntime-arm64", ort_neon_add},
                                       {"onnxruntime-wasm", float_add_before},
                                       {"onnxruntime-unfused", float_add_even},
                                       {"stablehlo-spec", float_add_before},
                                       {"armnn-cpuref", float_add_away},
                                       {"pytorch-cpu-quantize", torch_add},
                                       {"pytorch-cpu-quantize-tail", torch_tail_add},
                                       {"pytorch-qnnpack", pytorch_qnnpack_add},
                                       {"pytorch-onednn", torch_add},
                                       {"onednn-x64", onednn_add},
                                       {"tvm-0.18", tvm_add},
                                       {"fxpmath", same_scale_add},
                                       {"stablehlo-interpreter", stablehlo_add}};
constexpr BinaryVariant multiplications[] = {{"tflite-quantize-ref", tflite_mul_double},
                                             {"tflite-single-add", tflite_mul_single},
                                             {"fxpmath", fxpmath_mul},
                                             {"tvm-0.18", tvm_mul},
                                             {"xnnpack-quantize", xnnpack_mul},
                                             {"xnnpack-quantize-arm64", xnnpack_arm64_mul},
                                             {"onnxruntime-x64", ort_x86_mul},
                                             {"onnxruntime-arm64", ort_arm64_mul},
                                             {"onnxruntime-wasm", float_mul_before},
                                             {"stablehlo-spec", float_mul_before},
                                             {"onnxruntime-unfused", float_mul_even},
                                             {"armnn-cpuref", float_mul_away},
                                             {"pytorch-cpu-quantize", torch_mul},
                                             {"pytorch-qnnpack", pytorch_qnnpack_mul}};

}  // namespace

std::span<const BinaryVariant> add_variants() { return additions; }
std::span<const BinaryVariant> mul_variants() { return multiplications; }

}  // namespace tiebreak::oracle
