// SPDX-License-Identifier: Apache-2.0
// Greatest values of rows, counted by hand.
#include "testsuite/statistics/arg_max.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tiebreak {
namespace {

std::vector<std::int64_t> places(const std::vector<ArgMax>& rows) {
  std::vector<std::int64_t> found;
  for (const ArgMax& row : rows) found.push_back(row.place);
  return found;
}

TEST(ArgMax, TheFirstOfEqualsAndWhetherThereAreOthers) {
  const std::vector<ArgMax> rows = arg_max_of_rows({1, 5, 5, /**/ 5, 1, 2, /**/ 2, 2, 3}, {3, 3}, 1);
  EXPECT_EQ(places(rows), (std::vector<std::int64_t>{1, 0, 2}));
  EXPECT_TRUE(rows[0].tied);
  EXPECT_FALSE(rows[1].tied);
  EXPECT_FALSE(rows[2].tied) << "a tie that a greater value ends";
}

TEST(ArgMax, AlongAnotherAxis) {
  EXPECT_EQ(places(arg_max_of_rows({1, 9, 3, 4, 5, 6}, {2, 3}, 0)), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(places(arg_max_of_rows({1, 2, 4, 3, 8, 5, 7, 6}, {2, 2, 2}, 1)), (std::vector<std::int64_t>{1, 1, 0, 1}));
}

TEST(ArgMax, NanIsNeverTheGreatest) {
  const double nan = std::nan("");
  EXPECT_EQ(places(arg_max_of_rows({nan, -3, nan, /**/ nan, nan, nan, /**/ -HUGE_VAL, nan, -HUGE_VAL}, {3, 3}, 1)), (std::vector<std::int64_t>{1, -1, 0}));
}

TEST(ArgMax, AxesCountFromEitherEnd) {
  EXPECT_EQ(axis_place({2, 3, 4}, std::nullopt), 2u);
  EXPECT_EQ(axis_place({2, 3, 4}, -3), 0u);
  EXPECT_EQ(axis_place({2, 3, 4}, 3), std::nullopt);
  EXPECT_EQ(axis_place({2, 3, 4}, -4), std::nullopt);
  EXPECT_EQ(axis_place({}, std::nullopt), std::nullopt);
  EXPECT_TRUE(arg_max_of_rows({}, {2, 0}, 1).empty());
}

}  // namespace
}  // namespace tiebreak
