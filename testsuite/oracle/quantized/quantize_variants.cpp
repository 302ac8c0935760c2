// SPDX-License-Identifier: Apache-2.0
// See the header. Compiled without contraction; std::nearbyint in the default rounding mode is ties to even, std::round ties away.
#include "testsuite/oracle/quantized/quantize_variants.hpp"
#include "testsuite/oracle/quantized/migraphx.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::oracle {
namespace {

using Code = std::optional<std::int64_t>;
using QuantizeIn = const QuantizeArguments&;

float operand_float(QuantizeIn a, float v) { return a.half ? rounded_to_f16(v) : v; }
float inverse(QuantizeIn a) { return 1.0f / a.scale; }
float low(QuantizeIn a) { return static_cast<float>(a.range.min); }
float high(QuantizeIn a) { return static_cast<float>(a.range.max); }
std::int64_t whole_zero(QuantizeIn a) { return static_cast<std::int64_t>(a.zero_point); }

/// A whole number of any size as an integer, far values pulled in to where saturation still sees them.
std::int64_t held_integer(double whole) { return static_cast<std::int64_t>(std::clamp(whole, -0x1p60, 0x1p60)); }
bool fits_int32(double whole) { return whole >= -0x1p31 && whole < 0x1p31; }

Code into_storage(std::int64_t v, QuantizeIn a) {
  if (v < a.storage.min || v > a.storage.max) return std::nullopt;
  return v;
}
std::int64_t wrapped_into(std::int64_t v, CodeRange storage) {
  const std::int64_t count = storage.max - storage.min + 1;
  return storage.min + (((v - storage.min) % count) + count) % count;
}

/// A rounded float, then the zero point as an integer, then saturation. No number, no code.
Code zero_point_after(double whole, QuantizeIn a) {
  if (std::isnan(whole)) return std::nullopt;
  return clamped(held_integer(whole) + whole_zero(a), a.range);
}
/// A rounded float that has its zero point already.
Code zero_point_before(double whole, QuantizeIn a) {
  if (std::isnan(whole)) return std::nullopt;
  return clamped(held_integer(whole), a.range);
}
Code zero_point_after_int32(double whole, QuantizeIn a) { return fits_int32(whole) ? zero_point_after(whole, a) : std::nullopt; }
Code or_else(Code code, std::int64_t special) { return code ? code : Code(special); }

float between(float v, float least, float greatest) { return v < least ? least : v > greatest ? greatest : v; }
/// Clamped as a float to the codes minus the zero point.
float between_codes(float v, QuantizeIn a) { return between(v, low(a) - a.zero_point, high(a) - a.zero_point); }

float nearest_even(float v) { return std::nearbyint(v); }
float nearest_away(float v) { return std::round(v); }
float half_added(float v) {
  const float sum = v < 0 ? v - 0.5f : v + 0.5f;
  return std::trunc(sum);
}

// Each system in turn.
Code divide_even(QuantizeIn a) { return zero_point_after(nearest_even(a.x / a.scale), a); }
Code divide_away(QuantizeIn a) { return zero_point_after(nearest_away(a.x / a.scale), a); }
Code inverse_even(QuantizeIn a) { return zero_point_after(nearest_even(a.x * inverse(a)), a); }
Code inverse_even_before(QuantizeIn a) { return zero_point_before(nearest_even(a.x * inverse(a) + a.zero_point), a); }
Code onnx(QuantizeIn a) { return zero_point_after(nearest_even(operand_float(a, a.x / a.scale)), a); }
Code mlas(QuantizeIn a) { return or_else(zero_point_after(nearest_even(between_codes(a.x / a.scale, a)), a), a.range.min); }
Code mlas_wasm(QuantizeIn a) { return or_else(zero_point_after(nearest_even(between_codes(a.x / a.scale, a)), a), clamped(std::int64_t{0}, a.range)); }
/// A float sum becomes int64; x86 has the least int64 for what does not fit and for NaN.
Code pytorch_scalar(QuantizeIn a) {
  const float sum = a.zero_point + nearest_even(a.x * inverse(a));
  return sum >= -0x1p63f && sum < 0x1p63f ? zero_point_before(sum, a) : Code(a.range.min);
}
Code pytorch_cuda(QuantizeIn a) { return zero_point_after(std::nearbyint(static_cast<double>(a.x) / static_cast<double>(a.scale)), a); }
Code pytorch_float_zero_point(QuantizeIn a) { return zero_point_before(nearest_even(std::fma(a.x, inverse(a), a.zero_point)), a); }
Code fbgemm(QuantizeIn a) { return zero_point_before(nearest_even(a.x * inverse(a)) + a.zero_point, a); }
Code tensorrt(QuantizeIn a) { return zero_point_after(nearest_even(between_codes(a.x * inverse(a), a)), a); }
Code aimet(QuantizeIn a) {
  const float least = a.scale * (low(a) - a.zero_point), greatest = a.scale * (high(a) - a.zero_point);
  return zero_point_before(nearest_away(between(a.x, std::min(least, greatest), std::max(least, greatest)) / a.scale + a.zero_point), a);
}

Code tflite_reference(QuantizeIn a) { return zero_point_after_int32(nearest_away(a.x / a.scale), a); }
Code tflite_scalar(QuantizeIn a) { return zero_point_after_int32(std::round(static_cast<double>(a.x) / static_cast<double>(a.scale)), a); }
Code tflite_simd(QuantizeIn a) { return zero_point_after_int32(nearest_even(a.x * inverse(a)), a); }
Code tflite_armv7(QuantizeIn a) { return zero_point_after_int32(half_added(a.x * inverse(a)), a); }
Code tflite_symmetric(QuantizeIn a) { return zero_point_after(nearest_away(a.x * (high(a) / a.magnitude)), a); }
Code tflite_asymmetric(QuantizeIn a) { return zero_point_before(nearest_away(a.zero_point + a.x * inverse(a)), a); }
Code tflite_asymmetric_neon(QuantizeIn a) { return zero_point_after(nearest_away(a.x * inverse(a)), a); }

Code xnnpack(QuantizeIn a) { return or_else(zero_point_after(nearest_even(between_codes(a.x * inverse(a), a)), a), a.range.max); }
Code xnnpack_arm64(QuantizeIn a) { return or_else(zero_point_after(nearest_even(between_codes(a.x * inverse(a), a)), a), clamped(whole_zero(a), a.range)); }
Code xnnpack_parameters(QuantizeIn a) { return zero_point_before(nearest_even(between(a.x / a.scale + a.zero_point, low(a), high(a))), a); }
Code xnnpack_reference(QuantizeIn a) { return or_else(inverse_even_before(a), clamped(std::int64_t{0}, a.range)); }

Code migraphx(QuantizeIn a) { return or_else(onnx(a), a.range.max); }
Code migraphx_cut(QuantizeIn a) {
  const float quotient = a.x / a.scale;
  return or_else(zero_point_after(nearest_even(a.half ? static_cast<float>(f16_cut(quotient)) : quotient), a), a.range.max);
}
Code migraphx_2021(QuantizeIn a) {
  const double whole = std::round(operand_float(a, a.x / a.scale));
  return whole >= -0x1p63 && whole < 0x1p63 ? zero_point_after(whole, a) : std::nullopt;
}
Code migraphx_gpu(QuantizeIn a) {
  const float quotient = operand_float(a, a.x / a.scale);
  if (std::isnan(quotient)) return a.range.min;
  return zero_point_before(between(operand_float(a, nearest_even(quotient) + a.zero_point), operand_float(a, low(a)), operand_float(a, high(a))), a);
}
Code rocmlir(QuantizeIn a) {
  const float quotient = operand_float(a, a.x * operand_float(a, inverse(a)));
  if (std::isnan(quotient)) return clamped(whole_zero(a), a.range);
  const auto whole = static_cast<std::int64_t>(std::clamp(static_cast<double>(nearest_even(quotient)), -0x1p31, 0x1p31 - 1));
  return clamped(std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(whole + whole_zero(a)))}, a.range);
}

Code tvm_0_8(QuantizeIn a) {
  const float whole = nearest_away(a.x / a.scale + a.zero_point);
  return fits_int32(whole) ? zero_point_before(whole, a) : std::nullopt;
}
Code tvm_2021(QuantizeIn a) { return zero_point_before(nearest_away(between(a.x / a.scale + a.zero_point, low(a), high(a))), a); }
Code tvm_0_18(QuantizeIn a) { return zero_point_before(between(nearest_away(a.x / a.scale) + a.zero_point, low(a), high(a)), a); }
Code tvm_even(QuantizeIn a) { return zero_point_before(between(nearest_even(a.x / a.scale) + a.zero_point, low(a), high(a)), a); }
Code relay_simulated(QuantizeIn a) { return zero_point_after(nearest_away(between_codes(a.x / a.scale, a)), a); }
Code relay_realized(QuantizeIn a) { return zero_point_after(nearest_away(a.x * inverse(a)), a); }

Code mlir_lowered(QuantizeIn a) {
  const auto zero = static_cast<float>(wrapped_into(whole_zero(a), a.storage));
  const float sum = operand_float(a, operand_float(a, a.x / a.scale) + zero);
  if (std::isnan(sum)) return std::nullopt;
  const Code code = into_storage(held_integer(std::trunc(sum)), a);
  return code ? Code(clamped(*code, a.range)) : code;
}
Code mlir_generic(QuantizeIn a) {
  return zero_point_before(std::round(static_cast<double>(a.x) / static_cast<double>(a.scale)) + static_cast<double>(a.zero_point), a);
}
Code mlir_fast(QuantizeIn a) {
  return zero_point_before(std::round(static_cast<double>(a.x) / static_cast<double>(a.scale) + static_cast<double>(a.zero_point)), a);
}
Code stablehlo(QuantizeIn a) {
  const float sum = operand_float(a, operand_float(a, a.x / a.scale) + a.zero_point);
  if (std::isnan(sum)) return std::nullopt;
  const Code code = into_storage(held_integer(nearest_even(between(sum, operand_float(a, low(a)), operand_float(a, high(a))))), a);
  return code ? Code(clamped(*code, a.range)) : code;
}
Code stablehlo_interpreter(QuantizeIn a) { return or_else(xnnpack_parameters(a), clamped(std::int64_t{0}, a.range)); }

Code armnn_accelerated(QuantizeIn a) { return inverse_even_before(a); }
Code onednn(QuantizeIn a) {
  const float sum = a.x * inverse(a) + a.zero_point;
  return or_else(zero_point_before(nearest_even(between(sum, low(a), high(a))), a), a.storage.max == 255 ? a.range.min : a.range.max);
}
Code onednn_arm64(QuantizeIn a) { return zero_point_before(nearest_even(between(std::fma(a.x, inverse(a), a.zero_point), low(a), high(a))), a); }
Code opencv(QuantizeIn a) { return zero_point_before(nearest_even(a.x / a.scale + a.zero_point), a); }

/// Low bits only, for what is finite.
Code wrapped_code(double whole, QuantizeIn a) { return std::isfinite(whole) ? Code(wrapped_into(held_integer(whole), a.storage)) : Code(); }
Code ggml_eight_bits(QuantizeIn a) { return wrapped_code(nearest_away(a.x * inverse(a)), a); }
Code ggml_eight_bits_x86(QuantizeIn a) { return wrapped_code(nearest_even(a.x * (high(a) / a.magnitude)), a); }
Code ggml_four_bits(QuantizeIn a) { return wrapped_code(std::min(std::trunc(a.x * inverse(a) + a.zero_point), high(a)), a); }
Code awq(QuantizeIn a) { return zero_point_before(nearest_even((a.x + a.scale * a.zero_point) / a.scale), a); }

constexpr QuantizeVariant quantize_variant_table[] = {{"onnx", onnx},
                                                      {"onnxruntime-x64", mlas},
                                                      {"onnxruntime-arm64", mlas},
                                                      {"onnxruntime-wasm", mlas_wasm},
                                                      {"coreml", divide_even},
                                                      {"gptq", divide_even},
                                                      {"pytorch-cpu-quantize", inverse_even},
                                                      {"pytorch-scalar", pytorch_scalar},
                                                      {"torchao-affine", inverse_even},
                                                      {"pytorch-cuda-quantize", pytorch_cuda},
                                                      {"pytorch-float-zero-point", pytorch_float_zero_point},
                                                      {"pytorch-float-qparams", inverse_even_before},
                                                      {"fbgemm", fbgemm},
                                                      {"fbgemm-legacy", inverse_even_before},
                                                      {"tensorrt", tensorrt},
                                                      {"aimet", aimet},
                                                      {"tflite-quantize-ref", tflite_reference},
                                                      {"tflite-quantize-scalar", tflite_scalar},
                                                      {"tflite-quantize-simd", tflite_simd},
                                                      {"tflite-quantize-armv7", tflite_armv7},
                                                      {"tflite-hybrid-sym", tflite_symmetric},
                                                      {"tflite-hybrid-asym-portable", tflite_asymmetric},
                                                      {"tflite-hybrid-asym-neon", tflite_asymmetric_neon},
                                                      {"xnnpack-quantize", xnnpack},
                                                      {"xnnpack-quantize-arm64", xnnpack_arm64},
                                                      {"xnnpack-quantize-params", xnnpack_parameters},
                                                      {"xnnpack-quantize-reference", xnnpack_reference},
                                                      {"ynnpack", inverse_even_before},
                                                      {"migraphx-ref", migraphx_cut},
                                                      {"migraphx-ref-2024", migraphx},
                                                      {"migraphx-before-2244", migraphx_2021},
                                                      {"migraphx-gpu", migraphx_gpu},
                                                      {"rocmlir-tosa", rocmlir},
                                                      {"tvm-0.8", tvm_0_8},
                                                      {"tvm-2021-11", tvm_2021},
                                                      {"tvm-0.18", tvm_0_18},
                                                      {"tvm-0.18-constant", tvm_even},
                                                      {"tvm-main-2026", tvm_even},
                                                      {"tvm-relay-simulated", relay_simulated},
                                                      {"tvm-relay-realized", relay_realized},
                                                      {"mlir-lower-quant-ops", mlir_lowered},
                                                      {"mlir-const-generic", mlir_generic},
                                                      {"mlir-const-8bit", mlir_fast},
                                                      {"stablehlo-spec", stablehlo},
                                                      {"stablehlo-interpreter", stablehlo_interpreter},
                                                      {"armnn-cpuref", divide_away},
                                                      {"armnn-cpuacc", armnn_accelerated},
                                                      {"onednn-x64", onednn},
                                                      {"onednn-arm64", onednn_arm64},
                                                      {"opencv-dnn", opencv},
                                                      {"gguf-q8-0-ref", ggml_eight_bits},
                                                      {"gguf-q8-0-x86", ggml_eight_bits_x86},
                                                      {"gguf-q4-0-ref", ggml_four_bits},
                                                      {"awq", awq}};

}  // namespace

std::span<const QuantizeVariant> quantize_variants() { return quantize_variant_table; }

}  // namespace tiebreak::oracle
