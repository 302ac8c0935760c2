// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "testsuite/oracle/quantized/block_variants.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"
#include "testsuite/oracle/float_oracle.hpp"

namespace tiebreak::oracle {
namespace {

/// The largest finite value, and how many digits a value of its binade has after the first.
struct ElementLimits {
  double largest;
  int digits;
};
ElementLimits limits_of(const FloatTable& table) {
  const std::vector<double>& grid = table.grid();  // the last entry lies one step beyond the largest value
  const double largest = grid[grid.size() - 2], step = grid[grid.size() - 1] - largest;
  return {largest, std::ilogb(largest) - std::ilogb(step)};
}

int exponent_by_rule(float top, const ElementLimits& element, std::string_view rule) {
  const int largest_exponent = std::ilogb(element.largest), exponent = std::ilogb(top);
  if (rule == "floor") return exponent - largest_exponent;
  if (rule == "of_log2f") return static_cast<int>(std::floor(std::log2(top))) - largest_exponent;
  if (rule == "even") return std::ilogb(static_cast<double>(top) + std::ldexp(1.0, exponent - element.digits - 1)) - largest_exponent;
  if (rule == "ceil") return exponent + (static_cast<double>(top) == std::ldexp(1.0, exponent) ? 0 : 1) - largest_exponent;
  if (rule == "ratio_up") {
    const float ratio = top / static_cast<float>(element.largest);
    if (ratio <= 0x1p-127f) return -127;
    return std::ilogb(ratio) + (static_cast<double>(ratio) == std::ldexp(1.0, std::ilogb(ratio)) ? 0 : 1);
  }
  const double limit = element.largest + std::ldexp(1.0, largest_exponent - element.digits - 1);
  int fit = -200;
  while (static_cast<double>(top) > std::ldexp(limit, fit) || (static_cast<double>(top) == std::ldexp(limit, fit) && element.largest != 448)) ++fit;
  return fit;
}

/// The first of the format's magnitudes, from zero up, that none after it is nearer than; zero has no sign.
double searched(double v, const std::vector<double>& grid) {
  double best = 0;
  for (std::size_t i = 0; i + 1 < grid.size(); ++i)
    if (std::abs(std::abs(v) - grid[i]) < std::abs(std::abs(v) - best)) best = grid[i];
  return v < 0 && best != 0 ? -best : best;
}

}  // namespace

MxBlock mx_block(std::span<const float> x, std::string_view element, std::string_view rule, std::string_view tie) {
  const FloatTable table(element);
  float top = 0;
  for (float v : x) top = std::max(top, std::fabs(v));
  MxBlock block;
  block.scale_exponent = std::clamp(exponent_by_rule(top, limits_of(table), rule), -127, 127);
  for (float v : x) {
    const double scaled = std::ldexp(static_cast<double>(v), -block.scale_exponent);
    block.values.push_back(tie == "zero" ? searched(scaled, table.grid()) : table.value(*table.round(scaled, tie == "away" ? "rna" : "rne", "saturate")));
  }
  return block;
}

std::int64_t mean_of_each_element(std::span<const std::int32_t> x, const RowParameters& p) {
  const bool same = p.x_scale == p.y_scale && p.x_zero_point == p.y_zero_point;
  const FixedMultiplier by = fixed_multiplier(static_cast<double>(p.x_scale) / static_cast<double>(p.y_scale));
  std::int64_t sum = 0;
  for (std::int32_t code : x) sum += same ? code : multiply_once_rounded(code - p.x_zero_point, by) + p.y_zero_point;
  return std::clamp(sum / static_cast<std::int64_t>(x.size()), p.codes.min, p.codes.max);
}

std::int64_t mean_of_floats(std::span<const std::int32_t> x, const RowParameters& p) {
  float sum = 0;
  for (std::int32_t code : x) sum += static_cast<float>(code - p.x_zero_point) * p.x_scale;
  const float mean = sum / static_cast<float>(x.size());
  return clamped(static_cast<double>(std::nearbyint(mean / p.y_scale + static_cast<float>(p.y_zero_point))), p.codes);
}

float simulated(float x, float scale) { return std::round(std::clamp(x / scale, -127.0f, 127.0f)) * scale; }

float fake_quant_from_least(float x, float scale, std::int64_t zero_point, CodeRange codes) {
  const float low = static_cast<float>(codes.min - zero_point) * scale, high = static_cast<float>(codes.max - zero_point) * scale;
  const float steps = std::round((std::clamp(x, low, high) - low) * (1.0f / scale));
  return steps * scale + low;
}

std::int64_t bias_code(float value, double x_scale, double w_scale) {
  return clamped(std::round(static_cast<double>(value) / (x_scale * w_scale)), {INT32_MIN, INT32_MAX});
}
std::int64_t bias_code_legacy(float value, double x_scale, double w_scale) {
  const float inverse = 1.0f / static_cast<float>(x_scale * w_scale);
  return clamped(static_cast<double>(std::round(value * inverse)), {-INT32_MAX, INT32_MAX});
}

std::int64_t activation_bound(float bound, float scale, std::int32_t zero_point, CodeRange codes) {
  return clamped(static_cast<double>(std::round(bound / scale)) + zero_point, codes);
}

}  // namespace tiebreak::oracle
