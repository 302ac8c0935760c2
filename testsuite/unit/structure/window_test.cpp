// SPDX-License-Identifier: Apache-2.0
// Windows, concatenation, gathering and parameters over several indices against loops written out by hand.
#include <gtest/gtest.h>

#include "interpreter/structure/padded_extent.hpp"
#include "interpreter/structure/structure.hpp"
#include "testsuite/unit/structure/structure_request.hpp"

namespace tiebreak {
namespace {

std::vector<std::int64_t> indices_of(std::int64_t number, const Shape& extents) {
  std::vector<std::int64_t> place(extents.size());
  unravel(number, extents, place);
  return place;
}

TEST(Window, ReadsWhatTheLoopsRead) {
  // Strides 2 and 1, padding, dilation 2 and 1, one more row by ceil_mode; channels second and last.
  for (bool channels_last : {false, true}) {
    const Shape x = channels_last ? Shape{2, 7, 6, 3} : Shape{2, 3, 7, 6};
    AttributeMap attributes{
        {"kernel_shape", Attribute::integers({2, 3})}, {"strides", Attribute::integers({2, 1})}, {"pads", Attribute::integers({1, 0, 0, 2})},
        {"dilations", Attribute::integers({2, 1})},    {"ceil_mode", Attribute{Real(1)}},        {"channels_last", Attribute{Real(channels_last ? 1 : 0)}}};
    auto geometry = build_geometry(request_of("window.onnx", {{"x", f32(x)}}, attributes));
    ASSERT_TRUE(geometry) << to_text(geometry.error());
    const std::int64_t height = (7 + 1 - 3 + 1) / 2 + 1, width = 6 + 2 - 3 + 1;
    ASSERT_EQ(geometry->result_shape, (channels_last ? Shape{2, height, width, 3} : Shape{2, 3, height, width}));
    EXPECT_EQ(geometry->taps, 6);
    for (std::int64_t cell = 0; cell < geometry->cells(); ++cell) {
      const auto at = indices_of(cell, geometry->cell_extents);
      const std::int64_t i = at[channels_last ? 1 : 2], j = at[channels_last ? 2 : 3], channel = at[channels_last ? 3 : 1];
      std::int64_t item = 0;
      for (std::int64_t ki = 0; ki < 2; ++ki)
        for (std::int64_t kj = 0; kj < 3; ++kj, ++item) {
          const std::int64_t xi = i * 2 - 1 + ki * 2, xj = j + kj;
          const bool inside = xi >= 0 && xi < 7 && xj >= 0 && xj < 6;
          const std::int64_t flat = channels_last ? ((at[0] * 7 + xi) * 6 + xj) * 3 + channel : ((at[0] * 3 + channel) * 7 + xi) * 6 + xj;
          EXPECT_EQ(geometry->operands.at("x").offset(at, indices_of(item, geometry->item_extents)), inside ? flat : -1);
        }
    }
  }
}

/// ONNX's ceil((n - k) / s + 1) is 1 from n - k = -(s - 1) on, and TVM counts alike.
TEST(Window, CeilModeGivesAKernelThatIsTooLongOnePlace) {
  struct Row {
    std::int64_t size, kernel, stride, places;
  };
  for (const Row& row : {Row{2, 3, 3, 1}, Row{3, 4, 2, 1}, Row{1, 3, 3, 1}, Row{5, 6, 2, 1}, Row{5, 7, 3, 1}, Row{1, 6, 2, 0}, Row{4, 6, 2, 0}}) {
    for (bool ceil_mode : {false, true}) {
      const Attribute kernel = Attribute::integers({row.kernel, 1}), strides = Attribute::integers({row.stride, 1});
      AttributeMap attributes{{"kernel_shape", kernel}, {"pool_size", kernel}, {"strides", strides}, {"ceil_mode", Attribute{Real(ceil_mode ? 1 : 0)}}};
      for (const char* name : {"window.onnx", "window.qnn"}) {
        auto geometry = build_geometry(request_of(name, {{"x", f32({1, 1, row.size, 1})}}, attributes));
        ASSERT_TRUE(geometry) << to_text(geometry.error());
        EXPECT_EQ(geometry->result_shape, (Shape{1, 1, ceil_mode ? row.places : 0, 1})) << name << " " << row.size << " " << row.kernel;
      }
    }
  }
}

/// How many places of each window lie in the operand or its padding, counted one by one.
TEST(Window, PaddingThatEndsWithinTheWindow) {
  for (std::int64_t kernel : {1, 2, 3, 5})
    for (std::int64_t stride : {1, 2, 3})
      for (std::int64_t dilation : {1, 2})
        for (std::int64_t pad : {0, 1}) {
          AttributeMap attributes{{"kernel_shape", Attribute::integers({kernel, 2})},
                                  {"strides", Attribute::integers({stride, 1})},
                                  {"pads", Attribute::integers({pad, 0, pad, 1})},
                                  {"dilations", Attribute::integers({dilation, 1})},
                                  {"ceil_mode", Attribute{Real(1)}}};
          const StructureRequest request = request_of("window.onnx", {{"x", f32({1, 1, 10, 4})}}, attributes);
          auto geometry = build_geometry(request);
          auto padded = structure::padded_extents(request);
          ASSERT_TRUE(geometry && padded);
          ASSERT_EQ(padded->size(), 2U);
          EXPECT_EQ((*padded)[0].coordinate, 2);
          std::vector<std::int64_t> counts;
          for (std::int64_t place = 0; place < geometry->result_shape[2]; ++place) {
            counts.push_back(0);
            for (std::int64_t k = 0; k < kernel; ++k) counts.back() += place * stride + k * dilation < 10 + 2 * pad ? 1 : 0;
          }
          EXPECT_EQ((*padded)[0].counts, counts) << kernel << " " << stride << " " << dilation << " " << pad;
          EXPECT_EQ((*padded)[1].counts, (std::vector<std::int64_t>{2, 2, 2, 2}));
        }
  const AttributeMap none;
  auto other = structure::padded_extents(request_of("elementwise", {{"x", f32({3})}}, none));
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->empty());
}

TEST(Window, AutomaticPadding) {
  for (const auto& [mode, places, low] : {std::tuple{"SAME_UPPER", 3, 0}, std::tuple{"SAME_LOWER", 3, 1}, std::tuple{"VALID", 2, 0}}) {
    AttributeMap attributes{{"kernel_shape", Attribute::integers({2})}, {"strides", Attribute::integers({2})}, {"auto_pad", Attribute{std::string(mode)}}};
    auto geometry = build_geometry(request_of("window.onnx", {{"x", f32({1, 1, 5})}}, attributes));
    ASSERT_TRUE(geometry) << to_text(geometry.error());
    EXPECT_EQ(geometry->result_shape, (Shape{1, 1, places})) << mode;
    const std::int64_t cell[] = {0, 0, 0}, item[] = {1};
    EXPECT_EQ(geometry->operands.at("x").offset(cell, item), 1 - low) << mode;
  }
}

/// PyTorch's attributes, in one and two dimensions, with and without a batch: the same windows as ONNX's with the padding stated twice.
TEST(Window, OfTorchAreThoseOfOnnx) {
  for (const Shape& image : {Shape{7}, Shape{5, 6}})
    for (std::int64_t stride : {1, 2})
      for (std::int64_t dilation : {1, 2})
        for (bool ceil_mode : {false, true}) {
          const std::size_t rank = image.size();
          const Attribute ceil{Real(ceil_mode ? 1 : 0)};
          const AttributeMap torch{{"kernel_size", Attribute::integers(Shape(rank, 2))},
                                   {"stride", Attribute::integers(Shape(rank, stride))},
                                   {"padding", Attribute::integers(Shape(rank, 1))},
                                   {"dilation", Attribute::integers(Shape(rank, dilation))},
                                   {"ceil_mode", ceil}};
          const AttributeMap onnx{{"kernel_shape", Attribute::integers(Shape(rank, 2))},
                                  {"strides", Attribute::integers(Shape(rank, stride))},
                                  {"pads", Attribute::integers(Shape(2 * rank, 1))},
                                  {"dilations", Attribute::integers(Shape(rank, dilation))},
                                  {"ceil_mode", ceil}};
          Shape channels{3}, batches{1, 3};
          channels.insert(channels.end(), image.begin(), image.end());
          batches.insert(batches.end(), image.begin(), image.end());
          auto expected = build_geometry(request_of("window.onnx", {{"x", f32(batches)}}, onnx));
          auto batched = build_geometry(request_of("window.torch", {{"x", f32(batches)}}, torch));
          auto single = build_geometry(request_of("window.torch", {{"x", f32(channels)}}, torch));
          ASSERT_TRUE(expected && batched && single);
          EXPECT_EQ(batched->result_shape, expected->result_shape);
          EXPECT_EQ(single->result_shape, Shape(expected->result_shape.begin() + 1, expected->result_shape.end()));
          for (std::int64_t cell = 0; cell < expected->cells(); ++cell)
            for (std::int64_t item = 0; item < expected->taps; ++item) {
              const auto places = indices_of(item, expected->item_extents);
              const std::int64_t read = expected->operands.at("x").offset(indices_of(cell, expected->cell_extents), places);
              EXPECT_EQ(batched->operands.at("x").offset(indices_of(cell, batched->cell_extents), places), read);
              EXPECT_EQ(single->operands.at("x").offset(indices_of(cell, single->cell_extents), places), read);
            }
        }
}

/// Without a stride windows lie side by side; a result without elements, and lists of another length than the kernel's, are refused.
TEST(Window, OfTorchRefuses) {
  const AttributeMap side_by_side{{"kernel_size", Attribute::integers({3})}},
      empty_stride{{"kernel_size", Attribute::integers({3})}, {"stride", Attribute::integers({})}};
  for (const AttributeMap* attributes : {&side_by_side, &empty_stride}) {
    auto geometry = build_geometry(request_of("window.torch", {{"x", f32({2, 7})}}, *attributes));
    ASSERT_TRUE(geometry) << to_text(geometry.error());
    EXPECT_EQ(geometry->result_shape, (Shape{2, 2}));
  }
  const AttributeMap too_long{{"kernel_size", Attribute::integers({8})}},
      two_pads{{"kernel_size", Attribute::integers({3})}, {"padding", Attribute::integers({1, 1})}};
  EXPECT_FALSE(build_geometry(request_of("window.torch", {{"x", f32({2, 7})}}, too_long)));
  EXPECT_FALSE(build_geometry(request_of("window.torch", {{"x", f32({2, 7})}}, two_pads)));
  EXPECT_FALSE(build_geometry(request_of("window.torch", {{"x", f32({7})}}, side_by_side)));
}

TEST(Window, RefusesWhatDoesNotFit) {
  const AttributeMap short_kernel{{"kernel_shape", Attribute::integers({2})}}, no_stride{{"strides", Attribute::integers({0, 1})}};
  EXPECT_FALSE(build_geometry(request_of("window.onnx", {{"x", f32({1, 1, 5, 5})}}, short_kernel)));
  EXPECT_FALSE(build_geometry(request_of("window.onnx", {{"x", f32({1, 1, 5, 5})}}, no_stride)));
  EXPECT_FALSE(build_geometry(request_of("window.onnx", {{"x", f32({1, 5})}}, {})));
}

TEST(Concat, EachCellSeesOneMember) {
  const AttributeMap none;
  StructureRequest request = request_of("concat", {{member_name("x", 0), f32({2, 1, 3})}, {member_name("x", 1), f32({2, 4, 3})}}, none);
  request.arguments = {{.name = "x"}, {.name = {}, .values = {-2}}};
  auto geometry = build_geometry(request);
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, (Shape{2, 5, 3}));
  EXPECT_EQ(geometry->members, (std::vector<std::int64_t>{0, 1, 1, 1, 1}));
  for (std::int64_t cell = 0; cell < geometry->cells(); ++cell) {
    const auto at = indices_of(cell, geometry->cell_extents);
    const bool first = at[1] < 1;
    EXPECT_EQ(geometry->operands.at("x.0").offset(at, {}), first ? (at[0] * 1 + at[1]) * 3 + at[2] : -1);
    EXPECT_EQ(geometry->operands.at("x.1").offset(at, {}), first ? -1 : (at[0] * 4 + at[1] - 1) * 3 + at[2]);
  }
  request.operands[1].type = f32({2, 4, 2});
  EXPECT_FALSE(build_geometry(request));
}

TEST(Gather, SlicesAndPackedEntries) {
  Tensor indices = *Tensor::zeros({*ElementType::parse("i64"), {2, 2}, {}});
  for (std::int64_t i = 0; i < 4; ++i) indices.set_code(i, static_cast<std::uint64_t>(i == 3 ? -1 : i));
  const AttributeMap none;
  StructureRequest request = request_of("gather", {{"data", f32({3, 4, 5})}, {"indices", indices.type(), &indices}}, none);
  request.arguments = {{.name = "data", .block = 2}, {.name = "indices"}, {.name = {}, .values = {0}}};
  auto geometry = build_geometry(request);
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, (Shape{2, 2, 4, 10}));
  const std::int64_t slices[] = {0, 1, 2, 2};
  for (std::int64_t cell = 0; cell < geometry->cells(); ++cell) {
    const auto at = indices_of(cell, geometry->cell_extents);
    EXPECT_EQ(geometry->operands.at("data").offset(at, {}), (slices[at[0] * 2 + at[1]] * 4 + at[2]) * 5 + at[3] / 2);
  }
  request.arguments[2].values = {2};  // the packed dimension
  EXPECT_FALSE(build_geometry(request));
  indices.set_code(0, 3);
  request.arguments[2].values = {0};
  EXPECT_FALSE(build_geometry(request)) << "index 3 of 3 slices";
}

TEST(Parameter, OverRowsAndChannels) {
  const AttributeMap turned{{"transA", Attribute{Real(1)}}, {"transB", Attribute{Real(1)}}};
  const StructureRequest request = request_of("dot.onnx", {{"a", f32({7, 2})}, {"b", f32({3, 7})}}, turned);
  auto geometry = build_geometry(request);
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, (Shape{2, 3}));
  const std::int64_t cell[] = {1, 2}, item[] = {4};
  EXPECT_EQ(geometry->operands.at("a").offset(cell, item), 4 * 2 + 1);
  EXPECT_EQ(geometry->operands.at("b").offset(cell, item), 2 * 7 + 4);
  const std::vector<ParameterIndex> both{{.name = "row"}, {.name = "channel"}};
  for (const auto& [shape, offset] :
       {std::pair{Shape{2, 3}, 5}, std::pair{Shape{2, 1}, 1}, std::pair{Shape{1, 3}, 2}, std::pair{Shape{3}, 2}, std::pair{Shape{}, 0}}) {
    ASSERT_TRUE(add_parameter(*geometry, request, {"c", f32(shape)}, both)) << to_text(shape);
    EXPECT_EQ(geometry->operands.at("c").offset(cell, item), offset) << to_text(shape);
  }
  EXPECT_FALSE(add_parameter(*geometry, request, {"c", f32({3, 2})}, both));
}

}  // namespace
}  // namespace tiebreak
