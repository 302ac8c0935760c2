// SPDX-License-Identifier: Apache-2.0
// Twins that multiply in 64 bits and round once: ruy and TensorFlow Lite with single rounding, int64 accumulators, XNNPACK rndnu and its kin, FBGEMM, TVM.
#include <array>
#include <cmath>

#include "testsuite/oracle/quantized/requantize_variant.hpp"

namespace tiebreak::oracle {
namespace {

using Parameters = RequantizeParameters;
using Prepared = PreparedRequantize;

/// v * mantissa * 2^exponent / 2^31, halves up; beyond 2^61 the sign is what counts.
std::int64_t once(const Prepared& p, std::int64_t acc) {
  const Wide product = static_cast<Wide>(acc) * p.mantissa;
  const int places = 31 - p.exponent;
  if (places > 124) return 0;
  if (places > 0) {
    const Wide v = (product + (static_cast<Wide>(1) << (places - 1))) >> places;
    return static_cast<std::int64_t>(std::clamp<Wide>(v, -far_away, far_away));
  }
  if (product == 0) return 0;
  if (places < -60) return product < 0 ? -far_away : far_away;
  const Wide limited = std::clamp<Wide>(product, -far_away, far_away);
  return static_cast<std::int64_t>(std::clamp<Wide>(limited * (static_cast<Wide>(1) << -places), -far_away, far_away));
}

/// The low 32 bits of the same.
std::int32_t once32(const Prepared& p, std::int64_t acc) {
  const Wide product = static_cast<Wide>(acc) * p.mantissa;
  const int places = 31 - p.exponent;
  if (places > 124 || places < -31) return 0;
  const Wide v = places > 0 ? (product + (static_cast<Wide>(1) << (places - 1))) >> places : product * (static_cast<Wide>(1) << -places);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(v)));
}

/// One place more than the result has, where one is added in int32; then halved.
std::int64_t of_31_bits(const Prepared& p, std::int64_t acc) {
  const Wide product = static_cast<Wide>(acc) * p.mantissa;
  const int places = 30 - p.exponent;
  const Wide v = places > 124 ? (product < 0 ? -1 : 0) : places < -31 ? 0 : places > 0 ? product >> places : product * (static_cast<Wide>(1) << -places);
  const auto doubled = static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(v)) + 1);
  return wrap32((std::int64_t{doubled} >> 1) + p.zero_point);
}

std::int64_t single_rounding(const Prepared& p, std::int64_t acc) { return wrap32(once32(p, acc) + p.zero_point); }
std::int64_t cut_then_sum(const Prepared& p, std::int64_t acc) { return once32(p, acc) + p.zero_point; }
std::int64_t uncut(const Prepared& p, std::int64_t acc) { return once(p, acc) + p.zero_point; }
std::int64_t checked(const Prepared& p, std::int64_t acc) {
  const std::int64_t v = once(p, acc);
  return fits32(v) ? v + p.zero_point : requantize_undefined;
}

/// The exact product with an f32 factor, halves away: the magnitude is rounded up from a half.
std::int64_t half_away(const Prepared& p, std::int64_t acc) {
  Prepared magnitude = p;
  const std::int64_t v = once(magnitude, acc < 0 ? -acc : acc);
  return (acc < 0 ? -v : v) + p.zero_point;
}

bool is_power_of_two(const Prepared& p) { return p.per_tensor && p.mantissa == std::int64_t{1} << 30; }

std::int64_t tvm_away(const Prepared& p, std::int64_t acc) {
  if (is_power_of_two(p) && p.exponent == 1) return wrap32(acc + p.zero_point);
  const std::int64_t v = tvm_wide(p, acc, true);
  return v == requantize_undefined ? v : wrap32(v + p.zero_point);
}

std::int64_t tvm_up(const Prepared& p, std::int64_t acc) {
  std::int64_t v = 0;
  if (is_power_of_two(p)) {
    const int k = p.exponent - 1;
    if (k > 31 || k < -31) return requantize_undefined;
    v = k >= 0 ? std::int64_t{shift_left32(acc, k)} : std::int64_t{wrap32(wrap32(acc) + (std::int64_t{1} << (-k - 1)))} >> -k;
  } else {
    v = tvm_wide(p, acc, false);
  }
  return v == requantize_undefined ? v : wrap32(v + p.zero_point);
}

void q31_capped(const Parameters& s, Prepared& p) {
  q31_far(s, p);
  if (p.exponent > 30) p.mantissa = (std::int64_t{1} << 31) - 1, p.exponent = 30;
}
void q31_of_f32_product(const Parameters& s, Prepared& p) { to_q31(ratio_f64_of_f32(s), p); }
void q8_of_f32(const Parameters& s, Prepared& p) { p.mantissa = static_cast<std::int64_t>(std::nearbyint(std::min(ratio_f32(s), 0x1p30f) * 256.0f)) << 23; }

/// 15 bits out of 31, half up, never 2^15.
void q15_reduced(const Parameters& s, Prepared& p) {
  q31_far(s, p);
  p.mantissa = (p.mantissa < 0x7FFF0000 ? (p.mantissa + (1 << 15)) >> 16 : 0x7FFF) << 16;
}

/// The same without a cap: the sum wraps.
void q15_wrapped(const Parameters& s, Prepared& p) {
  q31_far(s, p);
  p.mantissa = std::int64_t{wrap32(p.mantissa + (1 << 15)) >> 16} * (1 << 16);
}

void q15(const Parameters& s, Prepared& p) {
  const double fraction = std::frexp(ratio_f64(s), &p.exponent);
  auto multiplier = static_cast<std::int64_t>(std::round(fraction * 0x1p15));
  if (multiplier == 1 << 15) multiplier /= 2, ++p.exponent;
  p.mantissa = multiplier << 16;
}

constexpr std::array wide_twins{
    twin_of<q31_capped, single_rounding>("tflite-ref-single"),
    twin_of<q31_far, single_rounding>("tflite-ruy-single"),
    twin_of<q31_far, single_rounding>("cmsis-nn-single"),
    twin_of<q15_reduced, single_rounding>("tflite-int16x8-bias64"),
    twin_of<q15_wrapped, single_rounding>("tflite-2.3-int16x8"),
    twin_of<q15_reduced, of_31_bits>("cmsis-nn-s16"),
    twin_of<mantissa_of_f32, cut_then_sum>("xnnpack-rndnu"),
    twin_of<q8_of_f32, uncut>("xnnpack-vcvt8"),
    twin_of<q8_of_f32, uncut>("tflite-2023-xnnpack"),
    twin_of<mantissa_of_f32, uncut>("fbgemm-fixed"),
    twin_of<mantissa_of_f32, half_away>("xnnpack-rndna"),
    twin_of<mantissa_of_f32, half_away>("qnnpack-precise"),
    twin_of<q15, checked>("tosa-scale16"),
    twin_of<q31_of_f32_product, tvm_up>("tvm-0.18-int64-upward"),
    twin_of<q31_of_f32_product, tvm_away>("tvm-0.18-int64-tonearest"),
};

}  // namespace

std::span<const RequantizeTwin> requantize_wide_twins() { return wide_twins; }

}  // namespace tiebreak::oracle
