// SPDX-License-Identifier: Apache-2.0
// Structures of com.microsoft against loops written out by hand: matrices whose elements share entries, windows and convolutions with channels last.
#include <gtest/gtest.h>

#include "interpreter/structure/structure.hpp"
#include "testsuite/unit/structure/structure_request.hpp"

namespace tiebreak {
namespace {

std::vector<std::int64_t> coordinates(std::int64_t number, const Shape& extents) {
  std::vector<std::int64_t> place(extents.size());
  unravel(number, extents, place);
  return place;
}

StructureRequest packed_request(const Shape& x, const Shape& w, std::int64_t pieces, const AttributeMap& attributes) {
  StructureRequest request = request_of("dot.packed", {{"x", f32(x)}, {"w", f32(w)}}, attributes);
  request.arguments[1].block = pieces;
  return request;
}

/// The entry of w for each cell and item, by a function of the matrix's row and column.
template <class Entry>
void expect_entries(const Geometry& geometry, bool transposed, Entry entry) {
  for (std::int64_t cell = 0; cell < geometry.cells(); ++cell)
    for (std::int64_t item = 0; item < geometry.items(); ++item) {
      const auto at = coordinates(cell, geometry.cell_extents);
      const std::int64_t row = transposed ? at[1] : item, column = transposed ? item : at[1];
      EXPECT_EQ(geometry.operands.at("w").offset(at, coordinates(item, geometry.item_extents)), entry(row, column));
      EXPECT_EQ(geometry.operands.at("x").offset(at, coordinates(item, geometry.item_extents)), at[0] * geometry.items() + item);
    }
}

TEST(DotPacked, RowsOfEntriesEndWhereTheyEnd) {
  // Three rows of 5 elements, 2 blocks of 2 bytes each, 2 elements a byte: a row has 8 places.
  const AttributeMap attributes{{"N", Attribute{Real(3)}}, {"K", Attribute{Real(5)}}};
  const auto geometry = build_geometry(packed_request({2, 4, 5}, {3, 2, 2}, 2, attributes));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  EXPECT_EQ(geometry->result_shape, (Shape{2, 4, 3}));
  expect_entries(*geometry, true, [](std::int64_t row, std::int64_t column) { return row * 4 + column / 2; });
}

TEST(DotPacked, ShapesStandForAttributes) {
  const AttributeMap none;
  const auto geometry = build_geometry(packed_request({2, 5}, {3, 3}, 2, none));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  EXPECT_EQ(geometry->result_shape, (Shape{2, 3}));
  expect_entries(*geometry, true, [](std::int64_t row, std::int64_t column) { return row * 3 + column / 2; });
}

TEST(DotPacked, ALineHasNoGaps) {
  for (bool transposed : {true, false}) {
    const AttributeMap attributes{{"N", Attribute{Real(3)}}, {"K", Attribute{Real(5)}}, {"transB", Attribute{Real(transposed ? 1 : 0)}}};
    const auto geometry = build_geometry(packed_request({transposed ? 5 : 3}, {8}, 2, attributes));
    ASSERT_TRUE(geometry) << to_text(geometry.error());
    EXPECT_EQ(geometry->result_shape, (Shape{transposed ? 3 : 5}));
    expect_entries(*geometry, transposed, [](std::int64_t row, std::int64_t column) { return (row * 5 + column) / 2; });
  }
}

TEST(DotPacked, RefusesWhatDoesNotFit) {
  const AttributeMap attributes{{"N", Attribute{Real(3)}}, {"K", Attribute{Real(5)}}};
  EXPECT_FALSE(build_geometry(packed_request({2, 4}, {8}, 2, attributes)));        // rows of another length
  EXPECT_FALSE(build_geometry(packed_request({2, 5}, {7}, 2, attributes)));        // 14 elements of 15
  EXPECT_FALSE(build_geometry(packed_request({2, 5}, {2, 2, 2}, 2, attributes)));  // another number of rows
  EXPECT_FALSE(build_geometry(packed_request({2, 5}, {3, 1, 2}, 2, attributes)));  // 4 elements of 5
  EXPECT_FALSE(build_geometry(packed_request({2, 5}, {8}, 2, {{"K", Attribute{Real(5)}}})));
}

TEST(WindowNhwc, IsTheWindowWithChannelsLast) {
  AttributeMap attributes{{"kernel_shape", Attribute::integers({2, 3})}, {"strides", Attribute::integers({2, 1})}, {"pads", Attribute::integers({1, 0, 0, 2})}};
  const auto plain = build_geometry(request_of("window.nhwc", {{"x", f32({2, 7, 6, 3})}}, attributes));
  attributes["channels_last"] = Attribute{Real(1)};
  const auto stated = build_geometry(request_of("window.onnx", {{"x", f32({2, 7, 6, 3})}}, attributes));
  ASSERT_TRUE(plain && stated);
  EXPECT_EQ(plain->result_shape, stated->result_shape);
  EXPECT_TRUE(same_places(*plain, *stated));
}

/// Groups, strides, dilation and padding: each tap is where the loops find it, and the kernel keeps its own layout.
TEST(ConvolutionOnnx, ChannelsLastMoveTheOperandAndTheResult) {
  const AttributeMap attributes{{"strides", Attribute::integers({2})},
                                {"dilations", Attribute::integers({2})},
                                {"pads", Attribute::integers({1, 2})},
                                {"group", Attribute{Real(2)}},
                                {"channels_last", Attribute{Real(1)}}};
  const auto geometry = build_geometry(request_of("convolution.onnx", {{"x", f32({2, 9, 4})}, {"w", f32({6, 2, 3})}}, attributes));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  const std::int64_t places = (9 + 3 - 5) / 2 + 1;
  ASSERT_EQ(geometry->result_shape, (Shape{2, places, 6}));
  for (std::int64_t cell = 0; cell < geometry->cells(); ++cell) {
    const auto at = coordinates(cell, geometry->cell_extents);
    const std::int64_t image = cell / (places * 6), place = cell / 6 % places, feature = cell % 6;
    std::int64_t item = 0;
    for (std::int64_t k = 0; k < 3; ++k)
      for (std::int64_t c = 0; c < 2; ++c, ++item) {
        const std::int64_t from = place * 2 + k * 2 - 1;
        const std::int64_t expected = from < 0 || from >= 9 ? -1 : (image * 9 + from) * 4 + feature / 3 * 2 + c;
        EXPECT_EQ(geometry->operands.at("x").offset(at, coordinates(item, geometry->item_extents)), expected);
        EXPECT_EQ(geometry->operands.at("w").offset(at, coordinates(item, geometry->item_extents)), (feature * 2 + c) * 3 + k);
      }
  }
}

}  // namespace
}  // namespace tiebreak
