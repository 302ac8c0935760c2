// SPDX-License-Identifier: Apache-2.0
// Literals by element type: splats, nested and flat lists, bits, roundings, and what is refused.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

TensorType type_of(const char* word, Shape shape) { return TensorType{*ElementType::parse(word), std::move(shape)}; }

std::vector<std::uint64_t> codes(const char* text, const TensorType& type) {
  const auto tensor = parse_literal(text, type, "here");
  if (!tensor) {
    ADD_FAILURE() << text << ": " << to_text(tensor.error());
    return {};
  }
  std::vector<std::uint64_t> result;
  for (std::int64_t i = 0; i < tensor->size(); ++i) result.push_back(tensor->code(i));
  return result;
}
using Codes = std::vector<std::uint64_t>;

TEST(Literal, Shapes) {
  EXPECT_EQ(codes("7", type_of("i8", {})), (Codes{7}));
  EXPECT_EQ(codes("[7]", type_of("i8", {})), (Codes{7}));
  EXPECT_EQ(codes("7", type_of("i8", {2, 2})), (Codes{7, 7, 7, 7}));
  EXPECT_EQ(codes("[[1, 2], [3, 4]]", type_of("i8", {2, 2})), (Codes{1, 2, 3, 4}));
  EXPECT_EQ(codes("[1, 2, 3, 4]", type_of("i8", {2, 2})), (Codes{1, 2, 3, 4}));
  EXPECT_EQ(codes("dense<[1, 2]>", type_of("i8", {2})), (Codes{1, 2}));
  EXPECT_EQ(codes("dense<[1, 2]> : tensor<2xi8>", type_of("i8", {2})), (Codes{1, 2}));
  EXPECT_EQ(codes("[]", type_of("i8", {0})), (Codes{}));
  EXPECT_EQ(codes("[[], []]", type_of("i8", {2, 0})), (Codes{}));
  EXPECT_EQ(codes("[]", type_of("i8", {0, 2})), (Codes{}));
  EXPECT_EQ(codes("[[[1],[2]],[[3],[4]]]", type_of("i8", {2, 2, 1})), (Codes{1, 2, 3, 4}));
}

TEST(Literal, WrongShapes) {
  for (const char* text :
       {"[1, 2, 3]", "[[1, 2]]", "[[1], [2]]", "[[1, 2], [3, 4], [5, 6]]", "[[1, 2], 3, 4]", "[1, 2, [3, 4]]", "[[[1, 2], [3, 4]]]", "[]", "[[], []]", "",
        "[1, 2, 3, 4", "[1, 2, 3, 4]]", "[1 2 3 4]", "[1,, 2, 3]", "[,1]", "[1, 2, 3, 4,]", "1 2", "undefined", "[[1, 2], []]"}) {
    EXPECT_FALSE(parse_literal(text, type_of("i8", {2, 2}), "here")) << text;
  }
  EXPECT_FALSE(parse_literal("[[], [], []]", type_of("i8", {2, 0}), "here"));
}

TEST(Literal, Integers) {
  EXPECT_EQ(codes("[-1, 0x7F, 1.0, 2e1]", type_of("i8", {4})), (Codes{255, 127, 1, 20}));
  EXPECT_EQ(codes("[-8, 7]", type_of("i4", {2})), (Codes{8, 7}));
  EXPECT_EQ(codes("18446744073709551615", type_of("u64", {})), (Codes{~std::uint64_t{0}}));
  EXPECT_EQ(codes("[true, false, 1, 0]", type_of("bool", {4})), (Codes{1, 0, 1, 0}));
  for (const char* text : {"[0, 128]", "[0, -129]", "[0, 1.5]", "[0, inf]", "[0, nan]", "[0, true]", "[0, 0xFF]"}) {
    const auto tensor = parse_literal(text, type_of("i8", {2}), "case 3");
    ASSERT_FALSE(tensor) << text;
    EXPECT_EQ(tensor.error().where, "case 3");
    EXPECT_EQ(tensor.error().code, Errc::type);
    EXPECT_TRUE(tensor.error().what.starts_with("element 1: ")) << tensor.error().what;
  }
}

TEST(Literal, FloatsRoundToNearestEven) {
  EXPECT_EQ(codes("[0.1, 1, -0.0, 0x7FC00000, 0x1.8p3, inf, -inf, nan, -nan]", type_of("f32", {9})),
            (Codes{0x3DCCCCCD, 0x3F800000, 0x80000000, 0x7FC00000, 0x41400000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000}));
  EXPECT_EQ(codes("[16777217, 16777219]", type_of("f32", {2})), (Codes{0x4B800000, 0x4B800002}));  // ties
  EXPECT_EQ(codes("[0x3C00, 65504.0, 65519.99]", type_of("f16", {3})), (Codes{0x3C00, 0x7BFF, 0x7BFF}));
  EXPECT_EQ(codes("[448.0, 0x7F, 1.0e-9]", type_of("f8e4m3fn", {3})), (Codes{0x7E, 0x7F, 0}));
  EXPECT_EQ(codes("[0x7, 6.0, -0.5, 0x0F]", type_of("f4e2m1", {4})), (Codes{7, 7, 9, 15}));
  EXPECT_EQ(codes("[1.0, 0.5]", type_of("f8e8m0", {2})), (Codes{127, 126}));
  EXPECT_EQ(codes("0x7FF8000000000001", type_of("f64", {})), (Codes{0x7FF8000000000001}));
}

TEST(Literal, ValuesNoFormatHas) {
  for (const auto& [text, word] : std::vector<std::pair<const char*, const char*>>{{"65520.0", "f16"},
                                                                                   {"1.0e40", "f32"},
                                                                                   {"inf", "f8e4m3fn"},
                                                                                   {"nan", "f4e2m1"},
                                                                                   {"1000.0", "f4e2m1"},
                                                                                   {"500.0", "f8e4m3fn"},
                                                                                   {"0.0", "f8e8m0"},
                                                                                   {"-1.0", "f8e8m0"},
                                                                                   {"0x8", "f16"},
                                                                                   {"0xFF", "f4e2m1"},
                                                                                   {"0x40", "f6e2m3"},
                                                                                   {"-0x3C00", "f16"},
                                                                                   {"true", "f32"},
                                                                                   {"(1.0, 2.0)", "f32"}}) {
    EXPECT_FALSE(parse_literal(text, type_of(word, {}), "here")) << text << " as " << word;
  }
}

TEST(Literal, RawBytes) {
  EXPECT_EQ(codes("\"0x01000080\"", type_of("i16", {2})), (Codes{1, 0x8000}));
  EXPECT_EQ(codes("\"0xff\"", type_of("i8", {3})), (Codes{255, 255, 255}));
  EXPECT_EQ(codes("\"0x05\"", type_of("bool", {3})), (Codes{1, 0, 1}));
  EXPECT_EQ(codes("\"0xF807\"", type_of("i4", {2})), (Codes{8, 7}));
  EXPECT_FALSE(parse_literal("\"0x08\"", type_of("i4", {1}), "here"));
  EXPECT_FALSE(parse_literal("\"0x\"", type_of("i8", {1}), "here"));
  EXPECT_FALSE(parse_literal("\"01\"", type_of("i8", {1}), "here"));
}

TEST(Literal, EveryCodeOfEverySmallTypeSurvivesPrinting) {
  for (const char* word : {"bool", "i2", "u4", "i8", "u8", "i16", "f16", "bf16", "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f8e4m3b11fnuz", "f8e3m4",
                           "f8e4m3", "f6e3m2", "f6e2m3", "f4e2m1", "f8e8m0"}) {
    const ElementType element = *ElementType::parse(word);
    const std::int64_t count = std::int64_t{1} << element.bits();
    const std::int64_t step = count > 4096 ? 97 : 1;
    Program program;  // eight codes a constant, so that they print as numbers
    std::vector<std::uint64_t> expected;
    for (std::int64_t first = 0; first < count; first += 8 * step) {
      Tensor tensor = *Tensor::zeros(TensorType{element, {8}});
      for (std::int64_t i = 0; i < 8; ++i) tensor.set_code(i, static_cast<std::uint64_t>((first + i * step) % count));
      for (std::int64_t i = 0; i < 8; ++i) expected.push_back(tensor.code(i));
      program.values.push_back(ProgramValue{"c" + std::to_string(first), tensor.type(), tensor});
    }
    const auto parsed = parse_mlir(print_mlir(program), "t");
    ASSERT_TRUE(parsed) << word << ": " << to_text(parsed.error());
    std::vector<std::uint64_t> found;
    for (const ProgramValue& value : parsed->functions[0].values) {
      for (std::int64_t i = 0; i < 8; ++i) found.push_back(value.constant->code(i));
    }
    EXPECT_EQ(found, expected) << word;
  }
}

TEST(Literal, SplatsOfEveryFloatSurvivePrinting) {
  Program program;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const bool wide = seed % 2 == 1;
    Tensor tensor = *Tensor::zeros(type_of(wide ? "f64" : "f32", {}));
    tensor.set_code(0, (seed + 1) * 0x9E3779B97F4A7C15U);
    expected.push_back(tensor.code(0));
    program.values.push_back(ProgramValue{"c" + std::to_string(seed), tensor.type(), tensor});
  }
  const auto parsed = parse_mlir(print_mlir(program), "t");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(parsed->functions[0].values[i].constant->code(0), expected[i]) << i;
}

}  // namespace
}  // namespace tiebreak
