// SPDX-License-Identifier: Apache-2.0
// Offsets at consecutive cells as sums of parts, against the access itself: lists, blocks, holes, taps.
#include "interpreter/fast/cell_parts.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tiebreak {
namespace {

TEST(CellParts, AreWhatTheAccessReads) {
  std::mt19937 generator(5);
  const auto drawn = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(generator() % static_cast<std::uint32_t>(most - least + 1));
  };
  std::int64_t holes = 0;
  for (int round = 0; round < 300; ++round) {
    Geometry geometry;
    const std::int64_t rank = drawn(1, 4), taps = drawn(1, 3);
    for (std::int64_t d = 0; d < rank; ++d) geometry.cell_extents.push_back(drawn(1, 5));
    geometry.item_extents = {taps};
    Shape shape;
    std::vector<Affine> positions;
    for (std::int64_t d = 0; d < drawn(0, 4); ++d) {
      const int coordinate = static_cast<int>(drawn(0, rank - 1));
      shape.push_back(drawn(1, 9));
      Affine position{.base = drawn(-2, 2)};
      if (drawn(0, 4) > 0) position.cell = {{coordinate, drawn(1, 3)}};
      if (drawn(0, 1) > 0) position.item = {{0, drawn(1, 2)}};
      positions.push_back(position);
    }
    Access access = make_access(shape, positions);
    for (AccessDimension& dimension : access.dimensions) {
      dimension.divisor = drawn(1, 2);
      dimension.division = drawn(0, 1) > 0 ? Division::hole : Division::floor;
    }
    const std::vector<std::int64_t> item{drawn(0, taps - 1)};
    const auto parts = CellParts::of(access, geometry, item);
    ASSERT_TRUE(parts);
    const std::int64_t first = drawn(0, geometry.cells() - 1);
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(drawn(1, geometry.cells() - first)));
    parts->fill(first, offsets);
    std::vector<std::int64_t> cell(geometry.cell_extents.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      unravel(first + static_cast<std::int64_t>(i), geometry.cell_extents, cell);
      ASSERT_EQ(offsets[i], access.offset(cell, item)) << round << " " << i;
      holes += offsets[i] < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(holes, 100);
}

TEST(CellParts, AreNoneOfASumOfCoordinates) {
  Geometry geometry{.cell_extents = {3, 4}};
  const Access access = make_access({6}, {Affine{.cell = {{0, 1}, {1, 1}}}});
  EXPECT_FALSE(CellParts::of(access, geometry, {}));
}

}  // namespace
}  // namespace tiebreak
