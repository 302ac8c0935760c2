// SPDX-License-Identifier: Apache-2.0
// Agreement with the hardware's conversions: double to float, float to half, floats to integers, on edges and on random
// bit patterns (10^7 of each of f64 and f32; the 16-bit formats completely).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/exact/integer_format.hpp"

namespace tiebreak {
namespace {

constexpr int random_samples = 10'000'000;

const FloatFormat& format(const char* name) { return *find_float_format(name); }

std::uint64_t code_or_nan(const std::optional<Real>& v, const FloatFormat& target) { return *encode(*v, target); }

template <class Float, class Code>
Code hardware_code(Float v, Code nan) {
  return v != v ? nan : std::bit_cast<Code>(v);
}

// f16 where the compiler has it (clang has it on x86-64 from 15 on); the tables of the oracle cover it everywhere.
#if defined(__clang__) && __clang_major__ < 15
void check_half(float, const Real&) {}
float half_value(std::uint16_t code) { return static_cast<float>(decode(code, format("f16")).to_double()); }
#else
void check_half(float v, const Real& exact) {
  ASSERT_EQ(code_or_nan(round_to(exact, format("f16")), format("f16")), hardware_code(static_cast<_Float16>(v), std::uint16_t{0x7E00})) << std::hexfloat << v;
}
float half_value(std::uint16_t code) { return static_cast<float>(std::bit_cast<_Float16>(code)); }
#endif

// bf16 by the usual trick on the bits of a float.
std::uint16_t bf16_of(float v) {
  if (v != v) return 0x7FC0;
  const auto bits = std::bit_cast<std::uint32_t>(v);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

std::int64_t saturated(double v, double low, double high) { return static_cast<std::int64_t>(std::nearbyint(std::fmin(std::fmax(v, low), high))); }

// Random patterns are mostly huge or tiny; half of them get an exponent near zero, and some of those end in a tie.
template <class Code>
Code pattern(std::mt19937_64& random, int fraction_bits, int bias) {
  const std::uint64_t word = random();
  if ((word & 1) == 0) return static_cast<Code>(random());
  const std::uint64_t exponent = static_cast<std::uint64_t>(bias - 30 + static_cast<int>((word >> 8) % 70));
  std::uint64_t fraction = random() & ((std::uint64_t{1} << fraction_bits) - 1);
  if ((word & 2) == 0) fraction &= ~((std::uint64_t{1} << ((word >> 16) % fraction_bits)) - 1);
  const std::uint64_t sign = (word >> 4) & 1;
  return static_cast<Code>((sign << (sizeof(Code) * 8 - 1)) | (exponent << fraction_bits) | fraction);
}

void check_double(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  const Real exact = decode(bits, format("f64"));
  ASSERT_TRUE(exact.identical(Real::from_double(v))) << std::hexfloat << v;
  ASSERT_EQ(hardware_code(exact.to_double(), std::uint64_t{0x7FF8000000000000}), *encode(exact, format("f64"))) << std::hexfloat << v;
  const auto as_float = static_cast<float>(v);
  ASSERT_EQ(code_or_nan(round_to(exact, format("f32")), format("f32")), hardware_code(as_float, 0x7FC00000U)) << std::hexfloat << v;
  if (v != v) return;
  ASSERT_EQ(saturate(round_whole(exact, Rounding::nearest_even), Real(INT32_MIN), Real(INT32_MAX)).to_int64(), saturated(v, INT32_MIN, INT32_MAX))
      << std::hexfloat << v;
  ASSERT_TRUE(round_whole(exact, Rounding::down).identical(Real::from_double(std::floor(v)))) << std::hexfloat << v;
  ASSERT_TRUE(round_whole(exact, Rounding::nearest_away).identical(Real::from_double(std::round(v)))) << std::hexfloat << v;
}

void check_float(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  const Real exact = decode(bits, format("f32"));
  ASSERT_EQ(*encode(exact, format("f32")), hardware_code(v, 0x7FC00000U)) << std::hexfloat << v;
  ASSERT_NO_FATAL_FAILURE(check_half(v, exact));
  ASSERT_EQ(code_or_nan(round_to(exact, format("bf16")), format("bf16")), bf16_of(v)) << std::hexfloat << v;
  if (v != v) return;
  ASSERT_EQ(saturate(round_whole(exact, Rounding::nearest_even), Real(-128), Real(127)).to_int64(), saturated(v, -128, 127)) << std::hexfloat << v;
  ASSERT_TRUE(round_whole(exact, Rounding::up).identical(Real::from_double(std::ceil(v)))) << std::hexfloat << v;
  ASSERT_TRUE(round_whole(exact, Rounding::toward_zero).identical(Real::from_double(std::trunc(v)))) << std::hexfloat << v;
}

TEST(FloatHardware, EdgesOfDoubleAndFloat) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> edges{0.0,
                            -0.0,
                            0.5,
                            1.5,
                            2.5,
                            -0.5,
                            -2.5,
                            2147483647.5,
                            -2147483648.5,
                            1e308,
                            5e-324,
                            0x1p-149,
                            0x1p-150,
                            0x1.8p-150,
                            0x1.fffffefp127,
                            0x1.ffffffp127,
                            0x1.fffffffp127,
                            65504,
                            65519.99,
                            65520,
                            65536,
                            0x1p-24,
                            0x1p-25,
                            0x1.8p-25,
                            infinity,
                            std::numeric_limits<double>::quiet_NaN()};
  for (const double edge : std::vector<double>(edges))
    for (const double next : {std::nextafter(edge, infinity), std::nextafter(edge, -infinity), -edge}) edges.push_back(next);
  for (const double edge : edges) {
    check_double(edge);
    check_float(static_cast<float>(edge));
  }
}

TEST(FloatHardware, RandomDoubles) {
  std::mt19937_64 random(1);
  for (int i = 0; i < random_samples && !HasFatalFailure(); ++i) check_double(std::bit_cast<double>(pattern<std::uint64_t>(random, 52, 1023)));
}

TEST(FloatHardware, RandomFloats) {
  std::mt19937_64 random(2);
  for (int i = 0; i < random_samples && !HasFatalFailure(); ++i) check_float(std::bit_cast<float>(pattern<std::uint32_t>(random, 23, 127)));
}

TEST(FloatHardware, AllHalvesAndAllBfloats) {
  for (std::uint32_t code = 0; code < 0x10000 && !HasFatalFailure(); ++code) {
    const float half = half_value(static_cast<std::uint16_t>(code));
    const Real exact = decode(code, format("f16"));
    ASSERT_TRUE(exact.identical(Real::from_double(half))) << code;
    check_float(half);
    const auto bfloat = std::bit_cast<float>(code << 16);
    ASSERT_TRUE(decode(code, format("bf16")).identical(Real::from_double(bfloat))) << code;
    check_float(bfloat);
  }
}

TEST(FloatHardware, RandomIntegersToFloats) {
  std::mt19937_64 random(3);
  for (int i = 0; i < random_samples / 10; ++i) {
    const auto whole = static_cast<std::int64_t>(random()) >> (random() % 63);
    ASSERT_EQ(Real(whole).to_double(), static_cast<double>(whole));
    ASSERT_EQ(round_to(Real(whole), format("f32"))->to_double(), static_cast<double>(static_cast<float>(whole)));
    const std::uint64_t natural = random() >> (random() % 63);
    ASSERT_EQ(Real::from_unsigned(natural).to_double(), static_cast<double>(natural));
    ASSERT_EQ(Real::from_unsigned(natural).to_uint64(), natural);
  }
}

TEST(FloatHardware, RandomArithmeticOfDoublesAndFloats) {
  std::mt19937_64 random(4);
  const auto check = [](const Real& exact, double hardware) {
    const Real rounded = *round_to(exact, format("f64"));
    EXPECT_TRUE(rounded.identical(Real::from_double(hardware))) << exact.to_string() << " " << hardware;
  };
  for (int i = 0; i < random_samples / 20 && !HasFailure(); ++i) {
    const double a = std::bit_cast<double>(pattern<std::uint64_t>(random, 52, 1023));
    const double b = std::bit_cast<double>(pattern<std::uint64_t>(random, 52, 1023));
    const Real x = Real::from_double(a);
    const Real y = Real::from_double(b);
    check(x * y, a * b);
    check(x / y, a / b);
    check(x + y, a + b);
    check(x - y, a - b);
    const auto f = std::bit_cast<float>(pattern<std::uint32_t>(random, 23, 127));
    const auto g = std::bit_cast<float>(pattern<std::uint32_t>(random, 23, 127));
    const Real quotient = Real::from_double(f) / Real::from_double(g);
    EXPECT_TRUE(round_to(quotient, format("f32"))->identical(Real::from_double(f / g))) << std::hexfloat << f << " / " << g;
  }
}

}  // namespace
}  // namespace tiebreak
