// SPDX-License-Identifier: Apache-2.0
// Doubles rounded up and down to f32 by the machine's conversion, against the exact rounding: at and beside every kind of boundary, and at random.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "interpreter/operations/double_rounding.hpp"

namespace tiebreak {
namespace {

void expect_exact(double value) {
  const FloatFormat& f32 = *find_float_format("f32");
  for (const Rounding rounding : {Rounding::up, Rounding::down}) {
    bool missing = false;
    const double found = round_to_format(value, f32, rounding, Overflow::format, missing);
    const double wanted = round_to(Real::from_double(value), f32, rounding, Overflow::format)->to_double();
    ASSERT_FALSE(missing) << value;
    if (std::isnan(wanted)) ASSERT_TRUE(std::isnan(found)) << value;
    else
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(wanted))
          << std::hexfloat << value << (rounding == Rounding::up ? " up" : " down");
  }
}

TEST(DirectedRounding, ToSinglesIsExact) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_exact(std::numeric_limits<double>::quiet_NaN());
  for (const double edge : {0.0, 0x1p-1074, 0x1p-1022, 0x1p-150, 0x1p-149, 0x1.8p-149, 0x1p-127, 0x1p-126, 0x1.fffffep-127, 1.0, 0x1.fffffep-1, 0x1.000001p0,
                            0x1p127, 0x1.fffffep127, 0x1.ffffffp127, 0x1p128, 0x1p1023, infinity})
    for (const double at : {edge, std::nextafter(edge, infinity), std::nextafter(edge, -infinity)})
      for (const double value : {at, -at}) expect_exact(value);
  std::mt19937_64 random(20261128);
  for (int round = 0; round < 40000; ++round) {
    const double any = std::bit_cast<double>(random());
    const double near_singles = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random() >> 30)), static_cast<int>(random() % 320) - 190);
    expect_exact(any);
    expect_exact(round % 2 == 0 ? near_singles : -near_singles);
    expect_exact(static_cast<double>(static_cast<float>(near_singles)));
  }
}

}  // namespace
}  // namespace tiebreak
