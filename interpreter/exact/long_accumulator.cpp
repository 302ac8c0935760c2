// SPDX-License-Identifier: Apache-2.0
#include "interpreter/exact/long_accumulator.hpp"

#include <bit>
#include <cmath>

namespace tiebreak {

void LongAccumulator::add(double v) {
  if (!std::isfinite(v)) {
    nan_ |= std::isnan(v);
    above_ |= v > 0;
    below_ |= v < 0;
    return;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(v);
  const int field = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t mantissa = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const int position = (field == 0 ? 1 : field) - 1075 - lowest;
  const std::size_t digit = static_cast<std::size_t>(position / 32);
  const int shift = position % 32;
  const std::uint64_t low = mantissa << shift, high = shift == 0 ? 0 : mantissa >> (64 - shift);
  const std::int64_t sign = v < 0 ? -1 : 1;
  digits_[digit] += sign * static_cast<std::int64_t>(low & 0xFFFFFFFFu);
  digits_[digit + 1] += sign * static_cast<std::int64_t>(low >> 32);
  digits_[digit + 2] += sign * static_cast<std::int64_t>(high);
}

Real LongAccumulator::total() const {
  if (nan_ || (above_ && below_)) return Real::nan();
  if (above_ || below_) return Real::infinity(below_);
  Real sum;
  for (std::size_t i = 0; i < digits_.size(); ++i)
    if (digits_[i] != 0) sum = sum + Real::dyadic(digits_[i], lowest + 32 * static_cast<std::int64_t>(i));
  return sum.is_zero() ? Real() : sum;
}

}  // namespace tiebreak
