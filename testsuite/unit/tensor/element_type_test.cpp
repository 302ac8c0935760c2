// SPDX-License-Identifier: Apache-2.0
// Spellings, widths and codes of element types, exhaustively where the codes are few.
#include <gtest/gtest.h>

#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {
namespace {

std::vector<std::string> all_words() {
  std::vector<std::string> words{"bool"};
  for (const FloatFormat& format : float_formats()) words.emplace_back(format.name);
  for (int bits = 1; bits <= 64; ++bits) {
    if (bits > 1) words.push_back("i" + std::to_string(bits));
    words.push_back("u" + std::to_string(bits));
  }
  return words;
}

TEST(ElementType, EverySpellingOfEveryTypeReadsBack) {
  for (const std::string& word : all_words()) {
    const auto type = ElementType::parse(word);
    ASSERT_TRUE(type) << word;
    EXPECT_EQ(type->name(), word);
    const auto again = ElementType::parse(type->mlir_name());
    ASSERT_TRUE(again) << type->mlir_name();
    EXPECT_TRUE(*again == *type) << type->mlir_name();
  }
}

TEST(ElementType, MlirSpellings) {
  const std::vector<std::pair<const char*, const char*>> spellings{{"i1", "bool"},
                                                                   {"si8", "i8"},
                                                                   {"ui8", "u8"},
                                                                   {"i8", "i8"},
                                                                   {"u8", "u8"},
                                                                   {"si1", "i1"},
                                                                   {"f8E4M3FN", "f8e4m3fn"},
                                                                   {"f8E5M2", "f8e5m2"},
                                                                   {"f8E4M3FNUZ", "f8e4m3fnuz"},
                                                                   {"f8E5M2FNUZ", "f8e5m2fnuz"},
                                                                   {"f8E4M3B11FNUZ", "f8e4m3b11fnuz"},
                                                                   {"f8E3M4", "f8e3m4"},
                                                                   {"f8E4M3", "f8e4m3"},
                                                                   {"f6E3M2FN", "f6e3m2"},
                                                                   {"f6E2M3FN", "f6e2m3"},
                                                                   {"f4E2M1FN", "f4e2m1"},
                                                                   {"f8E8M0FNU", "f8e8m0"},
                                                                   {"bf16", "bf16"},
                                                                   {"tf32", "tf32"},
                                                                   {"f64", "f64"}};
  for (const auto& [spelling, word] : spellings) {
    const auto type = ElementType::parse(spelling);
    ASSERT_TRUE(type) << spelling;
    EXPECT_EQ(type->name(), word) << spelling;
  }
}

TEST(ElementType, OnnxSpellings) {
  const std::vector<std::pair<const char*, const char*>> spellings{{"float", "f32"},
                                                                   {"double", "f64"},
                                                                   {"float16", "f16"},
                                                                   {"bfloat16", "bf16"},
                                                                   {"int8", "i8"},
                                                                   {"uint8", "u8"},
                                                                   {"int4", "i4"},
                                                                   {"uint4", "u4"},
                                                                   {"int2", "i2"},
                                                                   {"uint2", "u2"},
                                                                   {"int64", "i64"},
                                                                   {"uint64", "u64"},
                                                                   {"bool", "bool"},
                                                                   {"float32", "f32"},
                                                                   {"float8e4m3fn", "f8e4m3fn"},
                                                                   {"float8e4m3fnuz", "f8e4m3fnuz"},
                                                                   {"float8e5m2", "f8e5m2"},
                                                                   {"float8e5m2fnuz", "f8e5m2fnuz"},
                                                                   {"float4e2m1", "f4e2m1"},
                                                                   {"float8e8m0", "f8e8m0"}};
  for (const auto& [spelling, word] : spellings) {
    const auto type = ElementType::parse(spelling);
    ASSERT_TRUE(type) << spelling;
    EXPECT_EQ(type->name(), word) << spelling;
  }
}

TEST(ElementType, OtherWordsAreNone) {
  for (const char* word : {"", "i", "i0", "i65", "u", "x8", "F32", "I8", "f33", "int", "uint0", "float8", "i8 ", " i8", "i08x", "string", "complex"}) {
    EXPECT_FALSE(ElementType::parse(word)) << word;
  }
}

TEST(ElementType, StorageBytes) {
  const std::vector<std::pair<const char*, int>> widths{{"bool", 1}, {"i2", 1},   {"u4", 1},  {"i8", 1},  {"i9", 2},  {"i14", 2},    {"f16", 2},
                                                        {"u17", 4},  {"tf32", 4}, {"f32", 4}, {"i33", 8}, {"f64", 8}, {"f4e2m1", 1}, {"f6e3m2", 1}};
  for (const auto& [word, bytes] : widths) EXPECT_EQ(ElementType::parse(word)->storage_bytes(), bytes) << word;
}

TEST(ElementType, EveryCodeUpTo16BitsDecodesAndEncodesBack) {
  for (const std::string& word : all_words()) {
    const ElementType type = *ElementType::parse(word);
    if (type.bits() > 16) continue;
    for (std::uint64_t code = 0; code < (std::uint64_t{1} << type.bits()); ++code) {
      const Real value = type.decode(code);
      if (value.is_nan()) continue;  // several codes, one nan
      const auto back = type.encode(value);
      ASSERT_TRUE(back) << word << " " << code;
      ASSERT_EQ(*back, code) << word;
      if (value.is_finite()) {
        ASSERT_TRUE(type.min() <= value && value <= type.max()) << word << " " << code;
      }
    }
  }
}

TEST(ElementType, ValuesOffTheGridHaveNoCode) {
  EXPECT_FALSE(ElementType::parse("i8")->encode(Real(128)));
  EXPECT_FALSE(ElementType::parse("i8")->encode(Real(-129)));
  EXPECT_FALSE(ElementType::parse("u8")->encode(Real(-1)));
  EXPECT_FALSE(ElementType::parse("i8")->encode(Real::from_double(0.5)));
  EXPECT_FALSE(ElementType::parse("i8")->encode(Real::nan()));
  EXPECT_FALSE(ElementType::parse("i64")->encode(Real::infinity()));
  EXPECT_FALSE(ElementType::parse("bool")->encode(Real(2)));
  EXPECT_FALSE(ElementType::parse("f32")->encode(*Real::parse("0.1")));
  EXPECT_FALSE(ElementType::parse("f8e4m3fn")->encode(Real::infinity()));
  EXPECT_EQ(ElementType::parse("u64")->encode(ElementType::parse("u64")->max()), ~std::uint64_t{0});
}

}  // namespace
}  // namespace tiebreak
