// SPDX-License-Identifier: Apache-2.0
// Lines of memory: what a unit sums, where a step moves each number, and which shapes are none.
#include <gtest/gtest.h>

#include "testsuite/unit/structure/structure_request.hpp"

namespace tiebreak {
namespace {

AttributeMap rank_of(int rank) { return {{"rank", Attribute{Real(rank)}}}; }

Result<Geometry> lines(const Shape& state, const Shape& column, const Shape& weights, const AttributeMap& attributes) {
  return build_geometry(
      request_of("rows.svdf", {{"state", f32(state), nullptr}, {"column", f32(column), nullptr}, {"weights", f32(weights), nullptr}}, attributes));
}

std::int64_t read(const Geometry& geometry, const std::string& operand, Shape cell, Shape item) { return geometry.operands.at(operand).offset(cell, item); }

TEST(RowsSvdf, AUnitSumsTheLinesOfItsFilters) {
  const AttributeMap attributes = rank_of(2);
  const auto built = lines({2, 12}, {2, 4}, {4, 3}, attributes);
  ASSERT_TRUE(built) << to_text(built.error());
  EXPECT_EQ(built->result_shape, (Shape{2, 2}));
  EXPECT_EQ(built->item_extents, (Shape{2, 3}));
  EXPECT_EQ(built->item_result_shape, (Shape{2, 12}));
  // Image 1, unit 1, its second filter, which is filter 3.
  EXPECT_EQ(read(*built, "weights", {1, 1}, {1, 0}), 9);
  EXPECT_EQ(read(*built, "column", {1, 1}, {1, 2}), 7);
  EXPECT_EQ(read(*built, "state", {1, 1}, {1, 0}), 12 + 10) << "one place further on";
  EXPECT_EQ(read(*built, "state", {1, 1}, {1, 2}), 12 + 11) << "nothing moves to the last place";
  EXPECT_EQ(built->item_result.offset(Shape{1, 1}, Shape{1, 0}), 12 + 9);
}

TEST(RowsSvdf, ShapesThatDoNotFitAreRefused) {
  const AttributeMap two = rank_of(2), three = rank_of(3), none = rank_of(0);
  EXPECT_FALSE(lines({2, 12}, {2, 4}, {4, 3}, three)) << "four filters make no units of rank 3";
  EXPECT_FALSE(lines({2, 12}, {2, 4}, {4, 3}, none));
  EXPECT_FALSE(lines({2, 11}, {2, 4}, {4, 3}, two)) << "the state";
  EXPECT_FALSE(lines({2, 12}, {2, 3}, {4, 3}, two)) << "the column";
  EXPECT_FALSE(lines({2, 0}, {2, 4}, {4, 0}, two)) << "no memory";
}

}  // namespace
}  // namespace tiebreak
