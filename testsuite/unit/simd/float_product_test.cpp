// SPDX-License-Identifier: Apache-2.0
// The kernels against three plain loops, by every instruction set that this processor has.
#include "interpreter/simd/float_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testsuite/unit/helpers/blocks_of_lines.hpp"

namespace tiebreak::simd {
namespace {

/// Where the sums of a test lie: row after row, or turned.
struct Table {
  std::vector<double> sums;
  std::vector<std::int64_t> rows, columns;
  Table(std::size_t height, std::size_t breadth, bool turned)
      : sums(height * breadth, 1e9), rows(steps_of(height, turned ? 1 : breadth)), columns(steps_of(breadth, turned ? height : 1)) {}
  Sums<double> places() { return {sums.data(), rows, columns}; }
  double at(std::size_t r, std::size_t c) const { return sums[static_cast<std::size_t>(rows[r] + columns[c])]; }
};

template <class Number>
Number step_of(Number sum, Number a, Number b, Step step) {
  return step == Step::fused ? std::fma(a, b, sum) : static_cast<Number>(sum + static_cast<Number>(a * b));
}

template <class Number>
Number in_order(const BlockOfLines<Number>& rows, std::size_t r, const BlockOfLines<Number>& columns, std::size_t c, Step step, std::size_t run) {
  Number total = 0;
  const std::size_t items = rows.items.size();
  for (std::size_t first = 0; first < items; first += run == 0 ? items : run) {
    Number sum = 0;
    for (std::size_t i = first; i < std::min(items, run == 0 ? items : first + run); ++i) sum = step_of(sum, rows.at(r, i), columns.at(c, i), step);
    total = run == 0 ? sum : static_cast<Number>(total + sum);
  }
  return total;
}

template <class Number>
void expect_in_order(const BlockOfLines<Number>& rows, const BlockOfLines<Number>& columns, bool turned) {
  const std::size_t height = rows.lines.size(), breadth = columns.lines.size();
  for (const Step step : {Step::fused, Step::rounded})
    for (const std::size_t run : {std::size_t{0}, std::size_t{1}, std::size_t{7}}) {
      Table table(height, breadth, turned);
      add_in_order(rows.side(), columns.side(), table.places(), step, static_cast<std::int64_t>(run));
      for (std::size_t r = 0; r < height; ++r)
        for (std::size_t c = 0; c < breadth; ++c)
          ASSERT_EQ(table.at(r, c), static_cast<double>(in_order(rows, r, columns, c, step, run)))
              << r << ", " << c << " of " << height << " by " << breadth << ", " << rows.items.size() << " items in runs of " << run;
    }
}

/// Whole numbers: doubles in any order are exact.
template <class Number>
void expect_doubles(const BlockOfLines<Number>& rows, const BlockOfLines<Number>& columns, Of of) {
  const std::size_t height = rows.lines.size(), breadth = columns.lines.size(), items = rows.items.size();
  Table table(height, breadth, false);
  const SumErrors errors = add_doubles(rows.side(), columns.side(), table.places(), of);
  const auto expect_norm = [&](double norm, const BlockOfLines<Number>& block, std::size_t line) {
    double squares = 0;
    for (std::size_t i = 0; i < items; ++i) squares += static_cast<double>(block.at(line, i)) * block.at(line, i);
    ASSERT_GE(norm, std::sqrt(squares));
    ASSERT_LE(norm, std::sqrt(squares) * (1 + 1e-9));
  };
  for (std::size_t r = 0; r < height; ++r) expect_norm(errors.rows[r], rows, r);
  for (std::size_t c = 0; c < breadth; ++c) expect_norm(errors.columns[c], columns, c);
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < breadth; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < items; ++i) {
        const double product = static_cast<double>(rows.at(r, i)) * columns.at(c, i);
        sum += of == Of::magnitudes ? std::fabs(product) : product;
      }
      ASSERT_EQ(table.at(r, c), sum) << r << ", " << c << " of " << height << " by " << breadth << ", " << items << " items";
    }
}

template <class Number>
class FloatProducts : public testing::Test {};

using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatProducts, Numbers);

TYPED_TEST(FloatProducts, InOrderOfTheItems) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    const auto number = [&] { return std::ldexp(normal(random), static_cast<int>(random() % 8)); };
    for (std::int64_t n = 1; n <= 70; n += 7) {
      const Lay lay = static_cast<Lay>(n % 4);
      expect_in_order(block_of<TypeParam>(1 + n % 14, n, Lay::rows, number), block_of<TypeParam>(1 + n % 67, n, lay, number), n % 2 != 0);
      expect_in_order(block_of<TypeParam>(3, 1 + n % 9, lay, number), block_of<TypeParam>(n, 1 + n % 9, Lay::two_runs, number), n % 2 == 0);
      expect_in_order(block_of<TypeParam>(13, 2 + n, lay, number), block_of<TypeParam>(n, 2 + n, Lay::neighbours, number), false);
    }
    expect_in_order(block_of<TypeParam>(50, 300, Lay::rows, number), block_of<TypeParam>(70, 300, Lay::two_runs, number), false);
  });
}

TYPED_TEST(FloatProducts, DoublesInAnyOrder) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(2);
    const auto number = [&] { return static_cast<double>(random() % 4001) - 2000; };
    for (const Of of : {Of::products, Of::magnitudes}) {
      for (std::int64_t n = 1; n <= 70; n += 3) {
        const Lay lay = static_cast<Lay>(n % 4);
        expect_doubles(block_of<TypeParam>(1 + n % 14, n, Lay::rows, number), block_of<TypeParam>(1 + n % 37, n, lay, number), of);
        expect_doubles(block_of<TypeParam>(3, 1 + n % 9, lay, number), block_of<TypeParam>(n, 1 + n % 9, Lay::two_runs, number), of);
      }
      expect_doubles(block_of<TypeParam>(60, 1500, Lay::rows, number), block_of<TypeParam>(70, 1500, Lay::neighbours, number), of);
    }
  });
}

TYPED_TEST(FloatProducts, OfItemsWithGaps) {
  by_each_instruction_set([](const std::string& set) {
    SCOPED_TRACE(set);
    std::mt19937 random(3);
    const auto number = [&] { return static_cast<double>(random() % 4001) - 2000; };
    for (const std::int64_t items : {8, 30, 61, 200})
      for (const Lay lay : {Lay::rows, Lay::every_second, Lay::neighbours}) {
        const auto rows = with_gaps(block_of<TypeParam>(9, items, Lay::rows, number)), columns = with_gaps(block_of<TypeParam>(37, items, lay, number));
        expect_doubles(rows, columns, Of::products);
        expect_in_order(rows, columns, true);
      }
  });
}

TEST(NoFloatProducts, AreZero) {
  double sum = 7;
  const std::vector<std::int64_t> one{0}, none;
  const std::vector<float> numbers(2 * slack + 1, 3);
  const Lines<float> side{numbers.data() + slack, one, none};
  const SumErrors errors = add_doubles(side, side, {&sum, one, one});
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(errors.rows[0], 0);
  sum = 7;
  add_in_order(side, side, {&sum, one, one}, Step::fused, 0);
  EXPECT_EQ(sum, 0);
  sum = 7;
  const Lines<float> nothing{numbers.data() + slack, none, one};
  EXPECT_TRUE(add_doubles(nothing, {numbers.data() + slack, one, one}, {&sum, none, one}).rows.empty());
  EXPECT_TRUE(add_doubles({numbers.data() + slack, one, one}, nothing, {&sum, one, none}).columns.empty());
  EXPECT_EQ(sum, 7);
}

}  // namespace
}  // namespace tiebreak::simd
