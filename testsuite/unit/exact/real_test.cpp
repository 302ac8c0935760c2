// SPDX-License-Identifier: Apache-2.0
// Arithmetic and order of extended reals against 128-bit fractions and the laws of arithmetic; special values; text.
#include "interpreter/exact/real.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "testsuite/unit/exact/real_text.hpp"

namespace tiebreak {
namespace {

__extension__ typedef __int128 Wide;

struct SmallFraction {
  std::int64_t upper;
  std::int64_t lower;
};

bool equals(const Real& v, Wide upper, Wide lower) {  // lower > 0; all parts below 2^62
  return v == Real(static_cast<std::int64_t>(upper)) / Real(static_cast<std::int64_t>(lower));
}

TEST(Real, AgreesWithFractions) {
  std::mt19937_64 random(11);
  const auto part = [&] { return static_cast<std::int64_t>(random()) >> (34 + random() % 28); };
  for (int i = 0; i < 300000 && !HasFailure(); ++i) {
    const SmallFraction a{part(), std::abs(part()) + 1};
    const SmallFraction b{part(), std::abs(part()) + 1};
    const Real x = Real(a.upper) / Real(a.lower);
    const Real y = Real(b.upper) / Real(b.lower);
    const Wide left = static_cast<Wide>(a.upper) * b.lower;
    const Wide right = static_cast<Wide>(b.upper) * a.lower;
    const Wide lower = static_cast<Wide>(a.lower) * b.lower;
    EXPECT_TRUE(equals(x + y, left + right, lower));
    EXPECT_TRUE(equals(x - y, left - right, lower));
    EXPECT_TRUE(equals(x * y, static_cast<Wide>(a.upper) * b.upper, lower));
    if (b.upper != 0) {
      EXPECT_EQ((x / y) * y, x);
    }
    EXPECT_EQ(x < y, left < right);
    EXPECT_EQ(x == y, left == right);
    EXPECT_EQ(x.is_whole(), a.upper % a.lower == 0);
    if (x.is_whole()) {
      EXPECT_EQ(x.to_int64(), a.upper / a.lower);
    }
    if (a.upper != 0) {
      const std::int64_t e = x.exponent();
      EXPECT_LE(Real::power_of_two(e), abs(x));
      EXPECT_LT(abs(x), Real::power_of_two(e + 1));
    }
  }
}

TEST(Real, LawsHoldAcrossTheSmallAndTheBigForm) {
  std::mt19937_64 random(12);
  const auto pick = [&]() -> Real {
    Real v = Real(static_cast<std::int64_t>(random()) >> (random() % 63));
    if (random() % 2 == 0) v = v / Real((static_cast<std::int64_t>(random()) >> (random() % 63)) | 1);
    if (random() % 3 == 0) v = v * Real::from_unsigned(random());
    return v * Real::power_of_two(static_cast<std::int64_t>(random() % 300) - 150);
  };
  for (int i = 0; i < 100000 && !HasFailure(); ++i) {
    const Real a = pick();
    const Real b = pick();
    const Real c = pick();
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_TRUE(((a - b) + b - a).is_zero());
    EXPECT_EQ(a < b, (a - b).sign() < 0);
    EXPECT_EQ(a.is_dyadic(), (a * Real(3)).is_dyadic() && (a * Real(5)).is_dyadic());
    EXPECT_EQ(real_of(a.to_string().c_str()), a);
    if (!b.is_zero()) {
      EXPECT_EQ((a / b) * b, a);
    }
    if (a.is_dyadic()) {
      EXPECT_EQ(real_of(a.to_hex_float().c_str()), a);
    }
    const auto [high, low] = a.to_double_pair();
    EXPECT_LE(abs(a - Real::from_double(high) - Real::from_double(low)), abs(a) * Real::power_of_two(-105));
  }
}

TEST(Real, SpecialValuesFollowIeee754) {
  const std::vector<double> values{0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   2.5,
                                   -0.75,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
  for (const double a : values) {
    for (const double b : values) {
      const Real x = Real::from_double(a);
      const Real y = Real::from_double(b);
      EXPECT_TRUE((x + y).identical(Real::from_double(a + b))) << a << " + " << b;
      EXPECT_TRUE((x - y).identical(Real::from_double(a - b))) << a << " - " << b;
      EXPECT_TRUE((x * y).identical(Real::from_double(a * b))) << a << " * " << b;
      if (a != -0.75 && b != 2.5 && b != -0.75) {
        EXPECT_TRUE((x / y).identical(Real::from_double(a / b))) << a << " / " << b;
      }
      EXPECT_EQ(x < y, a < b);
      EXPECT_EQ(x == y, a == b);
      EXPECT_EQ(x >= y, a >= b);
      const bool nan = a != a || b != b;
      EXPECT_EQ(min(x, y).is_nan(), nan);
      EXPECT_EQ(max(x, y).is_nan(), nan);
    }
  }
  EXPECT_TRUE(min(Real::zero(false), Real::zero(true)).is_negative());
  EXPECT_TRUE(min(Real::zero(true), Real::zero(false)).is_negative());
  EXPECT_FALSE(max(Real::zero(false), Real::zero(true)).is_negative());
  EXPECT_FALSE(max(Real::zero(true), Real::zero(false)).is_negative());
  EXPECT_TRUE((-Real()).is_negative());
}

TEST(Real, IntegerLimits) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Real(least).to_int64(), least);
  EXPECT_EQ(Real(greatest).to_int64(), greatest);
  EXPECT_EQ((Real(greatest) + Real(1)).to_int64(), std::nullopt);
  EXPECT_EQ((Real(least) - Real(1)).to_int64(), std::nullopt);
  EXPECT_EQ((-Real(least)).to_uint64(), std::uint64_t{1} << 63);
  EXPECT_EQ(Real::from_unsigned(~std::uint64_t{0}).to_uint64(), ~std::uint64_t{0});
  EXPECT_EQ((Real::from_unsigned(~std::uint64_t{0}) + Real(1)).to_uint64(), std::nullopt);
  EXPECT_EQ(Real(-1).to_uint64(), std::nullopt);
  EXPECT_EQ(real_of("1/2").to_int64(), std::nullopt);
}

TEST(Real, BitsOfWholeNumbers) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t a = static_cast<std::int64_t>(random()) >> (random() % 63);
    const std::int64_t b = static_cast<std::int64_t>(random()) >> (random() % 63);
    const Real shift = Real::power_of_two(100);  // the same bits further up, through the big form
    EXPECT_EQ(bit_and(Real(a), Real(b)), Real(a & b));
    EXPECT_EQ(bit_or(Real(a) * shift, Real(b) * shift), Real(a | b) * shift);
    EXPECT_EQ(bit_xor(Real(a) * shift, Real(b) * shift), Real(a ^ b) * shift);
    EXPECT_EQ(bit_and(Real(a) * shift, Real(b)), bit_and(Real(b), Real(a) * shift));
  }
  EXPECT_EQ(bit_and(Real::power_of_two(80) + Real(5), Real(-2)), Real::power_of_two(80) + Real(4));
}

TEST(Real, Powers) {
  EXPECT_EQ(*power(real_of("3/2"), 5), real_of("243/32"));
  EXPECT_EQ(*power(real_of("-2/3"), -3), real_of("-27/8"));
  EXPECT_EQ(*power(Real(7), 0), Real(1));
  EXPECT_TRUE(power(Real::zero(true), -3)->identical(Real::infinity(true)));
  EXPECT_EQ(*power(Real(2), -100000), Real::power_of_two(-100000));
  EXPECT_EQ(power(Real(2), 100001).error().code, Errc::limit);
  EXPECT_EQ(*power(real_of("1234567891/7"), 1000) * *power(real_of("1234567891/7"), -999), real_of("1234567891/7"));
}

TEST(Real, TextIsReadExactly) {
  EXPECT_EQ(real_of("-0.1"), Real(-1) / Real(10));
  EXPECT_EQ(real_of("1e-6"), Real(1) / Real(1000000));
  EXPECT_EQ(real_of("+2.50E2"), Real(250));
  EXPECT_EQ(real_of("0x7FFF"), Real(32767));
  EXPECT_EQ(real_of("0x1.8p-3"), real_of("3/16"));
  EXPECT_EQ(real_of("-6/14"), real_of("-3/7"));
  EXPECT_TRUE(real_of("-0").is_negative());
  EXPECT_TRUE(real_of("-inf").identical(Real::infinity(true)));
  EXPECT_TRUE(real_of("nan").is_nan());
  for (const char* wrong : {"", "-", ".", "1.5.2", "0x", "1e", "1e+", "1/0", "1/", "/2", "12a", "--1", "1 ", "infinity", "0x1p", "1_000"}) {
    const auto v = Real::parse(wrong);
    ASSERT_FALSE(v.has_value()) << wrong;
    EXPECT_EQ(v.error().code, Errc::syntax) << wrong;
  }
  EXPECT_EQ(Real::parse("1e100001").error().code, Errc::limit);
  EXPECT_EQ(Real::parse("1e99999999999999999999").error().code, Errc::limit);
  EXPECT_EQ(Real::parse(std::string(100001, '7')).error().code, Errc::limit);
  EXPECT_EQ(real_of("1e100000") * real_of("1e-100000"), Real(1));
}

TEST(Real, TextIsWritten) {
  EXPECT_EQ(real_of("-3/7").to_string(), "-3/7");
  EXPECT_EQ(real_of("1e20").to_string(), "100000000000000000000");
  EXPECT_EQ(Real::zero(true).to_string(), "-0");
  EXPECT_EQ(real_of("0.1").to_decimal(), "0.1");
  EXPECT_EQ(Real::from_double(0.1).to_decimal(), "0.10000000000000001");
  EXPECT_EQ(real_of("2/3").to_decimal(3), "0.667");
  EXPECT_EQ(real_of("99999/100000").to_decimal(3), "1");
  EXPECT_EQ(real_of("1/8").to_decimal(2), "0.12");
  EXPECT_EQ(real_of("-1e-7").to_decimal(), "-1e-07");
  EXPECT_EQ(real_of("62.5").to_decimal(), "62.5");
  EXPECT_EQ(real_of("1234567").to_decimal(3), "1230000");
  EXPECT_EQ(real_of("3/16").to_hex_float(), "0x1.8p-3");
  EXPECT_EQ(real_of("-255").to_hex_float(), "-0x1.fep+7");
  EXPECT_EQ(real_of("1/3").to_hex_float(), "1/3");
}

TEST(Real, SizesBeyondTheLimitBecomeNanAndSaySo) {
  const Real far = Real::power_of_two(std::int64_t{1} << 29);
  EXPECT_EQ(far * far, Real::power_of_two(std::int64_t{1} << 30));
  EXPECT_TRUE((far * far * far).is_exceeded());
  EXPECT_TRUE((far + Real(1)).is_exceeded());
  EXPECT_TRUE(((far + Real(1)) * Real(0)).is_exceeded());
  EXPECT_TRUE((far + Real(1)).is_nan());
  EXPECT_LT(Real(1), far);
  EXPECT_FALSE(Real::nan().is_exceeded());
}

}  // namespace
}  // namespace tiebreak
