// SPDX-License-Identifier: Apache-2.0
// How sums are taken in parts, and the numbers of cells as sums of steps, against plain counting.
#include "interpreter/fast/side_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tiebreak {
namespace {

TEST(SumsBetweenStops, HaveEachSumOnce) {
  for (const auto& [rows, columns, items] : {std::array<std::size_t, 3>{1, 1, 1}, {64, 3136, 576}, {700, 900, 4096}, {3, 100000, 9}, {2000, 70, 1 << 24}}) {
    std::vector<std::uint8_t> seen(rows * columns);
    for (const SumsBetweenStops& part : sums_between_stops(rows, columns, items)) {
      EXPECT_TRUE(part.rows.count * part.columns.count * items <= (std::size_t{1} << 30) || (part.rows.count <= 64 && part.columns.count <= 64));
      for (std::size_t r = part.rows.first; r < part.rows.first + part.rows.count; ++r)
        for (std::size_t c = part.columns.first; c < part.columns.first + part.columns.count; ++c) ++seen.at(r * columns + c);
    }
    EXPECT_TRUE(std::ranges::all_of(seen, [](std::uint8_t times) { return times == 1; })) << rows << " by " << columns;
  }
}

TEST(SumsBetweenStops, AreNoneWithoutRows) { EXPECT_TRUE(sums_between_stops(0, 7, 3).empty()); }

TEST(KeysOf, AreWhatTheTableGivesACell) {
  const Shape extents{3, 4, 2, 5};
  const CellSpace table(0b1011, extents);
  for (const std::uint64_t rate : {std::uint64_t{0b1001}, std::uint64_t{0b0010}, std::uint64_t{0}, std::uint64_t{0b1011}}) {
    const CellSpace space(rate, extents);
    const std::vector<std::int64_t> keys = keys_of(space, table, extents);
    ASSERT_EQ(static_cast<std::int64_t>(keys.size()), space.size);
    std::vector<std::int64_t> cell(extents.size());
    for (std::int64_t number = 0; number < space.size; ++number) {
      space.place(number, cell);
      EXPECT_EQ(keys[static_cast<std::size_t>(number)], table.key(cell));
    }
  }
}

}  // namespace
}  // namespace tiebreak
