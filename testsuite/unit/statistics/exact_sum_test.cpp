// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/exact_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "testsuite/statistics/number_text.hpp"
#include "testsuite/statistics/statistics.hpp"

namespace tiebreak {
namespace {

double any_double(std::mt19937_64& draw) {
  const auto exponent = static_cast<int>(draw() % 2040) - 1060;
  const double value = std::ldexp(static_cast<double>(draw() >> 11), exponent - 53);
  return draw() % 2 == 0 ? value : -value;
}

TEST(ExactSum, IsTheSumOfRationals) {
  std::mt19937_64 draw(7);
  for (int round = 0; round < 20; ++round) {
    ExactSum sum;
    Real exact;
    for (int i = 0; i < 50; ++i) {
      const double a = any_double(draw), b = any_double(draw);
      sum.add(a);
      sum.add_product(a, b);
      exact = exact + Real::from_double(a) + Real::from_double(a) * Real::from_double(b);
    }
    EXPECT_EQ(sum.value(), exact);
  }
}

TEST(ExactSum, HoldsTheEndsOfDoubles) {
  ExactSum sum;
  const double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  for (int i = 0; i < 3; ++i) sum.add(most);
  sum.add(least);
  for (int i = 0; i < 3; ++i) sum.add(-most);
  EXPECT_EQ(sum.value(), Real::from_double(least));
  sum.add(-2 * least);
  EXPECT_EQ(sum.value(), Real::from_double(-least));
}

TEST(Decibels, AreRoundedOnce) {
  EXPECT_EQ(decibel_text(Real(100), Real(1)), "20.0000");
  EXPECT_EQ(decibel_text(Real(2), Real(1)), "3.0103");
  EXPECT_EQ(decibel_text(Real(1), Real(3)), "-4.7712");
  EXPECT_EQ(decibel_text(Real(1), Real(1)), "0.0000");
  EXPECT_EQ(decibel_text(Real(1), Real(0)), "inf");
  EXPECT_EQ(decibel_text(Real(0), Real(1)), "-inf");
  EXPECT_EQ(decibel_text(Real(0), Real(0)), "nan");
  EXPECT_EQ(percent_text(1, 3), "33.3333");
}

TEST(Histograms, DoNotDependOnTheOrderOfValues) {
  const std::vector<double> values{0.001, -3, 0, 1e6, 2.5, -1e6, 5e-300};
  BinCounts forward, backward;
  for (const double value : values) forward.add(value);
  for (std::size_t i = values.size(); i > 0; --i) backward.add(values[i - 1]);
  EXPECT_EQ(forward.bins, backward.bins);
  EXPECT_EQ(forward.exponent, backward.exponent);
}

}  // namespace
}  // namespace tiebreak
