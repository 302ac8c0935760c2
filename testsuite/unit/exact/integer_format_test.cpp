// SPDX-License-Identifier: Apache-2.0
// Wrap, saturation and codes of every width: all values where there are few, edges and random ones elsewhere.
#include "interpreter/exact/integer_format.hpp"

#include <gtest/gtest.h>

#include <random>

#include "interpreter/exact/float_format.hpp"

namespace tiebreak {
namespace {

__extension__ typedef __int128 Wide;

Wide least(const IntegerFormat& format) { return format.is_signed ? -(Wide{1} << (format.bits - 1)) : 0; }
Wide greatest(const IntegerFormat& format) { return (Wide{1} << (format.bits - (format.is_signed ? 1 : 0))) - 1; }

Real real(Wide v) {
  const bool negative = v < 0;
  const Wide size = negative ? -v : v;
  const Real sum = Real::from_unsigned(static_cast<std::uint64_t>(size >> 32)) * Real::power_of_two(32) + Real(static_cast<std::int64_t>(size & 0xFFFFFFFF));
  return negative ? -sum : sum;
}

void check_value(const IntegerFormat& format, Wide v) {
  const Wide span = Wide{1} << format.bits;
  Wide wrapped = ((v % span) + span) % span;
  if (wrapped > greatest(format)) wrapped -= span;
  const Wide saturated = v < least(format) ? least(format) : v > greatest(format) ? greatest(format) : v;
  const auto text = [&] { return format.name() + " " + real(v).to_string(); };
  ASSERT_EQ(wrap(real(v), format), real(wrapped)) << text();
  ASSERT_EQ(saturate(real(v), format.min(), format.max()), real(saturated)) << text();
  ASSERT_EQ(fits(real(v), format), v == saturated) << text();
  if (v != saturated) return;
  const std::uint64_t code = encode(real(v), format);
  const std::uint64_t mask = format.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format.bits) - 1;
  ASSERT_EQ(code, static_cast<std::uint64_t>(v) & mask) << text();
  ASSERT_EQ(decode(code, format), real(v)) << text();
  ASSERT_EQ(decode(code | ~mask, format), real(v)) << text();
}

TEST(IntegerFormat, AllValuesOfNarrowWidths) {
  for (int bits = 1; bits <= 10; ++bits)
    for (const bool is_signed : {true, false}) {
      const IntegerFormat format{is_signed, bits};
      for (Wide v = -(Wide{3} << bits); v <= Wide{3} << bits && !HasFatalFailure(); ++v) check_value(format, v);
    }
}

TEST(IntegerFormat, EdgesAndRandomValuesOfEveryWidth) {
  std::mt19937_64 random(21);
  for (int bits = 2; bits <= 64; ++bits)
    for (const bool is_signed : {true, false}) {
      const IntegerFormat format{is_signed, bits};
      for (const Wide centre : {Wide{0}, least(format), greatest(format), Wide{1} << bits, -(Wide{1} << bits), Wide{5} << bits})
        for (Wide step = -3; step <= 3; ++step) check_value(format, centre + step);
      for (int i = 0; i < 3000 && !HasFatalFailure(); ++i)
        check_value(format, static_cast<Wide>(static_cast<std::int64_t>(random())) * static_cast<Wide>(random() >> (8 + random() % 56)) >> (random() % 64));
    }
}

TEST(IntegerFormat, AgreesWithTheMachinesTypes) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 100000; ++i) {
    const auto v = static_cast<std::int64_t>(random());
    ASSERT_EQ(wrap(Real(v), {true, 8}).to_int64(), static_cast<std::int8_t>(v));
    ASSERT_EQ(wrap(Real(v), {true, 16}).to_int64(), static_cast<std::int16_t>(v));
    ASSERT_EQ(wrap(Real(v), {true, 32}).to_int64(), static_cast<std::int32_t>(v));
    ASSERT_EQ(wrap(Real(v), {false, 32}).to_int64(), static_cast<std::uint32_t>(v));
    ASSERT_EQ(wrap(Real(v), {false, 64}).to_uint64(), static_cast<std::uint64_t>(v));
  }
}

TEST(IntegerFormat, FarValuesAndSpecialOnes) {
  const IntegerFormat i8{true, 8};
  EXPECT_TRUE(wrap(Real::power_of_two(1000000), i8).is_zero());
  EXPECT_EQ(wrap(Real::power_of_two(1000) + Real(200), i8), Real(-56));
  EXPECT_EQ(wrap(-Real::power_of_two(1000) - Real(200), i8), Real(56));
  EXPECT_EQ(saturate(Real::infinity(), i8.min(), i8.max()), Real(127));
  EXPECT_EQ(saturate(Real::infinity(true), i8.min(), i8.max()), Real(-128));
  EXPECT_FALSE(saturate(Real::zero(true), i8.min(), i8.max()).is_negative());
  EXPECT_FALSE(wrap(Real::zero(true), i8).is_negative());
  EXPECT_FALSE(fits(Real::from_double(0.5), i8));
  EXPECT_FALSE(fits(Real::nan(), i8));
}

TEST(IntegerFormat, Names) {
  EXPECT_EQ(parse_integer_format("i8"), (IntegerFormat{true, 8}));
  EXPECT_EQ(parse_integer_format("si32"), (IntegerFormat{true, 32}));
  EXPECT_EQ(parse_integer_format("u4"), (IntegerFormat{false, 4}));
  EXPECT_EQ(parse_integer_format("ui64"), (IntegerFormat{false, 64}));
  EXPECT_EQ((IntegerFormat{false, 14}).name(), "u14");
  for (const char* wrong : {"", "i", "i0", "i65", "i08", "i8x", "f32", "u-1", "index", "i128", "iu8", "s8"})
    EXPECT_EQ(parse_integer_format(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace tiebreak
