// SPDX-License-Identifier: Apache-2.0
// Work beside the caller: every piece once, results in order whoever did it.
#include "testsuite/text/ordered_work.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>

namespace tiebreak {
namespace {

class Ordered : public testing::TestWithParam<int> {};

TEST_P(Ordered, ResultsComeInTheOrderOfTheWork) {
  constexpr std::size_t count = 200;
  std::vector<std::atomic<int>> done(count);
  std::vector<std::size_t> results;
  std::atomic<int> most_at_once = 0, at_once = 0;
  {
    OrderedWork<std::size_t> work(GetParam(), [&](std::size_t number) {
      most_at_once = std::max(most_at_once.load(), ++at_once);
      std::this_thread::sleep_for(std::chrono::microseconds(number % 7 == 0 ? 400 : 20));
      ++done[number];
      --at_once;
      return number * number;
    });
    const std::size_t ahead = GetParam() == 1 ? 0 : 8;
    for (std::size_t number = 0; number < count; ++number) {
      work.add(number);
      for (const std::size_t result : work.settle(number + 1 == count ? 0 : ahead)) results.push_back(result);
      EXPECT_LE(number + 1 - results.size(), 2 * ahead) << "so few wait";
    }
  }
  ASSERT_EQ(results.size(), count);
  for (std::size_t number = 0; number < count; ++number) {
    EXPECT_EQ(results[number], number * number);
    EXPECT_EQ(done[number], 1) << number;
  }
  EXPECT_LE(most_at_once, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Jobs, Ordered, testing::Values(1, 2, 5));

TEST(OrderedWork, WhatNobodyWantsAnyMoreIsDropped) {
  std::atomic<int> done = 0;
  {
    OrderedWork<int> work(3, [&](std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return ++done;
    });
    for (std::size_t number = 0; number < 1000; ++number) work.add(number);
  }
  EXPECT_LT(done, 1000);
}

}  // namespace
}  // namespace tiebreak
