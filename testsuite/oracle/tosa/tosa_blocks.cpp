// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tosa/tosa_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::oracle::tosa {

SmallFormat::SmallFormat(int exponent_bits, int fraction_bits, int tops) {
  const int bias = (1 << (exponent_bits - 1)) - 1, fractions = 1 << fraction_bits;
  for (int code = 0; code < (1 << (exponent_bits + fraction_bits)) - tops; ++code) {
    const int exponent = code / fractions, fraction = code % fractions;
    values.push_back(exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits) : std::ldexp(fractions + fraction, exponent - bias - fraction_bits));
  }
  limit_ = values.back() + (values.back() - values[values.size() - 2]) / 2;
  tie_is_even_ = values.size() % 2 == 1;  // the last code is even
}

double SmallFormat::nearest(double magnitude) const {
  const auto above = std::lower_bound(values.begin(), values.end(), magnitude);
  if (above == values.begin()) return values.front();
  if (above == values.end()) return values.back();
  const double low = *(above - 1), high = *above;
  if (magnitude - low != high - magnitude) return magnitude - low < high - magnitude ? low : high;
  return (above - values.begin()) % 2 == 0 ? high : low;
}

bool SmallFormat::takes(double magnitude) const { return magnitude < limit_ || (tie_is_even_ && magnitude == limit_); }

ScaledBlock to_block(const std::vector<double>& numbers, const SmallFormat& format) {
  ScaledBlock block;
  for (int power = -127; power <= 127; ++power) {
    block.scale = std::ldexp(1.0, power);
    if (std::ranges::all_of(numbers, [&](double x) { return format.takes(std::fabs(x) / block.scale); })) break;
  }
  for (double x : numbers) block.values.push_back(std::copysign(format.nearest(std::fabs(x) / block.scale), x));
  return block;
}

}  // namespace tiebreak::oracle::tosa
