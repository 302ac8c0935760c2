// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/quantized/rescale_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tiebreak::oracle {

std::optional<std::int64_t> rescale(std::int64_t value, const Rescale& rule) {
  const std::int64_t v = value - rule.input_zero_point;
  if (rule.multiplier < 0 || rule.shift < 2 || rule.shift > 62) return std::nullopt;
  const std::int64_t limit = std::int64_t{1} << (rule.shift - 1);
  if (rule.scale32 && (v < -limit || v >= limit)) return std::nullopt;
  std::int64_t round = limit;
  if (rule.rounding == RescaleRounding::twice && rule.shift > 31) round += v >= 0 ? std::int64_t{1} << 30 : -(std::int64_t{1} << 30);
  const std::int64_t moved = ((v * rule.multiplier + round) >> rule.shift) + rule.output_zero_point;
  if (moved < std::numeric_limits<std::int32_t>::min() || moved > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return std::clamp(moved, rule.low, rule.high);
}

RescaleInterval inexact_rescale(std::int64_t value, const Rescale& rule) {
  const double real = std::ldexp(static_cast<double>(value - rule.input_zero_point) * rule.multiplier, -rule.shift);
  // Exact enough in long double: 64 bits hold the sum of two doubles of this size.
  const long double middle = static_cast<long double>(real) + static_cast<long double>(rule.output_zero_point);
  const long double slack = 0.5L + (3 * std::fabs(static_cast<long double>(real)) + std::fabs(middle)) * 0x1p-24L;
  auto code = [&](long double v) { return static_cast<std::int64_t>(std::clamp(v, static_cast<long double>(rule.low), static_cast<long double>(rule.high))); };
  return {code(std::ceil(middle - slack)), code(std::floor(middle + slack))};
}

}  // namespace tiebreak::oracle
