// SPDX-License-Identifier: Apache-2.0
// Rounding of rationals to the IEEE formats, subnormals and overflow included, against MPFR in its four directions.
#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <random>
#include <string>

#include "testsuite/unit/exact/mpfr_format.hpp"

namespace tiebreak {
namespace {

class Rational {
 public:
  Rational() { mpq_init(value_); }
  ~Rational() { mpq_clear(value_); }
  Rational(const Rational&) = delete;
  Rational& operator=(const Rational&) = delete;
  mpq_ptr get() { return value_; }
  std::string text() {
    char* raw = mpq_get_str(nullptr, 10, value_);
    std::string result(raw);
    void (*release)(void*, size_t) = nullptr;
    mp_get_memory_functions(nullptr, nullptr, &release);
    release(raw, result.size() + 1);
    return result;
  }

 private:
  mpq_t value_;
};

// n / d * 2^e; some exactly on a boundary of the format, some beside one.
void choose(Rational& v, std::mt19937_64& random, const FloatFormat& format) {
  const std::uint64_t word = random();
  const long numerator = static_cast<long>(random() >> 2) * ((word & 1) != 0 ? 1 : -1);
  const unsigned long denominator = (word & 2) != 0 ? 1 : (random() >> (word >> 56) % 60) | 1;
  mpq_set_si(v.get(), numerator, 1);
  if ((word & 4) != 0) mpq_set_si(v.get(), numerator >> (62 - format.precision() - 1), 1);  // one bit more than fits: ties
  mpz_set_ui(mpq_denref(v.get()), denominator);
  mpq_canonicalize(v.get());
  const int span = format.bias + format.precision() + 8;
  const int shift = static_cast<int>((word >> 8) % (2 * span)) - span - 30;
  if (shift > 0) mpq_mul_2exp(v.get(), v.get(), shift);
  else mpq_div_2exp(v.get(), v.get(), -shift);
}

TEST(FloatMpfr, RandomRationals) {
  for (const char* name : {"f64", "f32", "tf32", "f16", "bf16", "f8e5m2", "f8e4m3", "f8e3m4"}) {
    const FloatFormat& format = *find_float_format(name);
    AsFormat reference(format);
    std::mt19937_64 random(5);
    Rational v;
    for (int i = 0; i < 30000 && !HasFailure(); ++i) {
      choose(v, random, format);
      const Real exact = *Real::parse(v.text());
      ASSERT_EQ(exact.to_string(), v.text());
      ASSERT_TRUE(Real::from_double(exact.to_double()).identical(*round_to(exact, *find_float_format("f64")))) << v.text();
      for (const Direction& way : directions) {
        const auto rounded = round_to(exact, format, way.rounding);
        EXPECT_TRUE(rounded->identical(Real::from_double(reference.round(v.get(), way.direction)))) << name << " " << v.text() << " " << to_word(way.rounding);
      }
    }
  }
}

// 10^7 bit patterns of f64 and of f32, each into one narrower format in four directions.
template <class Float, class Code>
void check_patterns(const FloatFormat& source, std::initializer_list<const char*> targets, int samples) {
  for (const char* name : targets) {
    const FloatFormat& format = *find_float_format(name);
    AsFormat reference(format);
    std::mt19937_64 random(7);
    for (int i = 0; i < samples / static_cast<int>(targets.size()) && !testing::Test::HasFailure(); ++i) {
      auto code = static_cast<Code>(random());
      if (i % 2 != 0) {  // an exponent that the target has, and now and then a short fraction: ties
        const std::uint64_t exponent = source.bias - format.bias - 30 + static_cast<std::uint64_t>(random() % (2 * format.bias + 60));
        code = static_cast<Code>((code & ~(((Code{1} << source.exponent_bits) - 1) << source.fraction_bits)) |
                                 (static_cast<Code>(exponent & ((1U << source.exponent_bits) - 1)) << source.fraction_bits));
        if (i % 4 == 1) code &= ~((Code{1} << (source.fraction_bits - format.fraction_bits - 1)) - 1);
      }
      const auto v = static_cast<double>(std::bit_cast<Float>(code));
      const Real exact = decode(code, source);
      if (exact.is_nan()) continue;
      for (const Direction& way : directions) {
        const Real expected = Real::from_double(reference.round(v, way.direction));
        EXPECT_TRUE(round_to(exact, format, way.rounding)->identical(expected)) << std::hexfloat << v << " -> " << name << " " << to_word(way.rounding);
      }
    }
  }
}

TEST(FloatMpfr, RandomDoublePatterns) {
  check_patterns<double, std::uint64_t>(*find_float_format("f64"), {"f32", "tf32", "f16", "bf16", "f8e5m2", "f8e3m4"}, 10'000'000);
}

TEST(FloatMpfr, RandomFloatPatterns) {
  check_patterns<float, std::uint32_t>(*find_float_format("f32"), {"tf32", "f16", "bf16", "f8e5m2", "f8e4m3"}, 10'000'000);
}

// A value off the grid has an odd neighbour; a tie goes where the word says.
TEST(FloatMpfr, OtherRoundingsFollowFromTheDirectedOnes) {
  std::mt19937_64 random(6);
  Rational v;
  for (const char* name : {"f64", "f32", "f16", "f8e4m3"}) {
    const FloatFormat& format = *find_float_format(name);
    for (int i = 0; i < 20000 && !HasFailure(); ++i) {
      choose(v, random, format);
      const Real exact = *Real::parse(v.text());
      if (abs(exact) > format.largest()) continue;
      const Real below = *round_to(exact, format, Rounding::down);
      const Real above = *round_to(exact, format, Rounding::up);
      const Real distance = (exact - below) - (above - exact);
      const bool tie = distance.is_zero();
      const Real near = distance.sign() < 0 ? below : above;
      const auto check = [&](Rounding rounding, const Real& at_tie) {
        EXPECT_EQ(*round_to(exact, format, rounding), tie ? at_tie : near) << name << " " << v.text() << " " << to_word(rounding);
      };
      check(Rounding::nearest_up, above);
      check(Rounding::nearest_down, below);
      check(Rounding::nearest_away, exact.sign() < 0 ? below : above);
      check(Rounding::nearest_zero, exact.sign() < 0 ? above : below);
      const std::uint64_t code = *encode(*round_to(exact, format, Rounding::to_odd), format);
      EXPECT_TRUE(below == above || (code & 1) == 1) << name << " " << v.text();
    }
  }
}

}  // namespace
}  // namespace tiebreak
