// SPDX-License-Identifier: Apache-2.0
// Codes and values of every format: all codes where there are few, and the figures by which each format is known.
#include <gtest/gtest.h>

#include "interpreter/exact/float_format.hpp"

namespace tiebreak {
namespace {

bool same(const Real& a, const Real& b) { return a.identical(b); }

TEST(FloatCode, EveryCodeOfSmallFormatsComesBack) {
  for (const FloatFormat& format : float_formats()) {
    if (format.bits() > 19) continue;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << format.bits(); ++code) {
      const Real v = decode(code, format);
      const auto back = encode(v, format);
      ASSERT_TRUE(back.has_value()) << format.name << " " << code;
      if (v.is_nan()) {
        EXPECT_TRUE(decode(*back, format).is_nan()) << format.name << " " << code;
      } else {
        EXPECT_EQ(*back, code) << format.name;
        const auto rounded = round_to(v, format);
        ASSERT_TRUE(rounded.has_value());
        EXPECT_TRUE(same(*rounded, v)) << format.name << " " << code;
        if (v.is_finite()) {
          EXPECT_LE(abs(v), format.largest()) << format.name << " " << code;
          EXPECT_LE(format.lowest(), v) << format.name << " " << code;
          EXPECT_TRUE(v.is_zero() || abs(v) >= format.smallest()) << format.name << " " << code;
        }
      }
    }
  }
}

TEST(FloatCode, LargestAndSmallestValues) {
  struct Row {
    const char* name;
    int bits;
    const char* largest;
    const char* smallest;
  };
  const Row rows[] = {
      {"f64", 64, "0x1.fffffffffffffp1023", "0x1p-1074"},
      {"f32", 32, "0x1.fffffep127", "0x1p-149"},
      {"tf32", 19, "0x1.ffcp127", "0x1p-136"},
      {"f16", 16, "65504", "0x1p-24"},
      {"bf16", 16, "0x1.fep127", "0x1p-133"},
      {"f8e5m2", 8, "57344", "0x1p-16"},
      {"f8e4m3", 8, "240", "0x1p-9"},
      {"f8e3m4", 8, "15.5", "0x1p-6"},
      {"f8e4m3fn", 8, "448", "0x1p-9"},
      {"f8e4m3fnuz", 8, "240", "0x1p-10"},
      {"f8e5m2fnuz", 8, "57344", "0x1p-17"},
      {"f8e4m3b11fnuz", 8, "30", "0x1p-13"},
      {"f6e3m2", 6, "28", "0.0625"},
      {"f6e2m3", 6, "7.5", "0.125"},
      {"f4e2m1", 4, "6", "0.5"},
      {"f8e8m0", 8, "0x1p127", "0x1p-127"},
  };
  EXPECT_EQ(std::size(rows), float_formats().size());
  for (const Row& row : rows) {
    const FloatFormat* format = find_float_format(row.name);
    ASSERT_NE(format, nullptr) << row.name;
    EXPECT_EQ(format->bits(), row.bits) << row.name;
    EXPECT_EQ(format->largest().to_hex_float(), Real::parse(row.largest)->to_hex_float()) << row.name;
    EXPECT_EQ(format->smallest().to_hex_float(), Real::parse(row.smallest)->to_hex_float()) << row.name;
  }
  EXPECT_EQ(find_float_format("f8"), nullptr);
}

TEST(FloatCode, CanonicalNanCodes) {
  const auto code = [](const char* name) { return encode(Real::nan(), *find_float_format(name)); };
  EXPECT_EQ(code("f32"), 0x7FC00000U);
  EXPECT_EQ(code("f64"), 0x7FF8000000000000U);
  EXPECT_EQ(code("f16"), 0x7E00U);
  EXPECT_EQ(code("bf16"), 0x7FC0U);
  EXPECT_EQ(code("f8e5m2"), 0x7EU);
  EXPECT_EQ(code("f8e4m3fn"), 0x7FU);
  EXPECT_EQ(code("f8e4m3fnuz"), 0x80U);
  EXPECT_EQ(code("f8e8m0"), 0xFFU);
  EXPECT_EQ(code("f4e2m1"), std::nullopt);
}

TEST(FloatCode, WhatAFormatDoesNotHoldHasNoCode) {
  const auto code = [](const char* text, const char* name) { return encode(*Real::parse(text), *find_float_format(name)); };
  EXPECT_EQ(code("1/3", "f64"), std::nullopt);
  EXPECT_EQ(code("-0", "f8e4m3fnuz"), std::nullopt);
  EXPECT_EQ(code("inf", "f8e4m3fn"), std::nullopt);
  EXPECT_EQ(code("0", "f8e8m0"), std::nullopt);
  EXPECT_EQ(code("-1", "f8e8m0"), std::nullopt);
  EXPECT_EQ(code("3", "f8e8m0"), std::nullopt);
  EXPECT_EQ(code("480", "f8e4m3fn"), std::nullopt);
  EXPECT_EQ(code("65505", "f16"), std::nullopt);
  EXPECT_EQ(code("0x1p-25", "f16"), std::nullopt);
  EXPECT_EQ(code("0x1p-24", "f16"), 1U);
  EXPECT_EQ(code("-inf", "f16"), 0xFC00U);
}

TEST(FloatCode, WordsOfRoundingsComeBack) {
  for (const char* word : {"rne", "rna", "rhu", "rhd", "rnz", "rtz", "floor", "ceil", "odd"}) {
    const Rounding* rounding = find_rounding(word);
    ASSERT_NE(rounding, nullptr);
    EXPECT_EQ(to_word(*rounding), word);
  }
  EXPECT_EQ(find_rounding("round"), nullptr);
}

}  // namespace
}  // namespace tiebreak
