// SPDX-License-Identifier: Apache-2.0
// See the header. A double that becomes f16 is rounded once, by the tables of float_oracle; a float is rounded to f16 by encode.
#include "testsuite/oracle/quantized/dequantize_variants.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/float_oracle.hpp"
#include "testsuite/oracle/quantized/migraphx.hpp"

namespace tiebreak::oracle {
namespace {

using DequantizeIn = const DequantizeArguments&;

float result_float(DequantizeIn a, float v) { return a.half ? rounded_to_f16(v) : v; }
float own_of_double(DequantizeIn a, double v) {
  if (!a.half) return static_cast<float>(v);
  static const FloatTable table("f16");
  return static_cast<float>(table.value(*table.round(v, "rne", "format")));
}
std::int64_t difference(DequantizeIn a) { return a.code - a.zero_point; }
std::int32_t wrapped_difference(DequantizeIn a) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(difference(a))); }
/// A whole number as a float of the result's format, rounded once.
float own_of_integer(DequantizeIn a, std::int64_t v) { return own_of_double(a, static_cast<double>(v)); }

float in_f32(DequantizeIn a) { return result_float(a, static_cast<float>(difference(a)) * a.scale); }
float wrapping(DequantizeIn a) { return result_float(a, static_cast<float>(wrapped_difference(a)) * a.scale); }
float clamped_to_f16(DequantizeIn a) {
  const float v = static_cast<float>(wrapped_difference(a)) * a.scale;
  return result_float(a, a.half ? std::clamp(v, -65504.0f, 65504.0f) : v);
}
float in_f64(DequantizeIn a) { return own_of_double(a, static_cast<double>(difference(a)) * static_cast<double>(a.scale)); }
/// The product in f64, of which an f32 and then the upper digits are kept.
float in_f64_cut(DequantizeIn a) {
  const auto product = static_cast<float>(static_cast<double>(difference(a)) * static_cast<double>(a.scale));
  return a.half ? static_cast<float>(f16_cut(product)) : product;
}
float in_own(DequantizeIn a) { return result_float(a, own_of_integer(a, difference(a)) * result_float(a, a.scale)); }
float own_difference(DequantizeIn a) {
  return result_float(a, result_float(a, own_of_integer(a, a.code) - own_of_integer(a, a.zero_point)) * result_float(a, a.scale));
}
float storage_difference(DequantizeIn a) {
  const std::int64_t count = a.storage.max - a.storage.min + 1;
  const std::int64_t wrapped = a.storage.min + (((difference(a) - a.storage.min) % count) + count) % count;
  return result_float(a, own_of_integer(a, wrapped) * result_float(a, a.scale));
}
float fused(DequantizeIn a) { return result_float(a, std::fma(static_cast<float>(a.code), a.scale, -static_cast<float>(a.zero_point) * a.scale)); }
float from_minimum(DequantizeIn a) { return result_float(a, static_cast<float>(a.code) * a.scale + a.minimum); }

constexpr DequantizeVariant dequantize_variant_table[] = {{"onnx", in_own},
                                                          {"onnxruntime-x64", wrapping},
                                                          {"stablehlo-spec", in_own},
                                                          {"stablehlo-interpreter", wrapping},
                                                          {"tflite-quantize-ref", in_f64},
                                                          {"tflite-dequantize-channel", in_f32},
                                                          {"tvm-0.8", wrapping},
                                                          {"tvm-0.18", clamped_to_f16},
                                                          {"tvm-main-2026", clamped_to_f16},
                                                          {"migraphx-ref", in_f64_cut},
                                                          {"migraphx-ref-2024", in_f64},
                                                          {"migraphx-before-2244", in_f64},
                                                          {"migraphx-gpu", own_difference},
                                                          {"rocmlir-tosa", own_difference},
                                                          {"rocmlir-2023", storage_difference},
                                                          {"mlir-lower-quant-ops", own_difference},
                                                          {"pytorch-cpu-quantize", fused},
                                                          {"pytorch-cpu-quantize-tail", in_f32},
                                                          {"pytorch-scalar", wrapping},
                                                          {"gguf-q8-0-ref", in_f32},
                                                          {"gguf-q4-1-ref", from_minimum}};

}  // namespace

std::span<const DequantizeVariant> dequantize_variants() { return dequantize_variant_table; }

}  // namespace tiebreak::oracle
