// SPDX-License-Identifier: Apache-2.0
// Storage of codes, limits, and attributes read as numbers.
#include <gtest/gtest.h>

#include "interpreter/tensor/attribute.hpp"

namespace tiebreak {
namespace {

TensorType type_of(const char* word, Shape shape) { return TensorType{*ElementType::parse(word), std::move(shape)}; }

TEST(Shape, CountsAndLimits) {
  EXPECT_EQ(*element_count({}), 1);
  EXPECT_EQ(*element_count({2, 3, 4}), 24);
  EXPECT_EQ(*element_count({2, 0, 4}), 0);
  EXPECT_EQ(*element_count({std::int64_t{1} << 31}), std::int64_t{1} << 31);
  EXPECT_EQ(element_count({(std::int64_t{1} << 31) + 1}).error().code, Errc::limit);
  EXPECT_EQ(element_count({std::int64_t{1} << 62, std::int64_t{1} << 62}).error().code, Errc::limit);
  EXPECT_EQ(element_count({0, std::int64_t{1} << 62}).error().code, Errc::limit);
  EXPECT_EQ(element_count({2, -1}).error().code, Errc::type);
  EXPECT_EQ(element_count(Shape(65, 1)).error().code, Errc::limit);
  EXPECT_EQ(to_text(Shape{2, 3}), "[2, 3]");
  EXPECT_EQ(to_text(Shape{}), "[]");
}

TEST(Tensor, EightGibibytesIsTheLimit) {
  EXPECT_EQ(Tensor::zeros(type_of("f64", {(std::int64_t{1} << 30) + 1})).error().code, Errc::limit);
  EXPECT_EQ(Tensor::from_bytes(type_of("f64", {std::int64_t{1} << 31}), {}, "here").error().code, Errc::limit);
}

TEST(Tensor, EveryCodeOfEveryNarrowTypeIsKept) {
  for (const char* word : {"bool", "i2", "u2", "i4", "u4", "i5", "i8", "u8", "i14", "u14", "i16", "f4e2m1", "f6e2m3", "f8e8m0", "bf16"}) {
    const ElementType element = *ElementType::parse(word);
    const std::int64_t codes = std::int64_t{1} << element.bits();
    Tensor tensor = *Tensor::zeros(type_of(word, {codes}));
    for (std::int64_t i = 0; i < codes; ++i) tensor.set_code(i, static_cast<std::uint64_t>(codes - 1 - i));
    for (std::int64_t i = 0; i < codes; ++i) {
      ASSERT_EQ(tensor.code(i), static_cast<std::uint64_t>(codes - 1 - i)) << word;
      ASSERT_TRUE(tensor.value(i).identical(element.decode(static_cast<std::uint64_t>(codes - 1 - i)))) << word;
    }
    const std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
    const auto again = Tensor::from_bytes(tensor.type(), bytes, "here");
    ASSERT_TRUE(again) << word;
    EXPECT_EQ(again->code(1), tensor.code(1));
  }
}

TEST(Tensor, SignedNarrowCodesAreSignExtended) {
  Tensor tensor = *Tensor::zeros(type_of("i4", {2}));
  tensor.set_code(0, 0xF);
  tensor.set_code(1, 0x7);
  EXPECT_EQ(std::to_integer<int>(tensor.bytes()[0]), 0xFF);
  EXPECT_EQ(std::to_integer<int>(tensor.bytes()[1]), 0x07);
  EXPECT_EQ(tensor.value(0).to_int64(), -1);
}

TEST(Tensor, ForeignBytesAreRefused) {
  const auto short_by_one = Tensor::from_bytes(type_of("i16", {2}), std::vector<std::byte>(3), "file.h5:/x");
  ASSERT_FALSE(short_by_one);
  EXPECT_EQ(short_by_one.error().code, Errc::corrupt);
  EXPECT_EQ(short_by_one.error().where, "file.h5:/x");
  for (const auto& [word, byte] :
       std::vector<std::pair<const char*, int>>{{"i4", 0x0F}, {"u4", 0x10}, {"bool", 2}, {"u2", 4}, {"f4e2m1", 0xF0}, {"i5", 0x10}}) {
    const auto tensor = Tensor::from_bytes(type_of(word, {1}), {static_cast<std::byte>(byte)}, "here");
    EXPECT_FALSE(tensor) << word;
  }
  EXPECT_TRUE(Tensor::from_bytes(type_of("i4", {1}), {std::byte{0xF8}}, "here"));
}

TEST(Attribute, NumbersAndLists) {
  EXPECT_EQ(Attribute{Real(7)}.as_integer(), 7);
  EXPECT_EQ(Attribute{true}.as_integer(), 1);
  EXPECT_FALSE(Attribute{Real::from_double(0.5)}.as_integer());
  EXPECT_FALSE(Attribute{std::string("7")}.as_integer());
  EXPECT_FALSE(Attribute{}.as_integer());
  EXPECT_EQ(Attribute::integers({1, -2}).as_integers(), (std::vector<std::int64_t>{1, -2}));
  const AttributeList mixed{Attribute{Real(1)}, Attribute{std::string("x")}};
  EXPECT_FALSE(Attribute{mixed}.as_integers());
  Tensor tensor = *Tensor::zeros(type_of("i64", {2}));
  tensor.set_code(1, static_cast<std::uint64_t>(-5));
  EXPECT_EQ(Attribute{tensor}.as_integers(), (std::vector<std::int64_t>{0, -5}));
  EXPECT_EQ(Attribute{std::string("x")}.as_string(), "x");
  EXPECT_TRUE(Attribute{}.is_none());
}

TEST(Attribute, Text) {
  const Attribute map{AttributeMap{{"b", Attribute::integers({1, 2})}, {"a", Attribute{std::string("q\"")}}, {"c", Attribute{*ElementType::parse("i4")}}}};
  EXPECT_EQ(to_text(map), "{a = \"q\\\"\", b = [1, 2], c = i4}");
  EXPECT_EQ(to_text(Attribute{}), "none");
}

}  // namespace
}  // namespace tiebreak
