// SPDX-License-Identifier: Apache-2.0
// convolution.torch, transposed_convolution.torch and dot.torch against loops in one to three dimensions: which pairs of elements meet in which element of
// the result. The loops go over what the operators say (each element of x times the weight, to its place), not over cells.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "testsuite/unit/structure/structure_request.hpp"

namespace tiebreak {
namespace {

/// Element of the result -> pairs of elements of x and w.
using Meetings = std::map<std::int64_t, std::multiset<std::pair<std::int64_t, std::int64_t>>>;

struct TorchWindow {
  Shape x, w, result, stride, padding, output_padding, dilation;
  std::int64_t groups = 1;
  bool transposed = false;

  AttributeMap attributes() const {
    AttributeMap map{{"stride", Attribute::integers(stride)},
                     {"padding", Attribute::integers(padding)},
                     {"dilation", Attribute::integers(dilation)},
                     {"groups", Attribute{Real(groups)}}};
    if (transposed) map.insert({"output_padding", Attribute::integers(output_padding)});
    return map;
  }
  Result<Geometry> build() const {
    const AttributeMap map = attributes();
    return build_geometry(request_of(transposed ? "transposed_convolution.torch" : "convolution.torch", {{"x", f32(x)}, {"w", f32(w)}}, map));
  }
};

std::vector<std::int64_t> places_of(std::int64_t flat, const Shape& shape) {
  std::vector<std::int64_t> places(shape.size());
  unravel(flat, shape, places);
  return places;
}

std::int64_t flat_of(const std::vector<std::int64_t>& places, const Shape& shape) {
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + places[d];
  return flat;
}

/// Each element of x and each of w whose channels belong together meet in at most one element of the result.
Meetings meetings_of(const TorchWindow& window) {
  Meetings meetings;
  const std::int64_t in = window.x[1] / window.groups, out = window.result[1] / window.groups;
  for (std::int64_t i = 0; i < product(window.x, 0, window.x.size()); ++i)
    for (std::int64_t j = 0; j < product(window.w, 0, window.w.size()); ++j) {
      const auto x = places_of(i, window.x), w = places_of(j, window.w);
      const std::int64_t group = window.transposed ? w[0] / in : w[0] / out;
      const std::int64_t from = window.transposed ? w[0] : group * in + w[1], to = window.transposed ? group * out + w[1] : w[0];
      if (x[1] != from) continue;
      std::vector<std::int64_t> y{x[0], to};
      bool lands = true;
      for (std::size_t s = 0; s < window.stride.size(); ++s) {
        const std::int64_t tap = w[s + 2] * window.dilation[s] - window.padding[s];
        const std::int64_t moved = window.transposed ? x[s + 2] * window.stride[s] + tap : x[s + 2] - tap;
        lands = lands && moved >= 0 && (window.transposed || moved % window.stride[s] == 0);
        y.push_back(window.transposed ? moved : moved / window.stride[s]);
        lands = lands && y.back() < window.result[s + 2];
      }
      if (lands) meetings[flat_of(y, window.result)].insert({i, j});
    }
  return meetings;
}

Meetings meetings_of(const Geometry& geometry) {
  Meetings meetings;
  for (std::int64_t c = 0; c < geometry.cells(); ++c)
    for (std::int64_t i = 0; i < geometry.items(); ++i) {
      const auto cell = places_of(c, geometry.cell_extents), item = places_of(i, geometry.item_extents);
      const std::int64_t x = geometry.operands.at("x").offset(cell, item);
      if (x >= 0) meetings[geometry.result.offset(cell, {})].insert({x, geometry.operands.at("w").offset(cell, item)});
    }
  return meetings;
}

void expect_loops(const TorchWindow& window) {
  const auto geometry = window.build();
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, window.result);
  EXPECT_EQ(meetings_of(*geometry), meetings_of(window));
}

TEST(TorchConvolution, MeetsWhatTheLoopsMeet) {
  expect_loops({.x = {2, 3, 9}, .w = {4, 3, 2}, .result = {2, 4, 4}, .stride = {3}, .padding = {2}, .output_padding = {}, .dilation = {3}});
  expect_loops({.x = {1, 4, 6, 5},
                .w = {6, 2, 3, 2},
                .result = {1, 6, 3, 6},
                .stride = {2, 1},
                .padding = {1, 1},
                .output_padding = {},
                .dilation = {1, 1},
                .groups = 2});
  expect_loops({.x = {1, 2, 3, 4, 3},
                .w = {2, 1, 2, 2, 1},
                .result = {1, 2, 2, 5, 2},
                .stride = {1, 1, 2},
                .padding = {0, 1, 0},
                .output_padding = {},
                .dilation = {1, 1, 1},
                .groups = 2});
}

TEST(TorchConvolution, TransposedMeetsWhatTheLoopsMeet) {
  expect_loops(
      {.x = {2, 2, 4}, .w = {2, 3, 3}, .result = {2, 3, 8}, .stride = {2}, .padding = {1}, .output_padding = {1}, .dilation = {1}, .transposed = true});
  expect_loops({.x = {1, 4, 3, 2},
                .w = {4, 3, 2, 3},
                .result = {1, 6, 8, 5},
                .stride = {3, 1},
                .padding = {0, 1},
                .output_padding = {0, 1},
                .dilation = {1, 2},
                .groups = 2,
                .transposed = true});
  expect_loops({.x = {1, 1, 2, 2, 2},
                .w = {1, 2, 1, 2, 3},
                .result = {1, 2, 3, 3, 4},
                .stride = {2, 1, 1},
                .padding = {0, 0, 0},
                .output_padding = {0, 0, 0},
                .dilation = {1, 1, 1},
                .transposed = true});
}

TEST(TorchConvolution, RefusesWhatThereIsNot) {
  const TorchWindow good{.x = {1, 1, 4}, .w = {1, 1, 3}, .result = {1, 1, 2}, .stride = {1}, .padding = {0}, .output_padding = {0}, .dilation = {1}};
  expect_loops(good);
  auto refused = [&](auto change) {
    TorchWindow window = good;
    change(window);
    EXPECT_FALSE(window.build());
  };
  refused([](TorchWindow& window) { window.x = {1, 1, 2}; });  // shorter than the kernel: a result without elements
  refused([](TorchWindow& window) { window.stride = {1, 1}; });
  refused([](TorchWindow& window) { window.stride = {0}; });
  refused([](TorchWindow& window) { window.padding = {-1}; });
  refused([](TorchWindow& window) { window.groups = 2; });
  refused([](TorchWindow& window) { window.transposed = true, window.output_padding = {1}; });
  refused([](TorchWindow& window) { window.transposed = true, window.padding = {3}; });
  refused([](TorchWindow& window) { window.x = {1, 1}, window.w = {1, 1}, window.stride = window.padding = window.dilation = {}; });
}

TEST(TorchDot, RowsOfBoth) {
  const AttributeMap none;
  const auto geometry = build_geometry(request_of("dot.torch", {{"x", f32({2, 3, 4})}, {"w", f32({5, 4})}}, none));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, (Shape{2, 3, 5}));
  Meetings expected;
  for (std::int64_t row = 0; row < 6; ++row)
    for (std::int64_t column = 0; column < 5; ++column)
      for (std::int64_t k = 0; k < 4; ++k) expected[row * 5 + column].insert({row * 4 + k, column * 4 + k});
  EXPECT_EQ(meetings_of(*geometry), expected);
  EXPECT_FALSE(build_geometry(request_of("dot.torch", {{"x", f32({4})}, {"w", f32({5, 4})}}, none)));
  EXPECT_FALSE(build_geometry(request_of("dot.torch", {{"x", f32({3, 4})}, {"w", f32({4, 5})}}, none)));
}

}  // namespace
}  // namespace tiebreak
