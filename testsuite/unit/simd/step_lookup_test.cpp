// SPDX-License-Identifier: Apache-2.0
// Steps looked up by every instruction set that this processor has, against the steps themselves.
#include "interpreter/simd/step_lookup.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "testsuite/unit/helpers/blocks_of_lines.hpp"

namespace tiebreak::simd {
namespace {

/// A step in some buckets, none in others; values are drawn.
struct Steps {
  StepBuckets buckets{};
  std::vector<std::uint32_t> entries{};
};

Steps draw_steps(std::int32_t low, std::int32_t high, int shift, std::mt19937& random) {
  Steps steps{.buckets = {.low = low, .high = high, .shift = shift, .entries = nullptr}};
  const std::uint64_t count = (static_cast<std::uint64_t>(std::int64_t{high} - low) >> shift) + 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto drawn = static_cast<std::uint32_t>(random());
    const std::uint32_t place = (drawn >> 8) % (std::uint32_t{1} << shift), before = drawn & 0xFFu, from = drawn >> 24;
    steps.entries.push_back(place << 16 | before << 8 | from);
  }
  steps.buckets.entries = steps.entries.data();
  return steps;
}

std::uint8_t value_at(const Steps& steps, std::int64_t number) {
  const StepBuckets& buckets = steps.buckets;
  const std::int64_t above = std::min<std::int64_t>(std::max<std::int64_t>(number, buckets.low), buckets.high) - buckets.low;
  const std::uint32_t entry = steps.entries[static_cast<std::size_t>(above >> buckets.shift)];
  const std::int64_t within = above & ((std::int64_t{1} << buckets.shift) - 1);
  return static_cast<std::uint8_t>(within < (entry >> 16) ? entry >> 8 : entry);
}

TEST(StepLookup, EveryCountAndShift) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(), greatest = std::numeric_limits<std::int32_t>::max();
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(1);
    for (int shift = 0; shift <= 16; ++shift) {
      const std::int32_t reach = 1 << (shift + 6);
      const Steps narrow = draw_steps(-reach, reach - 3, shift, random), one = draw_steps(7, 7, shift, random);
      for (std::size_t count = 0; count < 70; ++count) {
        std::vector<std::int32_t> numbers;
        for (std::size_t i = 0; i < count; ++i)
          numbers.push_back(i == 0   ? least
                            : i == 1 ? greatest
                                     : static_cast<std::int32_t>(static_cast<std::uint32_t>(random()) % (4u * static_cast<std::uint32_t>(reach))) - 2 * reach);
        for (const Steps& steps : {narrow, one}) {
          std::vector<std::uint8_t> values(count + 1, 77);
          StepBuckets buckets = steps.buckets;
          buckets.entries = steps.entries.data();
          look_up_steps(buckets, numbers.data(), count, values.data());
          for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(values[i], value_at(steps, numbers[i])) << numbers[i] << " by buckets of 2^" << shift;
          ASSERT_EQ(values[count], 77);
        }
      }
    }
    const Steps whole = draw_steps(least, greatest, 16, random);
    std::vector<std::int32_t> numbers{least, least + 1, -1, 0, 1, greatest - 1, greatest};
    std::vector<std::uint8_t> values(numbers.size());
    look_up_steps(whole.buckets, numbers.data(), numbers.size(), values.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(values[i], value_at(whole, numbers[i])) << numbers[i];
  });
}

}  // namespace
}  // namespace tiebreak::simd
