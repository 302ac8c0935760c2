// SPDX-License-Identifier: Apache-2.0
// Literal values of torchao's and ml_dtypes' own tests for floats of 8, 6 and 4 bits that no op of a page gives: scales rounded up, conversions that cut,
// the ends of the formats. What they state of conversions that ops make are cases, testsuite/published/tflite.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "interpreter/exact/float_format.hpp"

namespace tiebreak {
namespace {

const FloatFormat& small_format(const std::string& name) { return *find_float_format(name); }

std::uint64_t code_in_format(const Real& v, const std::string& name, Rounding rounding) {
  return *encode(*round_to(v, small_format(name), rounding), small_format(name));
}

/// torchao 36027d82: the bits of an f32, and the scale that it becomes, rounded up.
struct StatedScale {
  std::uint32_t bits;
  std::uint64_t code;
};
constexpr StatedScale stated_scales[] = {{0x0U, 0},          {0x1U, 0},          {0x400000U, 0},     {0x400001U, 1},     {0x7fffffU, 1},
                                         {0x800000U, 1},     {0x1f800000U, 63},  {0x1f800001U, 64},  {0x3f7fffffU, 127}, {0x3f800000U, 127},
                                         {0x3f800001U, 128}, {0x5f800000U, 191}, {0x5f800001U, 192}, {0x7f000000U, 254}, {0x7f000001U, 255},
                                         {0x7f7fffffU, 255}, {0x7f800000U, 255}, {0x7fc00000U, 255}};

TEST(SmallFloats, ScalesRoundedUp) {
  for (const auto& [bits, code] : stated_scales) {
    const Real v = decode(bits, small_format("f32"));
    const bool number = !v.is_nan() && !v.is_infinite();
    EXPECT_EQ(number ? code_in_format(v, "f8e8m0", Rounding::up) : 255U, code) << bits;
  }
}

/// ml_dtypes b793a6e2, tests/float8_test.cc.
struct CutValue {
  const char* type;
  double value;
  std::uint64_t code;
};
constexpr CutValue cut_values[] = {
    {"f8e4m3fn", 0x1.cp-8, 3}, {"f8e4m3b11fnuz", 0x1.cp-12, 3}, {"f8e3m4", 0x1.ffcp+0, 63}, {"f8e4m3", 0x1.ffcp+0, 63}, {"f8e5m2", 0x1.ffcp+0, 63}};

TEST(SmallFloats, ConversionsThatCut) {
  for (const auto& [type, value, code] : cut_values) EXPECT_EQ(code_in_format(Real::from_double(value), type, Rounding::toward_zero), code) << type;
}

/// ml_dtypes b793a6e2, tests/float8_test.cc and mxfloat_test.cc: the least normal and the greatest number.
struct FormatEnds {
  const char* type;
  double least_normal, greatest;
};
constexpr FormatEnds format_ends[] = {{"f8e3m4", 0x1p-2, 0x1.fp+3},         {"f8e4m3", 0x1p-6, 0x1.ep+7},     {"f8e4m3fn", 0x1p-6, 0x1.cp+8},
                                      {"f8e4m3b11fnuz", 0x1p-10, 0x1.ep+4}, {"f8e4m3fnuz", 0x1p-7, 0x1.ep+7}, {"f8e5m2", 0x1p-14, 0x1.cp+15},
                                      {"f8e5m2fnuz", 0x1p-15, 0x1.cp+15},   {"f8e8m0", 0x1p-127, 0x1p+127},   {"f4e2m1", 0x1p+0, 0x1.8p+2},
                                      {"f6e2m3", 0x1p+0, 0x1.ep+2},         {"f6e3m2", 0x1p-2, 0x1.cp+4}};

TEST(SmallFloats, EndsOfTheFormats) {
  for (const auto& [type, least_normal, greatest] : format_ends) {
    const FloatFormat& small = small_format(type);
    EXPECT_EQ(*round_to(Real::infinity(), small, Rounding::nearest_even, Overflow::saturate), Real::from_double(greatest)) << type;
    EXPECT_EQ(*round_to(Real::from_double(least_normal), small), Real::from_double(least_normal)) << type;
  }
}

/// A double must not pass through f32: 1 + 2^-digits + 2^-24 is above the tie, and f32 loses what puts it there.
TEST(SmallFloats, DoublesDoNotPassThroughF32) {
  for (const auto& [word, digits] :
       std::map<std::string, int>{{"f8e4m3fn", 4}, {"f8e4m3", 4}, {"f8e5m2", 3}, {"f8e3m4", 5}, {"f8e4m3fnuz", 4}, {"f8e5m2fnuz", 3}, {"f8e4m3b11fnuz", 4}}) {
    const Real probe = Real::from_double(1 + std::ldexp(1, -digits) + 0x1p-24);
    EXPECT_EQ(*round_to(probe, small_format(word)), Real::from_double(1 + std::ldexp(1, 1 - digits))) << word;
    EXPECT_EQ(*round_to(*round_to(probe, small_format("f32")), small_format(word)), Real::from_double(1)) << word;
  }
}

}  // namespace
}  // namespace tiebreak
