// SPDX-License-Identifier: Apache-2.0
// The kernel against three plain loops, by every instruction set that this processor has.
#include "interpreter/simd/integer_product.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

#include "testsuite/unit/helpers/blocks_of_lines.hpp"

namespace tiebreak::simd {
namespace {

using Block = BlockOfLines<std::int16_t>;

Block block_of(std::int64_t lines, std::int64_t items, Lay lay, std::mt19937& random, std::int64_t low, std::int64_t high) {
  std::uniform_int_distribution<int> number(static_cast<int>(low), static_cast<int>(high));
  return tiebreak::block_of<std::int16_t>(lines, items, lay, [&] { return number(random); });
}

void expect_products(const Block& rows, const Block& columns, bool turned, std::int64_t run) {
  const std::size_t height = rows.lines.size(), breadth = columns.lines.size();
  const auto row_keys = steps_of(height, turned ? 1 : breadth), column_keys = steps_of(breadth, turned ? height : 1);
  std::vector<std::int64_t> expected(height * breadth, 1000), sums = expected;
  std::vector<std::int32_t> short_sums(height * breadth, 1000);
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < breadth; ++c)
      for (std::size_t i = 0; i < rows.items.size(); ++i)
        expected[static_cast<std::size_t>(row_keys[r] + column_keys[c])] += std::int64_t{rows.at(r, i)} * columns.at(c, i);
  add_products(rows.side(), columns.side(), {sums.data(), row_keys, column_keys}, run);
  add_products(rows.side(), columns.side(), {short_sums.data(), row_keys, column_keys});
  ASSERT_EQ(sums, expected) << height << " rows, " << breadth << " columns, " << rows.items.size() << " items";
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(short_sums[i], static_cast<std::int32_t>(expected[i])) << i;
}

TEST(IntegerProducts, EveryLengthOfItemsRowsAndColumns) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
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

TEST(IntegerProducts, MoreThanABlockOfEach) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(2);
    expect_products(block_of(97, 601, Lay::rows, random, -255, 255), block_of(80, 601, Lay::two_runs, random, -255, 255), false, 1 << 20);
    expect_products(block_of(70, 4099, Lay::neighbours, random, -128, 127), block_of(3, 4099, Lay::rows, random, -128, 127), true, 1 << 20);
    expect_products(block_of(2, 70001, Lay::rows, random, -15, 15), block_of(20, 70001, Lay::neighbours, random, -15, 15), false, 1 << 20);  // few rows at once
  });
}

TEST(IntegerProducts, TheEndsOfEightBits) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(3);
    for (const std::int64_t items : {1, 2, 63, 64, 65, 1024})
      for (const auto& [a, b] : {std::pair{-128, -128}, {255, 255}, {-255, 255}, {-128, 127}})
        expect_products(block_of(9, items, Lay::rows, random, a, a), block_of(33, items, Lay::neighbours, random, b, b), false, 1 << 20);
  });
}

TEST(IntegerProducts, TheEndsOfSixteenBits) {
  // Two products -32768 * -32768 are 2^31, which wraps within a pair and comes back with the next products.
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(4);
    Block rows = block_of(6, 4, Lay::rows, random, -32768, -32768), columns = block_of(20, 4, Lay::neighbours, random, -32768, -32768);
    for (std::size_t line = 0; line < rows.lines.size(); ++line)
      for (const std::size_t item : {std::size_t{2}, std::size_t{3}})
        rows.numbers[static_cast<std::size_t>(slack + rows.lines[line] + rows.items[item])] = 32767;
    expect_products(rows, columns, false, 4);
  });
}

TEST(IntegerProducts, SumsAtTheLimitOf32Bits) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(5);
    const std::int64_t most = std::numeric_limits<std::int32_t>::max() / (255 * 255);  // 33025
    expect_products(block_of(1, most, Lay::rows, random, 255, 255), block_of(17, most, Lay::neighbours, random, 255, 255), false, most);
    expect_products(block_of(2, 2 * most + 1, Lay::rows, random, 255, 255), block_of(2, 2 * most + 1, Lay::neighbours, random, -255, -255), false, most);
  });
}

TEST(IntegerProducts, RunsOf64BitSums) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(6);
    for (const std::int64_t run : {2, 3, 64, 65, 255})
      expect_products(block_of(5, 300, Lay::rows, random, -2000, 2000), block_of(40, 300, Lay::two_runs, random, -2000, 2000), false, run);
  });
}

using Bytes = BlockOfLines<std::uint8_t>;

Bytes bytes_of(std::int64_t lines, std::int64_t items, Lay lay, std::mt19937& random, int low = 0, int high = 255) {
  std::uniform_int_distribution<int> byte(low, high);
  return tiebreak::block_of<std::uint8_t>(lines, items, lay, [&] { return byte(random); });
}

void expect_byte_products(const Bytes& rows, std::int16_t row_base, const Bytes& columns, std::int16_t column_base, bool turned, std::int64_t run) {
  const std::size_t height = rows.lines.size(), breadth = columns.lines.size();
  const auto row_keys = steps_of(height, turned ? 1 : breadth), column_keys = steps_of(breadth, turned ? height : 1);
  std::vector<std::int64_t> expected(height * breadth, -7), sums = expected;
  std::vector<std::int32_t> short_sums(height * breadth, -7);
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < breadth; ++c)
      for (std::size_t i = 0; i < rows.items.size(); ++i)
        expected[static_cast<std::size_t>(row_keys[r] + column_keys[c])] += std::int64_t{rows.at(r, i) + row_base} * (columns.at(c, i) + column_base);
  const ByteSide left{rows.side(), row_base}, right{columns.side(), column_base};
  add_products(left, right, {sums.data(), row_keys, column_keys}, run);
  add_products(left, right, {short_sums.data(), row_keys, column_keys});
  ASSERT_EQ(sums, expected) << height << " rows, " << breadth << " columns, " << rows.items.size() << " items, bases " << row_base << ", " << column_base;
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(short_sums[i], static_cast<std::int32_t>(static_cast<std::uint32_t>(expected[i]))) << i;
}

TEST(ByteProducts, EveryPairOfBytes) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(7);
    Bytes all = bytes_of(256, 1, Lay::rows, random), apart = bytes_of(256, 1, Lay::every_second, random);
    for (std::size_t byte = 0; byte < 256; ++byte) {
      all.numbers[static_cast<std::size_t>(slack) + byte] = static_cast<std::uint8_t>(byte);
      apart.numbers[static_cast<std::size_t>(slack) + 2 * byte] = static_cast<std::uint8_t>(byte);
    }
    for (const auto a : std::array<std::int16_t, 4>{0, -128, -255, -3})
      for (const auto b : std::array<std::int16_t, 4>{0, -128, -255, 17}) {
        expect_byte_products(all, a, all, b, false, 1 << 15);
        expect_byte_products(all, a, apart, b, true, 1 << 15);
      }
  });
}

TEST(ByteProducts, EveryLengthOfItemsRowsAndColumns) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(8);
    for (std::int64_t n = 1; n <= 70; ++n) {
      const Lay lay = static_cast<Lay>(n % 4);
      const auto base = static_cast<std::int16_t>(-5 * n);
      expect_byte_products(bytes_of(1 + n % 7, n, Lay::rows, random), base, bytes_of(1 + n % 19, n, lay, random), -128, n % 2 != 0, 1 << 15);
      expect_byte_products(bytes_of(n, 1 + n % 6, Lay::rows, random), -128, bytes_of(17, 1 + n % 6, lay, random), base, n % 3 != 0, 1 << 15);
      expect_byte_products(bytes_of(3, 1 + n % 5, lay, random), 0, bytes_of(n, 1 + n % 5, Lay::neighbours, random), base, false, 1 << 15);
      expect_byte_products(bytes_of(7, 1 + n % 9, lay, random), base, bytes_of(n, 1 + n % 9, Lay::two_runs, random), 0, false, 1 << 15);
    }
  });
}

TEST(ByteProducts, OfItemsWithGaps) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(12);
    for (const std::int64_t items : {8, 30, 61, 90})
      for (const Lay lay : {Lay::rows, Lay::every_second, Lay::neighbours}) {
        expect_byte_products(with_gaps(bytes_of(9, items, Lay::rows, random)), -128, with_gaps(bytes_of(37, items, lay, random)), -3, false, 1 << 15);
        expect_products(with_gaps(block_of(9, items, Lay::rows, random, -255, 255)), with_gaps(block_of(37, items, lay, random, -255, 255)), true, 1 << 15);
      }
  });
}

TEST(ByteProducts, MoreThanABlockOfEach) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(9);
    expect_byte_products(bytes_of(97, 1301, Lay::rows, random), -128, bytes_of(80, 1301, Lay::two_runs, random), -127, false, 1 << 15);
    expect_byte_products(bytes_of(530, 70, Lay::neighbours, random), -1, bytes_of(3, 70, Lay::rows, random), -128, true, 1 << 15);
    expect_byte_products(bytes_of(3, 70, Lay::rows, random), -1, bytes_of(1100, 70, Lay::neighbours, random), 0, true, 1 << 15);
  });
}

TEST(ByteProducts, TheEndsOfTheProof) {
  // -128 * 255 so often, and 255 * 255, that one more would leave 32 bits; 64-bit sums of runs of as many.
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(10);
    const std::int64_t most = std::numeric_limits<std::int32_t>::max();
    for (const auto& [a, a_base, b, b_base] : {std::array{255, 0, 255, 0}, {0, -128, 255, 0}, {0, -255, 0, -255}, {255, -128, 0, -255}, {0, -128, 0, -128}}) {
      const std::int64_t items = most / std::abs((a + a_base) * (b + b_base));
      const auto row_base = static_cast<std::int16_t>(a_base), column_base = static_cast<std::int16_t>(b_base);
      expect_byte_products(bytes_of(1, items, Lay::rows, random, a, a), row_base, bytes_of(17, items, Lay::neighbours, random, b, b), column_base, false,
                           items);
      expect_byte_products(bytes_of(2, 2 * items + 1, Lay::rows, random, a, a), row_base, bytes_of(2, 2 * items + 1, Lay::neighbours, random, b, b),
                           column_base, false, items);
    }
  });
}

TEST(ByteProducts, RunsOf64BitSums) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(11);
    for (const std::int64_t run : {2, 3, 4, 5, 64, 65, 255, 1000})
      expect_byte_products(bytes_of(5, 1300, Lay::rows, random), -99, bytes_of(40, 1300, Lay::two_runs, random), -44, false, run);
  });
}

TEST(InstructionSets, AreNamedAndChosen) {
  ASSERT_FALSE(instruction_sets().empty());
  by_each_instruction_set([](const std::string& set) { EXPECT_EQ(instruction_sets().front(), set); });
  EXPECT_FALSE(use_instruction_set("no such set"));
  EXPECT_FALSE(instruction_sets().empty());
}

TEST(IntegerProducts, OfNothingAreNotAdded) {
  std::int64_t sum = 7;
  const std::vector<std::int64_t> one{0}, none;
  const std::vector<std::int16_t> numbers(2 * slack + 1, 3);
  const Side side{numbers.data() + slack, one, none};
  add_products(side, side, {&sum, one, one}, 2);
  EXPECT_EQ(sum, 7);
}

}  // namespace
}  // namespace tiebreak::simd
