// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tflite/tflite_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

FixedMultiplier multiplier(double factor) {
  const FixedMultiplier found = fixed_multiplier(factor);
  return found.exponent < -31 ? FixedMultiplier{} : found;
}

int held(std::int64_t v, const TfliteTensor& y) { return static_cast<int>(std::clamp<std::int64_t>(v + y.zero_point, y.least, y.greatest)); }

std::int16_t high16(std::int16_t a, std::int16_t b) {
  if (a == b && a == -32768) return 32767;
  const int product = a * b;
  return static_cast<std::int16_t>((product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15));
}

std::int16_t saturated16(int v) { return static_cast<std::int16_t>(std::clamp(v, -32768, 32767)); }

std::int16_t short_mantissa(std::int32_t mantissa) {
  return mantissa >= 0x7FFF8000 ? std::int16_t{32767} : static_cast<std::int16_t>((static_cast<std::int64_t>(mantissa) + (1 << 15)) >> 16);
}

double twice_larger(const TfliteTensor& a, const TfliteTensor& b) { return 2.0 * std::max(a.scale, b.scale); }

}  // namespace

float tflite_quotient(float a, float b) { return a / b; }

int tflite_abs(int code, const TfliteTensor& x, const TfliteTensor& y) {
  const int distance = std::abs(code - x.zero_point);
  if (x.scale == y.scale) return held(distance, y);
  return held(multiply_twice_rounded(distance, multiplier(tflite_quotient(x.scale, y.scale))), y);
}

int tflite_relu(int code, const TfliteTensor& x, const TfliteTensor& y, float low, std::optional<float> high) {
  const auto bound = [&](float real) { return y.zero_point + static_cast<int>(std::round(tflite_quotient(real, y.scale))); };
  const int least = std::max(y.least, bound(low)), greatest = high ? std::min(y.greatest, bound(*high)) : y.greatest;
  const int moved = multiply_twice_rounded(code - x.zero_point, multiplier(tflite_quotient(x.scale, y.scale))) + y.zero_point;
  return std::min(greatest, std::max(least, moved));
}

int tflite_leaky_relu(int code, const TfliteTensor& x, const TfliteTensor& y, float alpha) {
  const int distance = code - x.zero_point;
  const float slope = tflite_quotient(x.scale * alpha, y.scale);
  if (distance >= 0) return held(multiply_twice_rounded(distance, multiplier(tflite_quotient(x.scale, y.scale))), y);
  const std::int64_t moved = multiply_twice_rounded(distance, multiplier(std::abs(slope)));
  return held(slope < 0 ? -moved : moved, y);
}

int tflite_hard_swish(int code, const TfliteTensor& x, const TfliteTensor& y) {
  const float fine = (1.0f / 128.0f) * x.scale;
  const FixedMultiplier outer = multiplier(tflite_quotient(fine, y.scale)), inner = multiplier(tflite_quotient(fine, 3.0f / 32768.0f));
  const auto wide = static_cast<std::int16_t>((code - x.zero_point) * 128);
  const std::int16_t moved = high16(wide, short_mantissa(outer.mantissa));
  std::int16_t part = wide;
  if (inner.exponent > 0) part = saturated16(part * (1 << std::min(inner.exponent - 1, 15)));
  part = high16(part, short_mantissa(inner.mantissa));
  if (inner.exponent > 0) part = saturated16(part * 2);
  if (inner.exponent < 0) part = static_cast<std::int16_t>(shift_half_away(part, -inner.exponent));
  const int share = (part + (1 << 15)) >> 1;
  const int whole = share * moved / (1 << 15);
  return held(shift_half_away(whole, -outer.exponent), y);
}

int tflite_add(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs, const TfliteTensor& y, int sign) {
  const double twice = twice_larger(lhs, rhs);
  const std::int32_t left = multiply_twice_rounded((a - lhs.zero_point) * (1 << 20), multiplier(lhs.scale / twice));
  const std::int32_t right = multiply_twice_rounded((b - rhs.zero_point) * (1 << 20), multiplier(rhs.scale / twice));
  return held(multiply_twice_rounded(left + sign * right, multiplier(twice / static_cast<double>((1 << 20) * y.scale))), y);
}

int tflite_mul(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs, const TfliteTensor& y) {
  const float factor = tflite_quotient(lhs.scale * rhs.scale, y.scale);
  return held(multiply_twice_rounded((a - lhs.zero_point) * (b - rhs.zero_point), multiplier(factor)), y);
}

int tflite_squared_difference(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs, const TfliteTensor& y) {
  const double twice = twice_larger(lhs, rhs);
  const std::int32_t left = multiply_twice_rounded((a - lhs.zero_point) * 128, multiplier(lhs.scale / twice));
  const std::int32_t right = multiply_twice_rounded((b - rhs.zero_point) * 128, multiplier(rhs.scale / twice));
  return held(multiply_twice_rounded((left - right) * (left - right), multiplier(twice * twice / static_cast<double>((1 << 14) * y.scale))), y);
}

int tflite_compare(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs) {
  const std::int32_t left = multiply_twice_rounded((a - lhs.zero_point) * 256, multiplier(lhs.scale));
  const std::int32_t right = multiply_twice_rounded((b - rhs.zero_point) * 256, multiplier(rhs.scale));
  return left < right ? -1 : left > right ? 1 : 0;
}

int tflite_mean(std::int64_t sum, std::int64_t count, const TfliteTensor& x, const TfliteTensor& y) {
  FixedMultiplier by = multiplier(static_cast<double>(x.scale) / static_cast<double>(y.scale));
  int bits = 0;
  while ((count >> (bits + 1)) != 0) ++bits;
  bits = std::min({bits, 32, 31 + by.exponent});
  by.mantissa = static_cast<std::int32_t>((static_cast<std::int64_t>(by.mantissa) << bits) / count);
  by.exponent -= bits;
  return held(multiply_twice_rounded(static_cast<std::int32_t>(sum - count * x.zero_point), by), y);
}

}  // namespace tiebreak::oracle
