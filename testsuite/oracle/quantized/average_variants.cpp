// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "testsuite/oracle/quantized/average_variants.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

using AverageIn = const AverageArguments&;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
std::int64_t centered(AverageIn a) { return a.sum - static_cast<std::int64_t>(a.items) * a.x_zero_point; }
float joint_factor(AverageIn a) { return a.x_scale / (a.y_scale * static_cast<float>(a.items)); }

std::int64_t raw_even(AverageIn a) {
  const std::int64_t below = floor_divide(a.sum, a.items), twice = 2 * (a.sum - below * a.items);
  const bool up = twice > a.items || (twice == a.items && below % 2 != 0);
  return clamped(below + (up ? 1 : 0), a.codes);
}
std::int64_t raw_truncated(AverageIn a) { return clamped(a.sum / a.items, a.codes); }
std::int64_t tflite_pool(AverageIn a) { return clamped((a.sum > 0 ? a.sum + a.items / 2 : a.sum - a.items / 2) / a.items, a.codes); }
std::int64_t tflite_pool_unsigned(AverageIn a) { return clamped(floor_divide(a.sum + a.items / 2, a.items), a.codes); }

std::int64_t tosa_average(AverageIn a) {
  const int bits = a.items == 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint32_t>(a.items - 1)));
  const std::int64_t multiplier = (((std::int64_t{1} << 30) + 1) << bits) / a.items;
  const int shift = 30 + bits;
  const __int128 product = static_cast<__int128>(centered(a)) * multiplier + (static_cast<__int128>(1) << (shift - 1));
  return clamped(static_cast<std::int64_t>(product >> shift) + a.y_zero_point, a.codes);
}

std::int64_t float_factor(AverageIn a) {
  return clamped(static_cast<double>(std::nearbyint(static_cast<float>(centered(a)) * joint_factor(a))) + a.y_zero_point, a.codes);
}
/// The 24-bit mantissa of the factor, an exact product, halves away.
std::int64_t mantissa_factor(AverageIn a) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(joint_factor(a), &exponent), 24));
  const int shift = 24 - exponent;
  const __int128 product = static_cast<__int128>(centered(a)) * mantissa, half = static_cast<__int128>(1) << (shift - 1);
  const __int128 magnitude = ((product < 0 ? -product : product) + half) >> shift;
  return clamped(static_cast<std::int64_t>(product < 0 ? -magnitude : magnitude) + a.y_zero_point, a.codes);
}

std::int64_t tflite_mean(AverageIn a, bool twice) {
  const FixedMultiplier scales = fixed_multiplier(static_cast<double>(a.x_scale) / static_cast<double>(a.y_scale));
  const int bits = std::min({static_cast<int>(std::bit_width(static_cast<std::uint32_t>(a.items))) - 1, 32, 31 + scales.exponent});
  const FixedMultiplier mean{static_cast<std::int32_t>((static_cast<std::int64_t>(scales.mantissa) << bits) / a.items), scales.exponent - bits};
  const std::int64_t value = twice ? multiply_twice_rounded(static_cast<std::int32_t>(centered(a)), mean) : multiply_once_rounded(centered(a), mean);
  return clamped(value + a.y_zero_point, a.codes);
}
std::int64_t tflite_mean_double(AverageIn a) { return tflite_mean(a, true); }
std::int64_t tflite_mean_single(AverageIn a) { return tflite_mean(a, false); }

std::int64_t tflite_mean_optimized(AverageIn a) {
  const float zero = static_cast<float>(a.x_zero_point) * a.x_scale / a.y_scale;
  const auto bias = static_cast<std::int64_t>(zero < 0 ? zero - 0.5f : zero + 0.5f);
  return clamped(multiply_twice_rounded(static_cast<std::int32_t>(a.sum), fixed_multiplier(static_cast<double>(joint_factor(a)))) + a.y_zero_point - bias,
                 a.codes);
}
std::int64_t tflite_mean_float(AverageIn a) {
  const float ratio = a.x_scale / a.y_scale, bias = static_cast<float>(-a.x_zero_point) * ratio;
  const float mean = static_cast<float>(a.sum) / static_cast<float>(a.items);
  const float rounded = std::round(mean * ratio + bias);
  return clamped(static_cast<double>(rounded + static_cast<float>(a.y_zero_point)), a.codes);
}

constexpr AverageVariant average_variant_table[] = {{"onednn-x64", raw_even},
                                                    {"tvm-0.18", raw_truncated},
                                                    {"tflite-average-pool", tflite_pool},
                                                    {"tflite-average-pool-u8", tflite_pool_unsigned},
                                                    {"tosa-1.0", tosa_average},
                                                    {"onnxruntime-x64", float_factor},
                                                    {"xnnpack-quantize", float_factor},
                                                    {"qnnpack-add", mantissa_factor},
                                                    {"tflite-quantize-ref", tflite_mean_double},
                                                    {"tflite-single-add", tflite_mean_single},
                                                    {"tflite-mean-optimized", tflite_mean_optimized},
                                                    {"tflite-mean-float", tflite_mean_float}};

}  // namespace

std::span<const AverageVariant> average_variants() { return average_variant_table; }

}  // namespace tiebreak::oracle
