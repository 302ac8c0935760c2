// SPDX-License-Identifier: Apache-2.0
// The kernel against three plain loops, by every instruction set that this processor has.
#include "interpreter/simd/integer_product.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tiebreak::simd {
namespace {

/// Lines and items of one side in memory, with what must be readable around them.
struct Block {
  std::vector<std::int16_t> numbers;
  std::vector<std::int64_t> lines, items;
  Side side() const { return {numbers.data() + slack, lines, items}; }
  std::int64_t at(std::size_t line, std::size_t item) const { return side().data[lines[line] + items[item]]; }
};

/// How lines lie in memory.
enum class Lay { rows, neighbours, two_runs, every_second };

Block block_of(std::int64_t lines, std::int64_t items, Lay lay, std::mt19937& random, std::int64_t low, std::int64_t high) {
  Block block;
  const std::int64_t pitch = lay == Lay::every_second ? 2 * lines : lines + 5;
  for (std::int64_t n = 0; n < lines; ++n)
    block.lines.push_back(lay == Lay::rows ? n * items : lay == Lay::every_second ? 2 * n : lay == Lay::two_runs && n >= lines / 2 ? n + 4 : n);
  for (std::int64_t i = 0; i < items; ++i) block.items.push_back(lay == Lay::rows ? i : i * pitch);
  block.numbers.resize(static_cast<std::size_t>(block.lines.back() + block.items.back() + 1 + 2 * slack));
  std::uniform_int_distribution<int> number(static_cast<int>(low), static_cast<int>(high));
  for (std::int16_t& n : block.numbers) n = static_cast<std::int16_t>(number(random));
  return block;
}

/// Row-major, or one column after the other.
std::vector<std::int64_t> steps(std::size_t count, std::size_t step) {
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(static_cast<std::int64_t>(i * step));
  return all;
}

void expect_products(const Block& rows, const Block& columns, bool turned, std::int64_t run) {
  const std::size_t height = rows.lines.size(), breadth = columns.lines.size();
  const auto row_keys = steps(height, turned ? 1 : breadth), column_keys = steps(breadth, turned ? height : 1);
  std::vector<std::int64_t> expected(height * breadth, 1000), sums = expected;
  std::vector<std::int32_t> short_sums(height * breadth, 1000);
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < breadth; ++c)
      for (std::size_t i = 0; i < rows.items.size(); ++i) expected[static_cast<std::size_t>(row_keys[r] + column_keys[c])] += rows.at(r, i) * columns.at(c, i);
  add_products(rows.side(), columns.side(), {sums.data(), row_keys, column_keys}, run);
  add_products(rows.side(), columns.side(), {short_sums.data(), row_keys, column_keys});
  ASSERT_EQ(sums, expected) << height << " rows, " << breadth << " columns, " << rows.items.size() << " items";
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(short_sums[i], static_cast<std::int32_t>(expected[i])) << i;
}

class EverySet : public testing::Test {
 protected:
  /// `check` by every instruction set in turn.
  template <class F>
  void by_each(F check) {
    for (const std::string& set : instruction_sets()) {
      SCOPED_TRACE(set);
      ASSERT_TRUE(use_instruction_set(set));
      EXPECT_EQ(instruction_sets().front(), set);
      check();
    }
  }
  void TearDown() override { use_instruction_set(""); }
};

TEST_F(EverySet, EveryLengthOfItemsRowsAndColumns) {
  by_each([] {
    std::mt19937 random(1);
    for (std::int64_t n = 1; n <= 70; ++n) {
      const Lay lay = static_cast<Lay>(n % 4);
      expect_products(block_of(1 + n % 7, n, Lay::rows, random, -255, 255), block_of(1 + n % 19, n, lay, random, -255, 255), n % 2 != 0, 1 << 20);
      expect_products(block_of(n, 1 + n % 6, Lay::rows, random, -255, 255), block_of(17, 1 + n % 6, lay, random, -255, 255), n % 3 != 0, 1 << 20);
      expect_products(block_of(3, 1 + n % 5, lay, random, -255, 255), block_of(n, 1 + n % 5, Lay::neighbours, random, -255, 255), false, 1 << 20);
      expect_products(block_of(7, 1 + n % 9, lay, random, -255, 255), block_of(n, 1 + n % 9, Lay::two_runs, random, -255, 255), false, 1 << 20);
    }
  });
}

TEST_F(EverySet, MoreThanABlockOfEach) {
  by_each([] {
    std::mt19937 random(2);
    expect_products(block_of(97, 601, Lay::rows, random, -255, 255), block_of(80, 601, Lay::two_runs, random, -255, 255), false, 1 << 20);
    expect_products(block_of(70, 4099, Lay::neighbours, random, -128, 127), block_of(3, 4099, Lay::rows, random, -128, 127), true, 1 << 20);
    expect_products(block_of(2, 70001, Lay::rows, random, -15, 15), block_of(20, 70001, Lay::neighbours, random, -15, 15), false, 1 << 20);  // few rows at once
  });
}

TEST_F(EverySet, TheEndsOfEightBits) {
  by_each([] {
    std::mt19937 random(3);
    for (const std::int64_t items : {1, 2, 63, 64, 65, 1024})
      for (const auto& [a, b] : {std::pair{-128, -128}, {255, 255}, {-255, 255}, {-128, 127}})
        expect_products(block_of(9, items, Lay::rows, random, a, a), block_of(33, items, Lay::neighbours, random, b, b), false, 1 << 20);
  });
}

TEST_F(EverySet, TheEndsOfSixteenBits) {
  // Two products -32768 * -32768 are 2^31, which wraps within a pair and comes back with the next products.
  by_each([] {
    std::mt19937 random(4);
    Block rows = block_of(6, 4, Lay::rows, random, -32768, -32768), columns = block_of(20, 4, Lay::neighbours, random, -32768, -32768);
    for (std::size_t line = 0; line < rows.lines.size(); ++line)
      for (const std::size_t item : {std::size_t{2}, std::size_t{3}})
        rows.numbers[static_cast<std::size_t>(slack + rows.lines[line] + rows.items[item])] = 32767;
    expect_products(rows, columns, false, 4);
  });
}

TEST_F(EverySet, SumsAtTheLimitOf32Bits) {
  by_each([] {
    std::mt19937 random(5);
    const std::int64_t most = std::numeric_limits<std::int32_t>::max() / (255 * 255);  // 33025
    expect_products(block_of(1, most, Lay::rows, random, 255, 255), block_of(17, most, Lay::neighbours, random, 255, 255), false, most);
    expect_products(block_of(2, 2 * most + 1, Lay::rows, random, 255, 255), block_of(2, 2 * most + 1, Lay::neighbours, random, -255, -255), false, most);
  });
}

TEST_F(EverySet, RunsOf64BitSums) {
  by_each([] {
    std::mt19937 random(6);
    for (const std::int64_t run : {2, 3, 64, 65, 255})
      expect_products(block_of(5, 300, Lay::rows, random, -2000, 2000), block_of(40, 300, Lay::two_runs, random, -2000, 2000), false, run);
  });
}

TEST(InstructionSets, AreNamedAndChosen) {
  ASSERT_FALSE(instruction_sets().empty());
  EXPECT_FALSE(use_instruction_set("no such set"));
  EXPECT_FALSE(instruction_sets().empty());
}

TEST(Nothing, IsAdded) {
  std::int64_t sum = 7;
  const std::vector<std::int64_t> one{0}, none;
  const std::vector<std::int16_t> numbers(2 * slack + 1, 3);
  const Side side{numbers.data() + slack, one, none};
  add_products(side, side, {&sum, one, one}, 2);
  EXPECT_EQ(sum, 7);
}

}  // namespace
}  // namespace tiebreak::simd
