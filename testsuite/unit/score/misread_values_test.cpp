// SPDX-License-Identifier: Apache-2.0
// Lists and tensors read wrongly, word by word.
#include "testsuite/score/misread_values.hpp"

#include <gtest/gtest.h>

namespace tiebreak {
namespace {

/// The value as the word has it, or `-`.
std::string read(const std::string& word, const Attribute& value, bool vectors = false) {
  auto entries = entries_of(value);
  if (!entries || !misread(word, *entries, vectors)) return "-";
  return to_text(to_attribute(*entries, value));
}

Attribute flags_attribute(const std::vector<bool>& values) {
  AttributeList list;
  for (bool one : values) list.push_back(Attribute{one});
  return Attribute{std::move(list)};
}

Attribute rows_attribute(const std::vector<std::vector<std::int64_t>>& rows) {
  AttributeList list;
  for (const auto& row : rows) list.push_back(Attribute::integers(row));
  return Attribute{std::move(list)};
}

Attribute tensor_attribute(const Shape& shape, const std::vector<std::int64_t>& values) {
  Tensor made = *Tensor::zeros({*ElementType::parse("i64"), shape, {}});
  for (std::size_t i = 0; i < values.size(); ++i) made.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
  return Attribute{std::move(made)};
}

TEST(MisreadValues, Lists) {
  const Attribute list = Attribute::integers({2, 0, 1});
  EXPECT_EQ(read("more", list), "[3, 1, 2]");
  EXPECT_EQ(read("less", list), "[1, -1, 0]");
  EXPECT_EQ(read("reversed", list), "[1, 0, 2]");
  EXPECT_EQ(read("first", list), "[2, 2, 2]");
  EXPECT_EQ(read("inverse", list), "[1, 2, 0]");
  EXPECT_EQ(read("inverse", Attribute::integers({0, 3})), "-");
  EXPECT_EQ(read("negated", list), "-");
  EXPECT_EQ(read("sides", list), "-") << "an odd number of paddings has no sides";
}

TEST(MisreadValues, Flags) {
  EXPECT_EQ(read("negated", Attribute{true}), "false");
  EXPECT_EQ(read("negated", flags_attribute({true, false})), "[false, true]");
  EXPECT_EQ(read("more", flags_attribute({true, false})), "-");
  EXPECT_EQ(read("more", Attribute{std::string("A")}), "-");
  EXPECT_EQ(read("more", Attribute{*Real::parse("0.5")}), "-") << "whole numbers alone";
}

TEST(MisreadValues, Paddings) {
  const Attribute flat = Attribute::integers({1, 2, 3, 4});
  EXPECT_EQ(read("sides", flat), "[3, 4, 1, 2]");
  EXPECT_EQ(read("shifted", flat), "[2, 3, 2, 3]");
  const Attribute rows = rows_attribute({{1, 2}, {3, 4}});
  EXPECT_EQ(read("sides", rows), "[[2, 1], [4, 3]]");
  EXPECT_EQ(read("shifted", rows), "[[2, 1], [4, 3]]");
  EXPECT_EQ(read("reversed", rows), "[[3, 4], [1, 2]]");
  EXPECT_EQ(read("first", rows), "[[1, 2], [1, 2]]");
}

TEST(MisreadValues, Tensors) {
  const Attribute vectors = tensor_attribute({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(read("reversed", vectors, true), to_text(tensor_attribute({2, 3}, {3, 2, 1, 6, 5, 4}))) << "each vector by itself";
  EXPECT_EQ(read("reversed", vectors, false), to_text(tensor_attribute({2, 3}, {4, 5, 6, 1, 2, 3})));
  EXPECT_EQ(read("more", vectors, true), to_text(tensor_attribute({2, 3}, {2, 3, 4, 5, 6, 7})));
  Tensor bytes = *Tensor::zeros({*ElementType::parse("u8"), {2}, {}});
  bytes.set_code(1, 7);
  Entries entries = entries_of(bytes);
  ASSERT_TRUE(misread("less", entries, true));
  const Tensor less = to_tensor(entries, bytes);
  EXPECT_EQ(less.value(0), Real(0)) << "what the type cannot hold stays";
  EXPECT_EQ(less.value(1), Real(6));
}

}  // namespace
}  // namespace tiebreak
