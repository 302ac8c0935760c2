// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tosa/tosa_floats.hpp"

#include <cmath>

namespace tiebreak::oracle::tosa {

float greater_of(float a, float b, bool ignore) {
  if (std::isnan(a)) return ignore ? b : a;
  if (std::isnan(b)) return ignore ? a : b;
  return a >= b ? a : b;
}

float less_of(float a, float b, bool ignore) {
  if (std::isnan(a)) return ignore ? b : a;
  if (std::isnan(b)) return ignore ? a : b;
  return a < b ? a : b;
}

float clamped(float value, float low, float high, bool ignore) { return less_of(greater_of(value, low, ignore), high, ignore); }

std::int64_t place_of_greatest(const std::vector<float>& line, bool ignore) {
  // What a number is exchanged for: the greatest so far, which begins as NaN where NaN counts as the least.
  float greatest = ignore ? std::nanf("") : -INFINITY;
  std::int64_t place = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const float result = greater_of(line[i], greatest, ignore);
    if (result == greatest || (std::isnan(result) && std::isnan(greatest))) continue;
    greatest = result;
    place = static_cast<std::int64_t>(i);
  }
  return place;
}

std::optional<std::int64_t> to_integer(double value, int bits) {
  if (std::isnan(value)) return std::nullopt;
  const double end = std::ldexp(1.0, bits - 1), whole = std::nearbyint(value);
  return static_cast<std::int64_t>(whole < -end ? -end : whole > end - 1 ? end - 1 : whole);
}

}  // namespace tiebreak::oracle::tosa
