// SPDX-License-Identifier: Apache-2.0
// Sanity of the plain-float oracle against values worked out by hand and, for small formats, against a search over all codes.
#include "testsuite/oracle/quantize_oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tiebreak::oracle {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr CodeRange i8{-128, 127};
constexpr CodeRange u8{0, 255};

TEST(QuantizeOracle, integer_ranges) {
  EXPECT_EQ(integer_range(true, 8).min, -128);
  EXPECT_EQ(integer_range(true, 2).max, 1);
  EXPECT_EQ(integer_range(false, 4).max, 15);
  EXPECT_EQ(integer_range(false, 16).max, 65535);
}

TEST(QuantizeOracle, ties_by_rule) {
  const float x[] = {-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f};
  const std::int64_t even[] = {-2, -2, 0, 0, 2, 2};
  const std::int64_t away[] = {-3, -2, -1, 1, 2, 3};
  QuantizeRule rule_away;
  rule_away.tie = Tie::away;
  for (int index = 0; index < 6; ++index) {
    EXPECT_EQ(quantize(x[index], 1.0f, 0, i8), even[index]);
    EXPECT_EQ(quantize(x[index], 1.0f, 0, i8, rule_away), away[index]);
  }
}

TEST(QuantizeOracle, odd_zero_point_tells_the_order) {
  QuantizeRule before;
  before.order = ZeroPointOrder::before;
  EXPECT_EQ(quantize(0.5f, 1.0f, 1, i8), 1);
  EXPECT_EQ(quantize(0.5f, 1.0f, 1, i8, before), 2);
  EXPECT_EQ(quantize(0.5f, 1.0f, 2, i8), quantize(0.5f, 1.0f, 2, i8, before));
}

TEST(QuantizeOracle, reciprocal_differs_from_division) {
  QuantizeRule reciprocal;
  reciprocal.quotient = Quotient::reciprocal;
  EXPECT_EQ(quantize(7.14999962f, 0.1f, 0, i8), 71);
  EXPECT_EQ(quantize(7.14999962f, 0.1f, 0, i8, reciprocal), 72);
}

TEST(QuantizeOracle, saturates_or_wraps) {
  QuantizeRule wrap;
  wrap.overflow = Overflow::wrap;
  EXPECT_EQ(quantize(200.0f, 1.0f, 0, i8), 127);
  EXPECT_EQ(quantize(200.0f, 1.0f, 0, i8, wrap), -56);
  EXPECT_EQ(quantize(-1.0f, 1.0f, 0, u8, wrap), 255);
  EXPECT_EQ(quantize(3e38f, 1.0f, 5, u8), 255);
  EXPECT_EQ(quantize(-3e38f, 1.0f, 5, u8), 0);
  EXPECT_EQ(quantize(inf, 1.0f, -128, i8), 127);
  EXPECT_EQ(quantize(1.0f, 0.0f, 0, i8), 127);
  EXPECT_EQ(quantize(2.5f, -1.0f, 128, u8), 126);
}

TEST(QuantizeOracle, not_a_number_by_policy) {
  QuantizeRule rule;
  EXPECT_EQ(quantize(nan, 1.0f, 7, i8, rule), -128);
  rule.not_a_number = NotANumber::zero;
  EXPECT_EQ(quantize(nan, 1.0f, 7, i8, rule), 0);
  rule.not_a_number = NotANumber::zero_point;
  EXPECT_EQ(quantize(0.0f, 0.0f, 7, i8, rule), 7);
  rule.not_a_number = NotANumber::greatest;
  EXPECT_EQ(quantize(nan, 1.0f, 7, i8, rule), 127);
}

TEST(QuantizeOracle, requantize_rounds_the_accumulator_first) {
  EXPECT_EQ(requantize(5, 0.5f, 0, i8), 2);
  EXPECT_EQ(requantize(-5, 0.5f, 1, i8), -1);
  // 27962029 * 1.5 / 2^24 is above 2.5; f32(27962029) = 27962028 brings the f32 product to the tie.
  EXPECT_EQ(requantize(27962029, 0x1.8p-24f, 0, i8), 2);
  EXPECT_EQ(requantize_multiplier(0.1f, 0.3f, 0.7f), static_cast<float>(0.1f * 0.3f) / 0.7f);
}

TEST(QuantizeOracle, dequantize_wraps_the_difference) {
  EXPECT_EQ(dequantize(200, 128, 0.5f), 36.0f);
  EXPECT_EQ(dequantize(std::numeric_limits<std::int32_t>::min(), 1, 1.0f), 2147483648.0f);
  EXPECT_TRUE(std::isnan(dequantize(5, 5, inf)));
}

TEST(QuantizeOracle, dynamic_parameters) {
  const std::vector<float> ramp{-2.5f, 252.5f};
  EXPECT_EQ(dynamic_quantize(ramp).scale, 1.0f);
  EXPECT_EQ(dynamic_quantize(ramp).zero_point, 2);
  const std::vector<float> zeros{0.0f, 0.0f};
  EXPECT_EQ(dynamic_quantize(zeros).scale, 1.0f);
  EXPECT_EQ(dynamic_quantize(zeros).zero_point, 0);
  const std::vector<float> positive{1.0f, 2.0f};
  EXPECT_EQ(dynamic_quantize(positive).scale, 2.0f / 255.0f);
  EXPECT_EQ(dynamic_quantize(positive).codes[1], 255);
  const std::vector<float> infinite{-inf, 1.0f};
  EXPECT_EQ(dynamic_quantize(infinite).zero_point, 255);
}

struct NamedFormat {
  const char* name;
  SmallFloat format;
  float largest, smallest;
  int nan_codes;
};
constexpr NamedFormat formats[] = {
    {"f8e4m3fn", f8e4m3fn, 448, 0x1p-9f, 2},
    {"f8e4m3fnuz", f8e4m3fnuz, 240, 0x1p-10f, 1},
    {"f8e5m2", f8e5m2, 57344, 0x1p-16f, 6},
    {"f8e5m2fnuz", f8e5m2fnuz, 57344, 0x1p-17f, 1},
};

TEST(SmallFloatOracle, every_code_comes_back) {
  for (const NamedFormat& named : formats) {
    float largest = 0, smallest = inf;
    int nan_codes = 0;
    for (std::uint32_t code = 0; code < 256; ++code) {
      const float value = decode(code, named.format);
      nan_codes += std::isnan(value) ? 1 : 0;
      if (std::isnan(value)) continue;
      EXPECT_EQ(encode(value, named.format, false), code) << named.name;
      if (std::isfinite(value)) largest = std::max(largest, value);
      if (value > 0) smallest = std::min(smallest, value);
    }
    EXPECT_EQ(largest, named.largest) << named.name;
    EXPECT_EQ(smallest, named.smallest) << named.name;
    EXPECT_EQ(nan_codes, named.nan_codes) << named.name;
  }
}

/// Nearest finite code by search; of two equally near ones the even code.
std::uint32_t nearest_code(float value, const SmallFloat& format) {
  std::uint32_t best = 0;
  double least = inf;
  for (std::uint32_t code = 0; code < 256; ++code) {
    const float candidate = decode(code, format);
    if (!std::isfinite(candidate) || std::signbit(candidate) != std::signbit(value)) continue;
    const double distance = std::fabs(static_cast<double>(candidate) - value);
    if (distance < least || (distance == least && code % 2 == 0)) {
      best = code;
      least = distance;
    }
  }
  return best;
}

TEST(SmallFloatOracle, nearest_by_search) {
  for (const NamedFormat& named : formats) {
    for (std::uint32_t code = 0; code < 255; ++code) {
      const float low = decode(code, named.format), high = decode(code + 1, named.format);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const float middle = static_cast<float>((static_cast<double>(low) + high) / 2);
      for (float value : {middle, std::nextafter(middle, inf), std::nextafter(middle, -inf)}) {
        const std::uint32_t expected = nearest_code(value, named.format);
        const bool vanishes = named.format.kind == SmallFloatKind::fnuz && decode(expected, named.format) == 0;
        EXPECT_EQ(encode(value, named.format, true), vanishes ? 0 : expected) << named.name << ' ' << value;
      }
    }
  }
}

TEST(SmallFloatOracle, overflow_saturates_or_does_not) {
  EXPECT_EQ(encode(464.0f, f8e4m3fn, false), 0x7eU);  // tie towards the even 448
  EXPECT_EQ(encode(465.0f, f8e4m3fn, false), 0x7fU);
  EXPECT_EQ(encode(-465.0f, f8e4m3fn, true), 0xfeU);
  EXPECT_EQ(encode(61440.0f, f8e5m2, false), 0x7cU);
  EXPECT_EQ(encode(61440.0f, f8e5m2, true), 0x7bU);
  EXPECT_EQ(encode(inf, f8e4m3fnuz, true), 0x7fU);
  EXPECT_EQ(encode(inf, f8e4m3fnuz, false), 0x80U);
  EXPECT_EQ(encode(-1e-30f, f8e5m2fnuz, true), 0U);
  EXPECT_EQ(encode(65520.0f, f16, false), 0x7c00U);
  EXPECT_EQ(encode(65519.996f, f16, false), 0x7bffU);
}

}  // namespace
}  // namespace tiebreak::oracle
