// SPDX-License-Identifier: Apache-2.0
// A grid's places against the addresses of the access it was made of.
#include "interpreter/geometry/grid_places.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tiebreak {
namespace {

Geometry geometry_of(Shape cells, Shape items) {
  Geometry geometry;
  geometry.cell_extents = std::move(cells);
  geometry.item_extents = std::move(items);
  geometry.has_bag = true;
  return geometry;
}

/// The offset of every cell and item by the grid of `carrying`, and by the access itself.
void expect_same(const Access& carrying, const Access& read, const Geometry& geometry) {
  const auto places = GridPlaces::of(carrying, geometry);
  ASSERT_TRUE(places);
  const auto offsets = places->offsets_of(read, geometry);
  ASSERT_TRUE(offsets);
  std::vector<std::int64_t> all(static_cast<std::size_t>(places->size())), by_runs(all.size());
  offsets->fill(0, all);
  offsets->for_each_run([&](std::int64_t place, std::int64_t offset, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) by_runs[static_cast<std::size_t>(place + i)] = offset < 0 ? -1 : offset + i;
  });
  EXPECT_EQ(by_runs, all);
  for (std::size_t first = 0; first < all.size(); first += 7) {  // from the middle of lines
    std::vector<std::int64_t> some(std::min<std::size_t>(7, all.size() - first));
    offsets->fill(static_cast<std::int64_t>(first), some);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
  }
  std::vector<std::int64_t> cell(geometry.cell_extents.size()), item(geometry.item_extents.size());
  for (std::int64_t c = 0; c < geometry.cells(); ++c)
    for (std::int64_t i = 0; i < geometry.items(); ++i) {
      unravel(c, geometry.cell_extents, cell);
      unravel(i, geometry.item_extents, item);
      std::int64_t place = places->origin();
      for (std::size_t d = 0; d < cell.size(); ++d) place += cell[d] * places->cell_steps()[d];
      for (std::size_t d = 0; d < item.size(); ++d) place += item[d] * places->item_steps()[d];
      ASSERT_GE(place, 0);
      ASSERT_LT(place, places->size());
      ASSERT_EQ(all[static_cast<std::size_t>(place)], read.offset(cell, item)) << "cell " << c << ", item " << i;
    }
}

/// Of random steps, either way, with padding, dilation, blocks and lists.
TEST(GridPlaces, ReadWhereTheAccessReads) {
  std::mt19937 random(7);
  auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int round = 0; round < 300; ++round) {
    const Geometry geometry = geometry_of({number(1, 3), number(1, 4)}, {number(1, 3), number(1, 4)});
    Shape shape{number(1, 5), number(1, 6), number(1, 4)};
    std::vector<Affine> positions(shape.size());
    for (Affine& position : positions) {
      position.base = number(-3, 3);
      if (number(0, 2) > 0) position.cell.push_back({number(0, 1), number(-2, 3)});
      if (number(0, 2) > 0) position.item.push_back({number(0, 1), number(-3, 3)});
    }
    Access access = make_access(shape, positions);
    access.may_miss = true;
    for (AccessDimension& dimension : access.dimensions) {
      dimension.divisor = number(1, 3);
      dimension.division = number(0, 1) == 0 ? Division::hole : Division::floor;
    }
    expect_same(access, access, geometry);
  }
}

TEST(GridPlaces, FollowLists) {
  const Geometry geometry = geometry_of({3}, {2});
  Access access = make_access({4}, {Affine{.cell = {{0, 1}}, .item = {{0, 1}}}});
  access.dimensions[0].listed = std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{3, 0, -1, 2});
  expect_same(access, access, geometry);
}

/// A zero point for each feature, a scale for each block of features.
TEST(GridPlaces, ReadOtherOperandsWhosePositionsFollow) {
  const Geometry geometry = geometry_of({2, 3, 4}, {5});
  const Affine feature{.cell = {{0, 3}, {1, 1}}}, item{.base = -1, .item = {{0, 2}}};
  const Access carrying = make_access({6, 9}, {feature, item});
  expect_same(carrying, make_access({6}, {feature}), geometry);
  expect_same(carrying, make_access({16}, {Affine{.base = 2, .cell = {{0, 6}, {1, 2}}}}), geometry);
  Access blocks = make_access({6, 3}, {feature, item});
  blocks.dimensions[1].divisor = 4;
  expect_same(carrying, blocks, geometry);
  const auto places = GridPlaces::of(carrying, geometry);
  EXPECT_FALSE(places->offsets_of(make_access({4}, {Affine{.cell = {{2, 1}}}}), geometry));  // of a coordinate that the grid does not see
  EXPECT_FALSE(places->offsets_of(make_access({3}, {Affine{.cell = {{1, 1}}}}), geometry));  // of one part of a sum
}

TEST(GridPlaces, AreNoneWhereNothingIsRead) {
  EXPECT_FALSE(GridPlaces::of(make_access({4}, {Affine{.cell = {{0, 1}}}}), geometry_of({0}, {2})));
  EXPECT_FALSE(GridPlaces::of(make_access({4}, {Affine{.cell = {{0, 1}}}}), geometry_of({4}, {0})));
  EXPECT_FALSE(GridPlaces::of(Access{}, geometry_of({4}, {2})));
  EXPECT_FALSE(GridPlaces::of(make_access({4}, {Affine{.cell = {{0, std::int64_t{1} << 42}}}}), geometry_of({4}, {2})));
}

}  // namespace
}  // namespace tiebreak
