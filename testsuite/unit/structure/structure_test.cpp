// SPDX-License-Identifier: Apache-2.0
// Geometries against loops written out by hand: every (cell, item) of a convolution and a dot must read the element that the loops read.
#include "interpreter/structure/structure.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "testsuite/unit/structure/structure_request.hpp"

namespace tiebreak {
namespace {

struct Place {
  std::vector<std::int64_t> cell, item;
};

Place place_in(const Geometry& geometry, std::int64_t cell, std::int64_t item) {
  Place place{std::vector<std::int64_t>(geometry.cell_extents.size()), std::vector<std::int64_t>(geometry.item_extents.size())};
  unravel(cell, geometry.cell_extents, place.cell);
  unravel(item, geometry.item_extents, place.item);
  return place;
}

TEST(Convolution, ReadsWhatTheLoopsRead) {
  // 2 groups, strides 2 and 1, padding on all sides, dilation 2 and 1.
  const Shape x{2, 4, 7, 6}, w{6, 2, 3, 2};
  AttributeMap attributes{{"group", Attribute{Real(2)}},
                          {"strides", Attribute::integers({2, 1})},
                          {"pads", Attribute::integers({1, 0, 2, 1})},
                          {"dilations", Attribute::integers({2, 1})}};
  auto geometry = build_geometry(request_of("convolution.onnx", {{"x", f32(x)}, {"w", f32(w)}}, attributes));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  const std::int64_t oh = (7 + 3 - 5) / 2 + 1, ow = (6 + 1 - 2) / 1 + 1;
  ASSERT_EQ(geometry->result_shape, (Shape{2, 6, oh, ow}));
  std::int64_t cell = 0;
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t m = 0; m < 6; ++m)
      for (std::int64_t i = 0; i < oh; ++i)
        for (std::int64_t j = 0; j < ow; ++j, ++cell) {
          std::int64_t item = 0;
          for (std::int64_t ki = 0; ki < 3; ++ki)
            for (std::int64_t kj = 0; kj < 2; ++kj)
              for (std::int64_t c = 0; c < 2; ++c, ++item) {
                const std::int64_t xi = i * 2 - 1 + ki * 2, xj = j - 0 + kj, channel = m / 3 * 2 + c;
                const bool inside = xi >= 0 && xi < 7 && xj >= 0 && xj < 6;
                const Place place = place_in(*geometry, cell, item);
                EXPECT_EQ(geometry->operands.at("x").offset(place.cell, place.item), inside ? ((n * 4 + channel) * 7 + xi) * 6 + xj : -1);
                EXPECT_EQ(geometry->operands.at("w").offset(place.cell, place.item), ((m * 2 + c) * 3 + ki) * 2 + kj);
              }
        }
}

TEST(Convolution, StablehloDilationReversalAndLayout) {
  // [b, 0, f] x [0, o, i] -> [f, b, 0], lhs dilated by 2, window reversed.
  const Shape x{1, 4, 3}, w{2, 5, 3};
  AttributeMap attributes{{"input_batch_dimension", Attribute{Real(0)}},
                          {"input_feature_dimension", Attribute{Real(2)}},
                          {"input_spatial_dimensions", Attribute::integers({1})},
                          {"kernel_output_feature_dimension", Attribute{Real(1)}},
                          {"kernel_input_feature_dimension", Attribute{Real(2)}},
                          {"kernel_spatial_dimensions", Attribute::integers({0})},
                          {"output_batch_dimension", Attribute{Real(1)}},
                          {"output_feature_dimension", Attribute{Real(0)}},
                          {"output_spatial_dimensions", Attribute::integers({2})},
                          {"lhs_dilation", Attribute::integers({2})},
                          {"window_reversal", Attribute::integers({1})}};
  auto geometry = build_geometry(request_of("convolution.stablehlo", {{"x", f32(x)}, {"w", f32(w)}}, attributes));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, (Shape{5, 1, 6}));
  for (std::int64_t m = 0; m < 5; ++m)
    for (std::int64_t i = 0; i < 6; ++i)
      for (std::int64_t k = 0; k < 2; ++k)
        for (std::int64_t c = 0; c < 3; ++c) {
          const Place place = place_in(*geometry, m * 6 + i, k * 3 + c);
          const std::int64_t dilated = i + 1 - k;  // the window is reversed, the kernel is not
          EXPECT_EQ(geometry->operands.at("x").offset(place.cell, place.item), dilated % 2 != 0 ? -1 : dilated / 2 * 3 + c);
          EXPECT_EQ(geometry->operands.at("w").offset(place.cell, place.item), (k * 5 + m) * 3 + c);
        }
}

TEST(Convolution, AutoPadPutsTheOddOneWhereOnnxSays) {
  for (auto [mode, low] : {std::pair{"SAME_UPPER", 0}, std::pair{"SAME_LOWER", 1}}) {
    AttributeMap attributes{{"auto_pad", Attribute{std::string(mode)}}};
    auto geometry = build_geometry(request_of("convolution.onnx", {{"x", f32({1, 1, 5})}, {"w", f32({1, 1, 2})}}, attributes));
    ASSERT_TRUE(geometry);
    EXPECT_EQ(geometry->result_shape, (Shape{1, 1, 5}));
    EXPECT_EQ(geometry->operands.at("x").offset(std::vector<std::int64_t>{0, 0, 0, 0}, std::vector<std::int64_t>{0, 0}), low == 1 ? -1 : 0);
  }
}

TEST(Dot, NumpyRulesForVectorsAndBatches) {
  AttributeMap none;
  auto shape_of = [&](Shape a, Shape b) -> std::optional<Shape> {
    auto geometry = build_geometry(request_of("dot.onnx", {{"a", f32(std::move(a))}, {"b", f32(std::move(b))}}, none));
    return geometry ? std::optional(geometry->result_shape) : std::nullopt;
  };
  EXPECT_EQ(shape_of({3}, {3}), (Shape{}));
  EXPECT_EQ(shape_of({2, 3}, {3}), (Shape{2}));
  EXPECT_EQ(shape_of({3}, {3, 4}), (Shape{4}));
  EXPECT_EQ(shape_of({5, 1, 2, 3}, {7, 3, 4}), (Shape{5, 7, 2, 4}));
  EXPECT_EQ(shape_of({2, 3}, {4, 2}), std::nullopt);
  EXPECT_EQ(shape_of({2, 2, 3}, {3, 3, 2}), std::nullopt);
}

TEST(Parameters, PerAxisPerBlockAndWrongLengths) {
  AttributeMap none;
  const StructureOperand x{"x", f32({2, 7, 3})};
  StructureRequest request = request_of("elementwise", {x}, none);
  auto geometry = build_geometry(request);
  ASSERT_TRUE(geometry);
  auto add = [&](Shape shape, ParameterIndex index) { return add_parameter(*geometry, request, {"s", f32(std::move(shape))}, {std::move(index)}); };
  ASSERT_TRUE(add({7}, {.name = "axis", .axis = 1}));
  EXPECT_EQ(geometry->operands.at("s").offset(std::vector<std::int64_t>{1, 5, 2}, {}), 5);
  ASSERT_TRUE(add({2, 3, 3}, {.name = "axis", .axis = 1, .block = 3}));
  EXPECT_EQ(geometry->operands.at("s").offset(std::vector<std::int64_t>{1, 6, 2}, {}), (1 * 3 + 2) * 3 + 2);
  EXPECT_FALSE(add({2, 2, 3}, {.name = "axis", .axis = 1, .block = 3}));
  Status wrong = add({6}, {.name = "axis", .axis = 1});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "test: s has shape [6], expected one value or 7 along axis 1");
}

TEST(Parameters, AlongADimensionThatBroadcasts) {
  AttributeMap none;
  StructureRequest request = request_of("elementwise", {{"a", f32({2, 1})}, {"b", f32({1, 3})}}, none);
  auto geometry = build_geometry(request);
  ASSERT_TRUE(geometry);
  auto add = [&](Shape shape, std::int64_t axis) {
    return add_parameter(*geometry, request, {"s", f32(std::move(shape))}, {ParameterIndex{.name = "axis", .axis = axis}});
  };
  ASSERT_TRUE(add({3}, 1));
  EXPECT_EQ(geometry->operands.at("s").offset(std::vector<std::int64_t>{1, 2}, {}), 2);
  ASSERT_TRUE(add({2}, 0));
  EXPECT_EQ(geometry->operands.at("s").offset(std::vector<std::int64_t>{1, 2}, {}), 1);
  EXPECT_FALSE(add({2}, 1));
  EXPECT_FALSE(add({3}, 0));
}

TEST(Parameters, PerRowAndBlockOfTheContractedDimension) {
  AttributeMap none;
  StructureRequest request = request_of("dot.qnn", {{"x", f32({2, 12})}, {"w", f32({5, 12})}}, none);
  auto geometry = build_geometry(request);
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  const std::vector<std::int64_t> cell{1, 3}, item{9};
  auto add = [&](Shape shape, const std::string& side) {
    return add_parameter(*geometry, request, {"s", f32(std::move(shape))}, {{.name = side}, {.name = "feature", .block = 4}});
  };
  for (const auto& [side, shape, offset] : {std::tuple{"row", Shape{2, 3}, 1 * 3 + 2}, std::tuple{"channel", Shape{5, 3}, 3 * 3 + 2},
                                            std::tuple{"row", Shape{1, 3}, 2}, std::tuple{"row", Shape{3}, 2}, std::tuple{"channel", Shape{5, 1}, 3}}) {
    ASSERT_TRUE(add(shape, side)) << side << " " << to_text(shape);
    EXPECT_EQ(geometry->operands.at("s").offset(cell, item), offset) << side << " " << to_text(shape);
  }
  Status wrong = add({2, 12}, "row");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "test: s has shape [2, 12], expected what broadcasts to [2, 3]");
  StructureRequest vector = request_of("dot.qnn", {{"x", f32({12})}, {"w", f32({5, 12})}}, none);
  EXPECT_EQ(build_geometry(vector)->extents.at("row"), 1);
  StructureRequest batches = request_of("dot.qnn", {{"x", f32({3, 2, 12})}, {"w", f32({3, 5, 12})}}, none);
  EXPECT_FALSE(build_geometry(batches)->extents.contains("row"));
}

TEST(Rows, WholeTensorAxesAndRuns) {
  AttributeMap none;
  StructureRequest request = request_of("rows", {{"x", f32({2, 5})}}, none);
  auto whole = build_geometry(request);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->cells(), 1);
  EXPECT_EQ(whole->items(), 10);
  request.arguments.push_back({.name = "", .values = {-1}, .block = 2});
  auto runs = build_geometry(request);
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->result_shape, (Shape{2, 3}));
  EXPECT_EQ(runs->operands.at("x").offset(std::vector<std::int64_t>{1, 2}, std::vector<std::int64_t>{0}), 9);
  EXPECT_EQ(runs->operands.at("x").offset(std::vector<std::int64_t>{1, 2}, std::vector<std::int64_t>{1}), -1);
}

TEST(Rows, FurtherOperandsAreReadAtTheSamePlaces) {
  AttributeMap none;
  StructureRequest request = request_of("rows", {{"x", f32({2, 5})}, {"g", f32({2, 5})}}, none);
  request.arguments.push_back({.name = "", .values = {0}});
  auto columns = build_geometry(request);
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->result_shape, (Shape{5}));
  EXPECT_EQ(columns->operands.at("g").offset(std::vector<std::int64_t>{3}, std::vector<std::int64_t>{1}), 8);
  StructureRequest unequal = request_of("rows", {{"x", f32({2, 5})}, {"g", f32({5, 2})}}, none);
  EXPECT_FALSE(build_geometry(unequal));
}

}  // namespace
}  // namespace tiebreak
