// SPDX-License-Identifier: Apache-2.0
// Arrays that are cut along their leading dimension.
#include "testsuite/arrays/array_rows.hpp"

#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace tiebreak {
namespace {

TensorType u8_type(Shape shape) { return {*ElementType::parse("u8"), std::move(shape), {}}; }

ArrayOfFile counting_array(const std::string& type, Shape shape) {
  std::vector<std::int64_t> codes(static_cast<std::size_t>(*element_count(shape)));
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int64_t>(i);
  return {.name = "x", .origin = "x.npy", .tensor = codes_tensor(type, std::move(shape), codes)};
}

std::size_t rows_in(const Shape& found, const Shape& stated) { return row_count(counting_array("u8", found), u8_type(stated)).value_or(0); }

TEST(ArrayRows, HowManyInputsAnArrayHolds) {
  EXPECT_EQ(rows_in({1, 2, 3}, {1, 2, 3}), 1u);
  EXPECT_EQ(rows_in({5, 2, 3}, {1, 2, 3}), 5u);
  EXPECT_EQ(rows_in({6, 2, 3}, {2, 2, 3}), 3u);
  EXPECT_EQ(rows_in({7, 2, 3}, {2, 2, 3}), 0u) << "a batch of two, and one is left over";
  EXPECT_EQ(rows_in({4, 2, 3}, {2, 3}), 4u) << "a dimension more";
  EXPECT_EQ(rows_in({4, 1, 2, 3}, {1, 2, 3}), 4u);
  EXPECT_EQ(rows_in({5, 2, 3}, {open_dimension, 2, 3}), 5u) << "an open leading dimension is the batch";
  EXPECT_EQ(rows_in({5}, {open_dimension}), 1u) << "a vector of any length is one input";
  EXPECT_EQ(rows_in({2, 3}, {1, 2, 3}), 1u) << "a dimension of extent 1 may be missing";
  EXPECT_EQ(rows_in({5, 3, 2}, {1, 2, 3}), 0u);
  EXPECT_EQ(rows_in({}, {}), 1u);
  EXPECT_NE(row_count(counting_array("u8", {5, 2, 4, 3}), u8_type({1, 3, 2, 4})).error().hint.find("numpy.transpose"), std::string::npos) << "channels last";
}

TEST(ArrayRows, EachHasItsOwnNumbers) {
  const ArrayOfFile array = counting_array("u8", {3, 2});
  const auto row = row_of(array, u8_type({1, 2}), 3, 2);
  ASSERT_TRUE(row) << to_text(row.error());
  EXPECT_EQ(row->shape(), (Shape{1, 2}));
  EXPECT_EQ(row->code(0), 4u);
  EXPECT_EQ(row->code(1), 5u);
}

TEST(ArrayRows, NumbersOfAnotherTypeAreTakenWhereTheyFit) {
  const auto row = row_of(counting_array("i64", {3, 2}), u8_type({1, 2}), 3, 1);
  ASSERT_TRUE(row) << to_text(row.error());
  EXPECT_EQ(row->code(1), 3u);
  ArrayOfFile wide = counting_array("i64", {2, 2});
  wide.tensor->set_code(3, 300);
  const auto refused = row_of(wide, u8_type({1, 2}), 2, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, "x.npy[1]");
  EXPECT_NE(refused.error().what.find("300"), std::string::npos);
}

TEST(ArrayRows, BytesAreAsManyAsThereAre) {
  const ArrayOfFile bytes{.name = "x", .origin = "x.raw", .raw = std::vector<std::byte>(12)};
  EXPECT_EQ(row_count(bytes, u8_type({1, 4})).value_or(0), 3u);
  EXPECT_FALSE(row_count(bytes, u8_type({1, 5})));
  const auto open = row_count(bytes, u8_type({open_dimension, 4}));
  ASSERT_FALSE(open);
  EXPECT_NE(open.error().hint.find("--input-shape"), std::string::npos);
}

}  // namespace
}  // namespace tiebreak
