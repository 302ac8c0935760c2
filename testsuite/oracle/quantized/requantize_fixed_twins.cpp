// SPDX-License-Identifier: Apache-2.0
// Twins with 31-bit mantissas and two roundings, or one in int32 steps: gemmlowp and TensorFlow Lite, CMSIS-NN, QNNPACK q31, XNNPACK rndnu16, TVM's vectors.
#include <array>
#include <cmath>

#include "testsuite/oracle/quantized/requantize_variant.hpp"

namespace tiebreak::oracle {
namespace {

using Parameters = RequantizeParameters;
using Prepared = PreparedRequantize;

/// The high half of the doubled product, as gemmlowp writes it: a nudge of the product's sign, then a division that cuts.
std::int32_t doubling_high_product(std::int32_t a, std::int32_t b) {
  if (a == b && a == std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t product = static_cast<std::int64_t>(a) * b;
  const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
  return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

/// A rounding shift by remainder and threshold; halves away from zero.
std::int32_t shift_by_threshold(std::int32_t v, int places) {
  if (places > 62) return 0;
  const std::int64_t mask = (std::int64_t{1} << places) - 1;
  const std::int64_t rest = static_cast<std::int64_t>(v) & mask;
  const std::int64_t threshold = (mask >> 1) + (v < 0 ? 1 : 0);
  return static_cast<std::int32_t>((static_cast<std::int64_t>(v) >> places) + (rest > threshold ? 1 : 0));
}

/// A rounding shift by a nudge; halves up.
std::int64_t shift_half_up(std::int64_t v, int places) {
  if (places == 0) return v;
  return places > 62 ? 0 : (v + (std::int64_t{1} << (places - 1))) >> places;
}

std::int32_t left_shifted(const Prepared& p, std::int64_t acc) { return shift_left32(acc, std::max(p.exponent, 0)); }
int right_places(const Prepared& p) { return std::max(-p.exponent, 0); }
std::int32_t mantissa32(const Prepared& p) { return static_cast<std::int32_t>(p.mantissa); }

std::int32_t two_stages(const Prepared& p, std::int64_t acc) {
  return shift_by_threshold(doubling_high_product(left_shifted(p, acc), mantissa32(p)), right_places(p));
}
std::int64_t two_stages_up(const Prepared& p, std::int64_t acc) {
  return shift_half_up(doubling_high_product(left_shifted(p, acc), mantissa32(p)), right_places(p));
}

std::int64_t double_rounding(const Prepared& p, std::int64_t acc) { return wrap32(two_stages(p, acc) + p.zero_point); }
std::int64_t double_rounding_exact_sum(const Prepared& p, std::int64_t acc) { return two_stages(p, acc) + p.zero_point; }
std::int64_t double_rounding_up(const Prepared& p, std::int64_t acc) { return wrap32(two_stages_up(p, acc) + p.zero_point); }

/// Processors that look at the low five bits of a shift's count.
std::int64_t double_rounding_masked(const Prepared& p, std::int64_t acc) {
  const auto left = wrap32(acc << (p.exponent > 0 ? p.exponent & 31 : 0));
  return wrap32(shift_by_threshold(doubling_high_product(left, mantissa32(p)), right_places(p)) + p.zero_point);
}

/// The shift to the left stops at the ends of int32 instead of wrapping. It is a product with `1 << left` of 32 bits, which is negative for 31.
std::int64_t double_rounding_saturated(const Prepared& p, std::int64_t acc) {
  const int left = std::max(p.exponent, 0);
  const std::int64_t shifted = left > 31 ? (acc > 0   ? std::numeric_limits<std::int32_t>::max()
                                            : acc < 0 ? std::numeric_limits<std::int32_t>::min()
                                                      : 0)
                                         : saturate32(acc * (left == 31 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} : std::int64_t{1} << left));
  return wrap32(shift_by_threshold(doubling_high_product(static_cast<std::int32_t>(shifted), mantissa32(p)), right_places(p)) + p.zero_point);
}

std::int64_t floor_then_up(const Prepared& p, std::int64_t acc) {
  const std::int64_t high = (static_cast<std::int64_t>(left_shifted(p, acc)) * p.mantissa) >> 31;
  return wrap32(shift_half_up(high, right_places(p)) + p.zero_point);
}

std::int64_t mve_tail(const Prepared& p, std::int64_t acc) {
  const int right = std::min(-1, p.exponent);
  const std::int32_t left = shift_left32(acc, p.exponent - right);
  return wrap32(shift_half_up(doubling_high_product(left, mantissa32(p)), -right) + p.zero_point);
}

/// Saturating shift to the left, doubling product that is cut, rounding shift to the right by one place at least.
std::int64_t saturating_stage(const Prepared& p, std::int64_t acc) {
  const int right = std::max(-p.exponent, 1), left = p.exponent + right;
  const std::int64_t shifted = left > 31 ? (acc > 0   ? std::numeric_limits<std::int32_t>::max()
                                            : acc < 0 ? std::numeric_limits<std::int32_t>::min()
                                                      : 0)
                                         : saturate32(acc * (std::int64_t{1} << left));
  return shift_half_up((shifted * p.mantissa) >> 31, right) + p.zero_point;
}

/// A first shift that rounds to the right and saturates to the left, then a product of 16 bits that rounds (PMULHRSW).
std::int64_t narrow_stages(const Prepared& p, std::int64_t acc) {
  std::int64_t v = acc;
  if (p.exponent < 0) v = shift_half_up(v, -p.exponent);
  else v = p.exponent > 31 ? (v > 0 ? 32767 : v < 0 ? -32768 : 0) : v * (std::int64_t{1} << p.exponent);
  v = std::clamp<std::int64_t>(v, -32768, 32767);
  const std::int64_t multiplier = p.mantissa >> 16;
  return ((v * multiplier + (1 << 14)) >> 15) + p.zero_point;
}

bool is_one(const Prepared& p) { return p.per_tensor && p.mantissa == std::int64_t{1} << 30 && p.exponent == 1; }

bool shifts_in_32(const Prepared& p) { return p.exponent >= -32 && p.exponent <= 31; }

std::int64_t tvm_aarch64(const Prepared& p, std::int64_t acc) {
  if (is_one(p)) return wrap32(acc + p.zero_point);
  if (p.per_tensor && !shifts_in_32(p)) return requantize_undefined;
  const std::int64_t v = p.per_tensor ? two_stages_up(p, wrap32(acc)) : tvm_wide(p, acc, false);
  return v == requantize_undefined ? v : wrap32(v + p.zero_point);
}

std::int64_t tvm_hexagon(const Prepared& p, std::int64_t given) {
  const std::int64_t acc = wrap32(given);
  if (is_one(p)) return wrap32(acc + p.zero_point);
  if (!shifts_in_32(p)) return requantize_undefined;
  if (p.exponent >= 0) return wrap32(wrap32((static_cast<std::int64_t>(left_shifted(p, acc)) * p.mantissa + (std::int64_t{1} << 30)) >> 31) + p.zero_point);
  const int places = -p.exponent;
  const std::int64_t high = (acc * p.mantissa) >> 31;
  const std::int32_t sum = wrap32(high + (std::int64_t{1} << (places - 1)));
  return wrap32((places > 31 ? (sum < 0 ? -1 : 0) : sum >> places) + p.zero_point);
}

/// TOSA: one constant does both roundings; undefined where the accumulator is too large for the shift.
bool tosa_fits(int shift, std::int64_t acc) {
  return shift >= 2 && shift <= 62 && acc >= -(std::int64_t{1} << (shift - 1)) && acc < (std::int64_t{1} << (shift - 1));
}
template <bool twice>
std::int64_t tosa(const Prepared& p, std::int64_t acc) {
  const int shift = 31 - p.exponent;
  if (!tosa_fits(shift, acc)) return requantize_undefined;
  std::int64_t round = std::int64_t{1} << (shift - 1);
  if (twice && shift > 31) round += acc >= 0 ? std::int64_t{1} << 30 : -(std::int64_t{1} << 30);
  return ((acc * p.mantissa + round) >> shift) + p.zero_point;
}

void q31_far_of_f32(const Parameters& s, Prepared& p) { to_q31(ratio_f64_of_f32(s), p), flush_far(p); }
void q31_of_f32_factor(const Parameters& s, Prepared& p) { to_q31(static_cast<double>(ratio_f32(s)), p); }
void q31_of_f32_not_small(const Parameters& s, Prepared& p) {
  if (!(ratio_f32(s) < 0.00001f)) q31_of_f32_factor(s, p);
}
void q31_any(const Parameters& s, Prepared& p) { to_q31(ratio_f64(s), p); }
void q31_any_of_f32(const Parameters& s, Prepared& p) { to_q31(ratio_f64_of_f32(s), p); }
void q31_below_one(const Parameters& s, Prepared& p) { q31_any(s, p), p.refused = ratio_f64(s) >= 1; }
void q31_converter(const Parameters& s, Prepared& p) {
  q31_any(s, p);
  if (ratio_f64(s) < 1e-6 || p.exponent < -31 || p.exponent > 31) p.mantissa = p.exponent = 0;
}

/// frexp by integers: the 53-bit fraction loses 22 bits, and exactly half of them is not enough to round up.
void q31_down(const Parameters& s, Prepared& p) {
  const double fraction = std::frexp(ratio_f64(s), &p.exponent);
  const auto bits = static_cast<std::int64_t>(fraction * 0x1p53);
  p.mantissa = (bits >> 22) + ((bits & 0x3fffff) > 0x200000 ? 1 : 0);
  if (p.mantissa == std::int64_t{1} << 31) p.mantissa /= 2, ++p.exponent;
  flush_far(p);
}

/// 15 bits of an f32 factor, half up.
void q15_of_f32(const Parameters& s, Prepared& p) {
  const float fraction = std::frexp(ratio_f32(s), &p.exponent);
  std::int64_t multiplier = (static_cast<std::int64_t>(fraction * 0x1p24f) + (1 << 8)) >> 9;
  if (multiplier == 1 << 15) multiplier /= 2, ++p.exponent;
  p.mantissa = multiplier << 16;
}

/// The same with 2^15 made 2^15 - 1.
void q15_capped(const Parameters& s, Prepared& p) {
  const float fraction = std::frexp(ratio_f32(s), &p.exponent);
  p.mantissa = std::min<std::int64_t>((static_cast<std::int64_t>(fraction * 0x1p24f) + (1 << 8)) >> 9, 32767) << 16;
}

/// A shift of more than 62 places is taken out of the multiplier.
void q31_for_tosa(const Parameters& s, Prepared& p) {
  q31_any(s, p);
  const int shift = 31 - p.exponent;
  if (shift <= 62) return;
  p.mantissa >>= std::min(31, shift - 62);
  p.exponent = -31;
}

/// TensorFlow Lite's delegate: XNNPACK's conversion, with 8 fractional bits of the factor, where both types are one and the factor is from 1/256 to 128;
/// else the builtin kernel.
void q8_or_q31(const Parameters& s, Prepared& p) {
  q31_far(s, p);
  const float ratio = ratio_f32(s);
  if (s.same_type && ratio >= 0x1p-8f && ratio <= 0x1p7f) p.factor = std::nearbyint(256.0f * ratio);
}
std::int64_t converted_or_builtin(const Prepared& p, std::int64_t acc) {
  if (p.factor == 0) return double_rounding_masked(p, acc);
  return ((acc * static_cast<std::int64_t>(p.factor) + 128) >> 8) + p.zero_point;
}

constexpr std::array fixed_twins{
    twin_of<q31_far, double_rounding>("tflite-ref-double"),
    twin_of<q31_far, double_rounding>("tflite-builtin"),
    twin_of<q31_far_of_f32, double_rounding>("tflite-ref-double-fc"),
    twin_of<q31_far, double_rounding_up>("tflite-neon-4rows"),
    twin_of<q31_far, floor_then_up>("tflite-avx2-utils"),
    twin_of<q31_down, double_rounding>("tflite-emulated-float"),
    twin_of<q31_converter, double_rounding>("tflite-converter"),
    twin_of<q31_far, double_rounding>("tflm-cmsis-nn"),
    twin_of<q31_far, double_rounding>("cmsis-nn"),  // sums of 32 bits; those of 64 have the twin of cmsis-nn-s16
    twin_of<q31_far, double_rounding_masked>("tflite-2023-builtin"),
    twin_of<q8_or_q31, converted_or_builtin>("litert-xnnpack"),
    twin_of<q31_far, mve_tail>("cmsis-nn-mve-tail"),
    twin_of<q31_any, double_rounding>("gemmlowp"),
    twin_of<q31_any, double_rounding>("gemmlowp-legacy"),
    twin_of<q31_any, double_rounding_saturated>("gemmlowp-portable"),
    twin_of<q31_of_f32_not_small, double_rounding_exact_sum>("armnn-cpuacc"),
    twin_of<mantissa_of_f32, double_rounding_exact_sum>("qnnpack-q31"),
    twin_of<q15_of_f32, narrow_stages>("xnnpack-rndnu16"),
    twin_of<q15_capped, narrow_stages>("xnnpack-rndnu16-capped"),
    twin_of<mantissa_of_f32, saturating_stage>("xnnpack-rndnu-neon"),
    twin_of<mantissa_of_f32, saturating_stage>("xnnpack-arm64"),
    twin_of<q31_below_one, double_rounding>("fxpmath"),
    twin_of<q31_any_of_f32, tvm_aarch64>("tvm-0.18-aarch64"),
    twin_of<q31_any_of_f32, tvm_hexagon>("tvm-0.18-hexagon"),
    twin_of<q31_for_tosa, tosa<false>>("tosa-single"),
    twin_of<q31_for_tosa, tosa<true>>("tosa-double"),
};

}  // namespace

std::span<const RequantizeTwin> requantize_fixed_twins() { return fixed_twins; }

std::int64_t requantize_legacy(std::int32_t accumulator, std::int32_t offset, std::int32_t multiplier, int shift, std::int64_t low, std::int64_t high) {
  const std::int32_t product = wrap32((static_cast<std::int64_t>(accumulator) + offset) * multiplier);
  return std::clamp<std::int64_t>(shift_by_threshold(product, shift), low, high);
}

}  // namespace tiebreak::oracle
