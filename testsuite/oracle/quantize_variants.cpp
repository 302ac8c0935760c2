// SPDX-License-Identifier: Apache-2.0
// See the header. Compiled without contraction; std::nearbyint in the default rounding mode is ties to even, std::round ties away.
#include "testsuite/oracle/quantize_variants.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::oracle {
namespace {

using Code = std::optional<std::int64_t>;
using In = const QuantizeArguments&;

float own(In a, float v) { return a.half ? decode(encode(v, f16, false), f16) : v; }
float inverse(In a) { return 1.0f / a.scale; }
float low(In a) { return static_cast<float>(a.range.min); }
float high(In a) { return static_cast<float>(a.range.max); }
std::int64_t whole_zero(In a) { return static_cast<std::int64_t>(a.zero_point); }

std::int64_t clamped(std::int64_t v, In a) { return std::clamp(v, a.range.min, a.range.max); }
/// A whole number of any size as an integer, far values pulled in to where saturation still sees them.
std::int64_t integer(double whole) { return static_cast<std::int64_t>(std::clamp(whole, -0x1p60, 0x1p60)); }
bool fits_int32(double whole) { return whole >= -0x1p31 && whole < 0x1p31; }

Code into_storage(std::int64_t v, In a) {
  if (v < a.storage.min || v > a.storage.max) return std::nullopt;
  return v;
}
std::int64_t wrapped(std::int64_t v, CodeRange storage) {
  const std::int64_t count = storage.max - storage.min + 1;
  return storage.min + (((v - storage.min) % count) + count) % count;
}

/// A rounded float, then the zero point as an integer, then saturation. No number, no code.
Code after(double whole, In a) {
  if (std::isnan(whole)) return std::nullopt;
  return clamped(integer(whole) + whole_zero(a), a);
}
/// A rounded float that has its zero point already.
Code before(double whole, In a) {
  if (std::isnan(whole)) return std::nullopt;
  return clamped(integer(whole), a);
}
Code after_int32(double whole, In a) { return fits_int32(whole) ? after(whole, a) : std::nullopt; }
Code or_else(Code code, std::int64_t special) { return code ? code : Code(special); }

float between(float v, float least, float greatest) { return v < least ? least : v > greatest ? greatest : v; }
/// Clamped as a float to the codes minus the zero point.
float limited(float v, In a) { return between(v, low(a) - a.zero_point, high(a) - a.zero_point); }

float even(float v) { return std::nearbyint(v); }
float away(float v) { return std::round(v); }
float half_added(float v) {
  const float sum = v < 0 ? v - 0.5f : v + 0.5f;
  return std::trunc(sum);
}

// Each system in turn.
Code divide_even(In a) { return after(even(a.x / a.scale), a); }
Code divide_away(In a) { return after(away(a.x / a.scale), a); }
Code inverse_even(In a) { return after(even(a.x * inverse(a)), a); }
Code inverse_even_before(In a) { return before(even(a.x * inverse(a) + a.zero_point), a); }
Code onnx(In a) { return after(even(own(a, a.x / a.scale)), a); }
Code mlas(In a) { return or_else(after(even(limited(a.x / a.scale, a)), a), a.range.min); }
Code mlas_wasm(In a) { return or_else(after(even(limited(a.x / a.scale, a)), a), clamped(0, a)); }
/// A float sum becomes int64; x86 has the least int64 for what does not fit and for NaN.
Code pytorch_scalar(In a) {
  const float sum = a.zero_point + even(a.x * inverse(a));
  return sum >= -0x1p63f && sum < 0x1p63f ? before(sum, a) : Code(a.range.min);
}
Code pytorch_cuda(In a) { return after(std::nearbyint(static_cast<double>(a.x) / static_cast<double>(a.scale)), a); }
Code pytorch_float_zero_point(In a) { return before(even(std::fma(a.x, inverse(a), a.zero_point)), a); }
Code fbgemm(In a) { return before(even(a.x * inverse(a)) + a.zero_point, a); }
Code tensorrt(In a) { return after(even(limited(a.x * inverse(a), a)), a); }
Code aimet(In a) {
  const float least = a.scale * (low(a) - a.zero_point), greatest = a.scale * (high(a) - a.zero_point);
  return before(away(between(a.x, std::min(least, greatest), std::max(least, greatest)) / a.scale + a.zero_point), a);
}

Code tflite_reference(In a) { return after_int32(away(a.x / a.scale), a); }
Code tflite_scalar(In a) { return after_int32(std::round(static_cast<double>(a.x) / static_cast<double>(a.scale)), a); }
Code tflite_simd(In a) { return after_int32(even(a.x * inverse(a)), a); }
Code tflite_armv7(In a) { return after_int32(half_added(a.x * inverse(a)), a); }
Code tflite_symmetric(In a) { return after(away(a.x * (high(a) / a.magnitude)), a); }
Code tflite_asymmetric(In a) { return before(away(a.zero_point + a.x * inverse(a)), a); }
Code tflite_asymmetric_neon(In a) { return after(away(a.x * inverse(a)), a); }

Code xnnpack(In a) { return or_else(after(even(limited(a.x * inverse(a), a)), a), a.range.max); }
Code xnnpack_arm64(In a) { return or_else(after(even(limited(a.x * inverse(a), a)), a), clamped(whole_zero(a), a)); }
Code xnnpack_parameters(In a) { return before(even(between(a.x / a.scale + a.zero_point, low(a), high(a))), a); }
Code xnnpack_reference(In a) { return or_else(inverse_even_before(a), clamped(0, a)); }

Code migraphx(In a) { return or_else(onnx(a), a.range.max); }
Code migraphx_2021(In a) {
  const double whole = std::round(own(a, a.x / a.scale));
  return whole >= -0x1p63 && whole < 0x1p63 ? after(whole, a) : std::nullopt;
}
Code migraphx_gpu(In a) {
  const float quotient = own(a, a.x / a.scale);
  if (std::isnan(quotient)) return a.range.min;
  return before(between(own(a, even(quotient) + a.zero_point), own(a, low(a)), own(a, high(a))), a);
}
Code rocmlir(In a) {
  const float quotient = own(a, a.x * own(a, inverse(a)));
  if (std::isnan(quotient)) return clamped(whole_zero(a), a);
  const auto whole = static_cast<std::int64_t>(std::clamp(static_cast<double>(even(quotient)), -0x1p31, 0x1p31 - 1));
  return clamped(static_cast<std::int32_t>(static_cast<std::uint32_t>(whole + whole_zero(a))), a);
}

Code tvm_0_8(In a) {
  const float whole = away(a.x / a.scale + a.zero_point);
  return fits_int32(whole) ? before(whole, a) : std::nullopt;
}
Code tvm_2021(In a) { return before(away(between(a.x / a.scale + a.zero_point, low(a), high(a))), a); }
Code tvm_0_18(In a) { return before(between(away(a.x / a.scale) + a.zero_point, low(a), high(a)), a); }
Code tvm_even(In a) { return before(between(even(a.x / a.scale) + a.zero_point, low(a), high(a)), a); }
Code relay_simulated(In a) { return after(away(limited(a.x / a.scale, a)), a); }
Code relay_realized(In a) { return after(away(a.x * inverse(a)), a); }

Code mlir_lowered(In a) {
  const auto zero = static_cast<float>(wrapped(whole_zero(a), a.storage));
  const float sum = own(a, own(a, a.x / a.scale) + zero);
  if (std::isnan(sum)) return std::nullopt;
  const Code code = into_storage(integer(std::trunc(sum)), a);
  return code ? Code(clamped(*code, a)) : code;
}
Code mlir_generic(In a) {
  return before(std::round(static_cast<double>(a.x) / static_cast<double>(a.scale)) + static_cast<double>(a.zero_point), a);
}
Code mlir_fast(In a) {
  return before(std::round(static_cast<double>(a.x) / static_cast<double>(a.scale) + static_cast<double>(a.zero_point)), a);
}
Code stablehlo(In a) {
  const float sum = own(a, own(a, a.x / a.scale) + a.zero_point);
  if (std::isnan(sum)) return std::nullopt;
  const Code code = into_storage(integer(even(between(sum, own(a, low(a)), own(a, high(a))))), a);
  return code ? Code(clamped(*code, a)) : code;
}
Code stablehlo_interpreter(In a) { return or_else(xnnpack_parameters(a), clamped(0, a)); }

Code armnn_accelerated(In a) { return inverse_even_before(a); }
Code onednn(In a) {
  const float sum = a.x * inverse(a) + a.zero_point;
  return or_else(before(even(between(sum, low(a), high(a))), a), a.storage.max == 255 ? a.range.min : a.range.max);
}
Code onednn_arm64(In a) { return before(even(between(std::fma(a.x, inverse(a), a.zero_point), low(a), high(a))), a); }
Code opencv(In a) { return before(even(a.x / a.scale + a.zero_point), a); }

/// Low bits only, for what is finite.
Code cut(double whole, In a) { return std::isfinite(whole) ? Code(wrapped(integer(whole), a.storage)) : Code(); }
Code ggml_eight_bits(In a) { return cut(away(a.x * inverse(a)), a); }
Code ggml_eight_bits_x86(In a) { return cut(even(a.x * (high(a) / a.magnitude)), a); }
Code ggml_four_bits(In a) { return cut(std::min(std::trunc(a.x * inverse(a) + a.zero_point), high(a)), a); }
Code awq(In a) { return before(even((a.x + a.scale * a.zero_point) / a.scale), a); }

constexpr QuantizeVariant variants[] = {{"onnx", onnx},
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
                                        {"migraphx-ref", migraphx},
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

std::span<const QuantizeVariant> quantize_variants() { return variants; }

}  // namespace tiebreak::oracle
