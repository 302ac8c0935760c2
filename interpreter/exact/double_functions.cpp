// SPDX-License-Identifier: Apache-2.0
#include "interpreter/exact/double_functions.hpp"

#include <cmath>
#include <limits>

namespace tiebreak {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// ln 2 in two parts: the first has 32 bits, so that up to 2^20 of it are exact; together they are off by less than 2^-86.
constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

/// exp(r) - 1 for |r| <= 0.35: the series up to r^13 / 13!. What is left out is less than 0.35^13 / 14! = 2^-56 of r; each step of Horner's rule is off by
/// 2^-53 of a number that the next step multiplies by r / n.
double expm1_of_small(double r) {
  double sum = 1;
  for (int n = 13; n > 1; --n) sum = 1 + r / n * sum;
  return r * sum;
}

}  // namespace

double exp_near(double x) {
  if (!(std::fabs(x) <= 700)) return no_value;
  const double k = std::nearbyint(x * 0x1.71547652b82fep+0);
  // k ln2_high is exact, and so is the difference: neither is more than twice the other (Sterbenz). What k ln2_low rounds away is less than 2^-53 of 2^-22.
  const double r = (x - k * ln2_high) - k * ln2_low;
  return std::ldexp(1 + expm1_of_small(r), static_cast<int>(k));
}

double log_near(double x) {
  if (!(x >= std::numeric_limits<double>::min()) || !std::isfinite(x)) return no_value;
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // 0.5 <= m < 1
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --exponent;
  }
  // m - 1 is exact. log m = 2 (s + s^3 / 3 + ...) with |s| < 0.1716; what is left out behind s^23 is less than 0.1716^24 / 25 = 2^-65 of it.
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int n = 23; n >= 3; n -= 2) sum = square * (sum + 1.0 / n);
  const double log_m = 2 * (s + s * sum);
  // Where the exponent is not 0, the result is at least 0.34, and no digits are lost.
  return exponent * ln2_high + (exponent * ln2_low + log_m);
}

double tanh_near(double x) {
  const double size = std::fabs(x);
  if (std::isnan(x)) return no_value;
  if (size > 25) return std::copysign(1, x);  // 1 - tanh(25) = 2^-71
  if (size <= 0.17) {
    const double twice = expm1_of_small(2 * x);  // tanh x = (e^2x - 1) / (e^2x + 1)
    return x == 0 ? x : twice / (twice + 2);
  }
  return std::copysign(1 - 2 / (exp_near(2 * size) + 1), x);  // at 0.17 an error of 2^-51 in 0.83 is one of 2^-49 in 0.17
}

double logistic_near(double x) {
  if (!(std::fabs(x) <= 700)) return no_value;
  const double power = exp_near(-std::fabs(x));
  return (x < 0 ? power : 1) / (1 + power);
}

}  // namespace tiebreak
