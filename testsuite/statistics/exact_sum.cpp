// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/exact_sum.hpp"

#include <cmath>

namespace tiebreak {

void ExactSum::add(double value) {
  if (value == 0) return;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));  // value = mantissa * 2^(exponent - 53), |mantissa| < 2^53
  const int place = exponent - 53 - least_exponent;
  const auto limb = static_cast<std::size_t>(place / 32);
  const int shift = place % 32;
  const bool negative = mantissa < 0;
  const auto size = static_cast<std::uint64_t>(negative ? -mantissa : mantissa);
  const std::uint64_t low = size << shift, high = shift == 0 ? 0 : size >> (64 - shift);
  const std::array<std::uint64_t, 3> parts{low & 0xFFFFFFFFu, low >> 32, high};
  for (std::size_t i = 0; i < parts.size(); ++i) digits_[limb + i] += negative ? -static_cast<std::int64_t>(parts[i]) : static_cast<std::int64_t>(parts[i]);
  if (++pending_ == (1 << 29)) carry();
}

void ExactSum::add_product(double a, double b) {
  if (a == 0 || b == 0) return;
  const int exponent = std::ilogb(a) + std::ilogb(b);
  if (exponent < -900 || exponent > 1000) {
    rest_ = rest_ + Real::from_double(a) * Real::from_double(b);
    return;
  }
  const double product = a * b;
  add(product);
  add(std::fma(a, b, -product));
}

void ExactSum::carry() {
  pending_ = 0;
  for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
    const std::int64_t above = digits_[i] >> 32;  // toward minus infinity: what stays is not negative
    digits_[i] -= above * (std::int64_t{1} << 32);
    digits_[i + 1] += above;
  }
}

Real ExactSum::value() const {
  ExactSum settled = *this;
  settled.carry();
  Real sum = rest_;
  for (std::size_t i = digits_.size(); i > 0; --i)
    if (settled.digits_[i - 1] != 0) sum = sum + Real::dyadic(settled.digits_[i - 1], least_exponent + 32 * static_cast<std::int64_t>(i - 1));
  return sum;
}

}  // namespace tiebreak
