// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/vendor_paths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tiebreak::oracle {
namespace {

float without_subnormals(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? 0.0f : value; }

}  // namespace

double dequantized_code(const DequantizedSum& sum) {
  float total = 0;
  for (std::size_t i = 0; i < sum.x.size(); ++i) {
    const float x = static_cast<float>(sum.x[i]) * sum.x_scale, w = static_cast<float>(sum.w[i]) * sum.w_scale;
    const float product = x * w;
    total += product;
  }
  const float unit = sum.x_scale * sum.w_scale;
  const float bias = static_cast<float>(sum.bias) * unit;
  total += bias;
  return std::round(static_cast<double>(total / sum.y_scale)) + sum.y_zero_point;
}

std::int32_t moved_code(float x, float scale, std::int32_t zero_point, bool is_signed, bool fused) {
  const std::int32_t middle = is_signed ? 0 : 128;
  const float inverse = without_subnormals(1.0f / without_subnormals(scale)), offset = static_cast<float>(zero_point - middle);
  const float product = without_subnormals(x) * inverse;
  const float moved = fused ? std::fma(without_subnormals(x), inverse, offset) : product + offset;
  const float whole = std::nearbyint(moved);
  if (!(whole >= -2147483648.0f && whole < 2147483648.0f)) return is_signed ? -128 : 0;
  return std::clamp(static_cast<std::int32_t>(whole), -128, 127) + middle;
}

std::int32_t folded_sum(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& w, std::int32_t x_zero_point, std::int32_t bias, bool is_signed) {
  const std::int32_t middle = is_signed ? 0 : 128;
  double weights = 0;
  for (std::int32_t weight : w) weights += weight;
  const double folded = bias - (x_zero_point - middle) * weights;
  const bool fits = folded >= -2147483648.0 && folded < 2147483648.0;
  auto sum = static_cast<std::uint32_t>(fits ? static_cast<std::int32_t>(folded) : std::numeric_limits<std::int32_t>::min());
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<std::uint32_t>((x[i] - middle) * w[i]);
  return static_cast<std::int32_t>(sum);
}

double float_bias_code(std::int32_t bias, float x_scale, float w_scale, float y_scale, std::int32_t y_zero_point) {
  const float unit = (1.0f / x_scale) * (1.0f / w_scale);
  const auto real = static_cast<float>(static_cast<double>(bias) * static_cast<double>(x_scale * w_scale));
  const float scaled = real * unit * ((1.0f / y_scale) / unit);
  return static_cast<double>(std::nearbyint(scaled + static_cast<float>(y_zero_point)));
}

std::int32_t sum_through_float(std::int64_t sum) {
  const auto held = static_cast<float>(sum);
  if (held >= 2147483648.0f) return std::numeric_limits<std::int32_t>::max();
  if (held < -2147483648.0f) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(held);
}

}  // namespace tiebreak::oracle
