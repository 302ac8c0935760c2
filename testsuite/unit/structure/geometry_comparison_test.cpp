// SPDX-License-Identifier: Apache-2.0
// Geometries are the same where every cell and item reads from the same place, however that is written; mirrored items read from others.
#include <gtest/gtest.h>

#include "interpreter/geometry/geometry.hpp"
#include "interpreter/structure/builders.hpp"

namespace tiebreak {
namespace {

/// Two rows of three items of x.
Geometry rows(Affine row, Affine item) {
  Geometry geometry;
  geometry.has_bag = true;
  geometry.cell_extents = geometry.result_shape = {2};
  geometry.item_extents = {3};
  geometry.operands["x"] = make_access({2, 3}, {std::move(row), std::move(item)});
  return geometry;
}

TEST(SamePlaces, AreWhatIsReadNotHowItIsWritten) {
  const Geometry plain = rows(structure::at_cell(0), structure::at_item(0));
  Geometry listed = plain;
  listed.operands["x"].dimensions[1].listed = std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{0, 1, 2});
  EXPECT_TRUE(same_places(plain, plain));
  EXPECT_TRUE(same_places(plain, listed));
  listed.operands["x"].dimensions[1].listed = std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{0, 2, 1});
  EXPECT_FALSE(same_places(plain, listed));
  Geometry fewer = plain;
  fewer.item_extents = {2};
  EXPECT_FALSE(same_places(plain, fewer));
}

}  // namespace
}  // namespace tiebreak
