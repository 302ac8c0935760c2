// SPDX-License-Identifier: Apache-2.0
// Real functions in doubles against MPFR, at numbers of every size. The seed is printed.
#include "interpreter/exact/double_functions.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace tiebreak {
namespace {

constexpr unsigned seed = 20261128;
constexpr int count = 60000;

using Near = double (*)(double);
using Precise = std::function<void(mpfr_t, mpfr_t)>;

/// The greatest error as a share of the value, over numbers of every size up to `most`, of both signs or only of one.
double worst_share(Near near, const Precise& precise, double most, bool positive) {
  std::mt19937_64 random(seed);
  mpfr_t argument, value, error;
  mpfr_inits2(200, argument, value, error, nullptr);
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const int exponent = static_cast<int>(random() % 40);
    double x = i % 3 == 0 ? unit * most : i % 3 == 1 ? std::ldexp(unit + 0.5, -exponent) : positive ? 1 + (unit - 0.5) * std::ldexp(1, -exponent) : unit;
    if (!positive && random() % 2 == 0) x = -x;
    if (x == 0 || std::fabs(x) > most) continue;
    mpfr_set_d(argument, x, MPFR_RNDN);
    precise(value, argument);
    mpfr_set_d(error, near(x), MPFR_RNDN);
    mpfr_sub(error, error, value, MPFR_RNDN);
    if (mpfr_zero_p(value) != 0) {
      EXPECT_EQ(near(x), 0) << x;
      continue;
    }
    mpfr_div(error, error, value, MPFR_RNDN);
    worst = std::max(worst, std::fabs(mpfr_get_d(error, MPFR_RNDN)));
  }
  mpfr_clears(argument, value, error, nullptr);
  return worst;
}

TEST(DoubleFunctions, AreOffByLessThanAnEighthOfTheBound) {
  const double most = double_function_error / 8;
  const auto logistic = [](mpfr_t to, mpfr_t x) {
    mpfr_neg(to, x, MPFR_RNDN);
    mpfr_exp(to, to, MPFR_RNDN);
    mpfr_add_ui(to, to, 1, MPFR_RNDN);
    mpfr_ui_div(to, 1, to, MPFR_RNDN);
  };
  EXPECT_LT(worst_share(
                exp_near, [](mpfr_t to, mpfr_t x) { mpfr_exp(to, x, MPFR_RNDN); }, 700, false),
            most)
      << "seed " << seed;
  EXPECT_LT(worst_share(
                log_near, [](mpfr_t to, mpfr_t x) { mpfr_log(to, x, MPFR_RNDN); }, 1e6, true),
            most)
      << "seed " << seed;
  EXPECT_LT(worst_share(
                tanh_near, [](mpfr_t to, mpfr_t x) { mpfr_tanh(to, x, MPFR_RNDN); }, 26, false),
            most)
      << "seed " << seed;
  EXPECT_LT(worst_share(logistic_near, logistic, 700, false), most) << "seed " << seed;
}

TEST(DoubleFunctions, HaveNoValueWhereTheyAreNotProved) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double x : {701.0, -701.0, nan, infinity, -infinity}) {
    EXPECT_TRUE(std::isnan(exp_near(x))) << x;
    EXPECT_TRUE(std::isnan(logistic_near(x))) << x;
  }
  for (const double x : {0.0, -0.0, -1.0, 0x1p-1074, nan, infinity}) EXPECT_TRUE(std::isnan(log_near(x))) << x;
  EXPECT_TRUE(std::isnan(tanh_near(nan)));
  EXPECT_EQ(tanh_near(-infinity), -1);
  EXPECT_TRUE(std::signbit(tanh_near(-0.0)));
}

}  // namespace
}  // namespace tiebreak
