// SPDX-License-Identifier: Apache-2.0
// Twins that scale in f32 or f64, and the exact rational product. Compiled without contraction: every operation written is one IEEE operation.
#include <array>
#include <cmath>

#include "testsuite/oracle/quantized/requantize_variant.hpp"

namespace tiebreak::oracle {
namespace {

using Parameters = RequantizeParameters;
using Prepared = PreparedRequantize;

/// A whole float as an integer; what is not a number has none.
template <class Float>
std::int64_t integer(Float v) {
  if (std::isnan(v)) return requantize_undefined;
  if (v >= Float(0x1p61)) return far_away;
  if (v <= Float(-0x1p61)) return -far_away;
  return static_cast<std::int64_t>(v);
}
std::int64_t plus(std::int64_t v, std::int64_t zero_point) { return v == requantize_undefined ? v : v + zero_point; }
std::int64_t inside32(std::int64_t v) { return fits32(v) ? v : requantize_undefined; }

float scaled(const Prepared& p, std::int64_t acc) { return static_cast<float>(acc) * p.factor; }
float scaled_and_moved(const Prepared& p, std::int64_t acc) { return scaled(p, acc) + static_cast<float>(p.zero_point); }

std::int64_t even(const Prepared& p, std::int64_t acc) { return plus(integer(std::nearbyint(scaled(p, acc))), p.zero_point); }
std::int64_t away(const Prepared& p, std::int64_t acc) { return plus(integer(std::round(scaled(p, acc))), p.zero_point); }
std::int64_t even_before(const Prepared& p, std::int64_t acc) { return integer(std::nearbyint(scaled_and_moved(p, acc))); }
std::int64_t even_fused(const Prepared& p, std::int64_t acc) {
  return integer(std::nearbyint(std::fma(static_cast<float>(acc), p.factor, static_cast<float>(p.zero_point))));
}

/// CVTPS2DQ: what int32 does not hold becomes its least value.
std::int64_t even_x86(const Prepared& p, std::int64_t acc) {
  const float v = std::nearbyint(scaled(p, acc));
  const std::int64_t whole = v >= -0x1p31f && v < 0x1p31f ? static_cast<std::int64_t>(v) : std::numeric_limits<std::int32_t>::min();
  return whole + p.zero_point;
}

/// OpenCV: the zero point is added in int32, which wraps; a u8 result is made as an i8 one, 128 lower.
std::int64_t away_x86_moved(const Prepared& p, std::int64_t acc) {
  const float v = std::round(scaled(p, acc));
  const std::int64_t whole = v >= -0x1p31f && v < 0x1p31f ? static_cast<std::int64_t>(v) : std::numeric_limits<std::int32_t>::min();
  const std::int64_t moved = p.low == 0 && p.high == 255 ? 128 : 0;
  return wrap32(whole + p.zero_point - moved) + moved;
}

/// ONNX Runtime: the least code for what is no number on x86-64, the zero point on arm64.
std::int64_t even_or_least(const Prepared& p, std::int64_t acc) {
  const std::int64_t v = even(p, acc);
  return v == requantize_undefined ? p.low : v;
}
std::int64_t even_or_zero_point(const Prepared& p, std::int64_t acc) {
  const std::int64_t v = even(p, acc);
  return v == requantize_undefined ? p.zero_point : v;
}
/// oneDNN on x86-64: the least code of u8, the greatest of s8.
std::int64_t even_before_or_end(const Prepared& p, std::int64_t acc) {
  const std::int64_t v = even_before(p, acc);
  return v == requantize_undefined ? (p.low == 0 && p.high == 255 ? p.low : p.high) : v;
}

/// The zero point as an int32 addend of the accumulator.
float of_sum(const Prepared& p, std::int64_t acc) { return static_cast<float>(wrap32(acc + p.zero_point)) * p.factor; }
std::int64_t even_of_sum(const Prepared& p, std::int64_t acc) { return integer(std::nearbyint(of_sum(p, acc))); }
std::int64_t cut_of_sum(const Prepared& p, std::int64_t acc) { return integer(std::trunc(of_sum(p, acc))); }

/// StableHLO's contractions: truncation, or no factor at all within a thousandth of 1, then the low bits of the storage type.
std::int64_t stablehlo_main_term(const Prepared& p, std::int64_t acc) {
  std::int64_t v = acc;
  if (std::fabs(p.wide - 1.0) > 0.001) {
    v = integer(std::trunc(scaled(p, acc)));
    if (v == requantize_undefined) return v;
    v = saturate32(v);
  }
  const std::int64_t span = p.high - p.low + 1;
  const std::int64_t place = (v + p.zero_point - p.low) % span;
  return p.low + (place < 0 ? place + span : place);
}

/// Without a fused kernel: a real number in f32, quantized by division or by reciprocal.
std::int64_t divided(const Prepared& p, std::int64_t acc) {
  const float real = static_cast<float>(acc) * p.factor;
  return plus(integer(std::nearbyint(real / p.y_scale)), p.zero_point);
}
std::int64_t divided_or_least(const Prepared& p, std::int64_t acc) {
  const std::int64_t v = divided(p, acc);
  return v == requantize_undefined ? p.low : v;
}
float divided_through_f64(const Prepared& p, std::int64_t acc) {
  const auto real = static_cast<float>(static_cast<double>(acc) * static_cast<double>(p.factor));
  return real / p.y_scale;
}
std::int64_t divided_f64_even(const Prepared& p, std::int64_t acc) { return plus(integer(std::nearbyint(divided_through_f64(p, acc))), p.zero_point); }
std::int64_t divided_f64_away(const Prepared& p, std::int64_t acc) { return plus(integer(std::round(divided_through_f64(p, acc))), p.zero_point); }
float by_reciprocal(const Prepared& p, std::int64_t acc) {
  const float real = static_cast<float>(acc) * p.factor;
  return real * p.second;
}
std::int64_t reciprocal_even(const Prepared& p, std::int64_t acc) { return plus(integer(std::nearbyint(by_reciprocal(p, acc))), p.zero_point); }
std::int64_t reciprocal_saturated(const Prepared& p, std::int64_t acc) {
  const std::int64_t v = integer(std::nearbyint(by_reciprocal(p, acc)));
  return v == requantize_undefined ? v : saturate32(v) + p.zero_point;
}
std::int64_t two_factors(const Prepared& p, std::int64_t acc) {
  const float sum = by_reciprocal(p, acc) + static_cast<float>(p.zero_point);
  return integer(std::nearbyint(sum));
}

/// TVM in its two float types: the zero point first, then a half that is added in the type.
template <class Float>
Float tvm_value(const Prepared& p, std::int64_t acc) {
  const Float v = static_cast<Float>(acc) * static_cast<Float>(p.wide);
  return v + static_cast<Float>(p.zero_point);
}
template <class Float>
std::int64_t tvm_upward(const Prepared& p, std::int64_t acc) {
  const Float v = tvm_value<Float>(p, acc) + Float(0.5);
  return inside32(integer(std::floor(v)));
}
template <class Float>
std::int64_t tvm_nearest(const Prepared& p, std::int64_t acc) {
  return inside32(integer(std::round(tvm_value<Float>(p, acc))));
}
template <class Float>
std::int64_t tvm_emulated(const Prepared& p, std::int64_t acc) {
  const Float v = tvm_value<Float>(p, acc);
  const Float half = v < 0 ? Float(-0.5) : Float(0.5);
  return inside32(integer(std::trunc(v + half)));
}

std::int64_t double_away(const Prepared& p, std::int64_t acc) { return plus(inside32(integer(std::round(static_cast<double>(acc) * p.wide))), p.zero_point); }

/// acc * x * w / y without any rounding but the last: the mantissas of three floats and one power of two.
std::int64_t exact_even(const Prepared& p, std::int64_t acc) {
  int x_exponent = 0, w_exponent = 0, y_exponent = 0;
  auto whole = [](float v, int& exponent) { return static_cast<std::int64_t>(std::frexp(v, &exponent) * 0x1p24f); };
  const std::int64_t x = whole(p.x_scale, x_exponent), w = whole(p.w_scale, w_exponent), y = whole(p.y_scale, y_exponent);
  const int power = x_exponent + w_exponent - 24 - y_exponent;
  Wide numerator = static_cast<Wide>(acc < 0 ? -acc : acc) * x * w, denominator = y;
  if (numerator == 0 || power < -100) return p.zero_point;
  const std::int64_t sign = acc < 0 ? -1 : 1;
  if (power > 40) return sign * far_away;
  (power < 0 ? denominator : numerator) <<= power < 0 ? -power : power;
  Wide quotient = numerator / denominator;
  const Wide twice_rest = (numerator - quotient * denominator) * 2;
  if (twice_rest > denominator || (twice_rest == denominator && (quotient & 1) != 0)) ++quotient;
  return sign * static_cast<std::int64_t>(std::min<Wide>(quotient, far_away)) + p.zero_point;
}

void f32_factor(const Parameters& s, Prepared& p) { p.factor = ratio_f32(s); }
void f64_factor(const Parameters& s, Prepared& p) { p.wide = ratio_f64(s), p.factor = static_cast<float>(p.wide); }
void f64_factor_of_f32(const Parameters& s, Prepared& p) { p.wide = ratio_f64_of_f32(s); }
void product_and_reciprocal(const Parameters& s, Prepared& p) { p.factor = s.x_scale * s.w_scale, p.second = 1.0f / s.y_scale; }
void inverses(const Parameters& s, Prepared& p) { p.factor = 1.0f / s.y_scale / (1.0f / s.x_scale * (1.0f / s.w_scale)); }
void no_factor(const Parameters&, Prepared&) {}

/// A processor that takes subnormal operands as zero and makes zeros of results below the least normal number, before they are rounded to fewer digits.
float normal(float v) { return std::fabs(v) < 0x1p-126f ? 0.0f : v; }
float flushed(double v) { return std::fabs(v) < 0x1p-126 - 0x1p-151 ? 0.0f : static_cast<float>(v); }
void f32_factor_without_subnormals(const Parameters& s, Prepared& p) {
  const float product = flushed(static_cast<double>(normal(s.x_scale)) * static_cast<double>(normal(s.w_scale)));
  p.factor = flushed(static_cast<double>(product) / static_cast<double>(normal(s.y_scale)));
}

constexpr std::array float_twins{
    twin_of<no_factor, exact_even>("reference"),
    twin_of<no_factor, exact_even>("onnx"),
    twin_of<f32_factor, even>("xnnpack-fp32"),
    twin_of<f32_factor, even>("qnnpack-fp32"),
    twin_of<f32_factor, even>("pytorch-qnnpack"),
    twin_of<f32_factor, even>("fbgemm"),
    twin_of<f32_factor, even_x86>("fbgemm-vector"),
    twin_of<f32_factor, even_or_least>("onnxruntime-x64"),
    twin_of<f32_factor, even_or_zero_point>("onnxruntime-arm64"),
    twin_of<product_and_reciprocal, divided_or_least>("onnxruntime-unfused"),
    twin_of<f32_factor, away>("armnn-cpuref"),
    twin_of<f32_factor_without_subnormals, away_x86_moved>("opencv-dnn"),
    twin_of<f32_factor, even_before>("onednn-v2"),
    twin_of<inverses, even_before>("pytorch-onednn"),
    twin_of<f32_factor, even_before_or_end>("onednn-x64"),
    twin_of<f32_factor, even_fused>("onednn-arm64"),
    twin_of<product_and_reciprocal, two_factors>("onednn-v3"),
    twin_of<f64_factor, even_before>("stablehlo-interpreter"),
    twin_of<f64_factor, stablehlo_main_term>("stablehlo-interpreter-dot"),
    twin_of<f64_factor, double_away>("tflite-int16-double"),
    twin_of<product_and_reciprocal, divided_f64_even>("migraphx-ref"),
    twin_of<product_and_reciprocal, divided_f64_away>("migraphx-before-2244"),
    twin_of<product_and_reciprocal, divided>("migraphx-gpu"),
    twin_of<product_and_reciprocal, reciprocal_saturated>("rocmlir-tosa"),
    twin_of<product_and_reciprocal, reciprocal_even>("tensorrt"),
    twin_of<f32_factor, even_of_sum>("rocmlir-990"),
    twin_of<f32_factor, cut_of_sum>("composable-kernel"),
    twin_of<f64_factor_of_f32, tvm_upward<float>>("tvm-0.18-f32-upward"),
    twin_of<f64_factor_of_f32, tvm_nearest<float>>("tvm-0.18-f32-tonearest"),
    twin_of<f64_factor_of_f32, tvm_emulated<float>>("tvm-0.18-f32-tonearest-emulated"),
    twin_of<f64_factor_of_f32, tvm_upward<double>>("tvm-0.18-f64-upward"),
    twin_of<f64_factor_of_f32, tvm_nearest<double>>("tvm-0.18-f64-tonearest"),
    twin_of<f64_factor_of_f32, tvm_emulated<double>>("tvm-0.18-f64-tonearest-emulated"),
};

}  // namespace

std::span<const RequantizeTwin> requantize_float_twins() { return float_twins; }

}  // namespace tiebreak::oracle
