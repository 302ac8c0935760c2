// SPDX-License-Identifier: Apache-2.0
// Ends in many lanes, by every instruction set: they hold what is exact, they are as narrow as said, and they are the same everywhere.
#include "interpreter/simd/enclosure_loops.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "interpreter/exact/real.hpp"
#include "testsuite/unit/helpers/blocks_of_lines.hpp"

namespace tiebreak::simd {
namespace {

struct Column {
  std::vector<double> low, high;
  Ends ends(bool uniform) const { return {low.data(), high.data(), uniform}; }
};

/// Numbers, intervals of a few steps, zeros, whole numbers, what is far out, what is not known.
Column drawn(std::size_t count, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Column column;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned kind = random() % 8;
    double low = std::ldexp(normal(random), static_cast<int>(random() % 40) - 20);
    if (kind == 0) low = static_cast<double>(static_cast<int>(random() % 17) - 8);
    if (kind == 1) low = static_cast<float>(low);
    if (kind == 2) low = std::ldexp(normal(random), random() % 2 == 0 ? 600 : -600);
    const double high = kind < 5 ? low : low + std::fabs(low) * 0x1p-40;
    column.low.push_back(kind == 7 ? std::nan("") : low);
    column.high.push_back(kind == 7 ? std::nan("") : high);
  }
  return column;
}

using Loop = decltype(&add_ends);

Column run(Loop loop, const Column& a, bool a_uniform, const Column& b, bool b_uniform) {
  const std::size_t count = a_uniform && b_uniform ? 1 : a.low.size();
  Column out{std::vector<double>(count), std::vector<double>(count)};
  loop(a.ends(a_uniform), b.ends(b_uniform), count, out.low.data(), out.high.data());
  return out;
}

Real exact(Loop loop, double a, double b) {
  const Real x = Real::from_double(a), y = Real::from_double(b);
  return loop == add_ends ? x + y : loop == subtract_ends ? x - y : x * y;
}

void expect_enclosures(Loop loop, const Column& a, bool a_uniform, const Column& b, bool b_uniform) {
  const Column out = run(loop, a, a_uniform, b, b_uniform);
  for (std::size_t i = 0; i < out.low.size(); ++i) {
    const std::size_t p = a_uniform ? 0 : i, q = b_uniform ? 0 : i;
    const bool known = !std::isnan(a.low[p]) && !std::isnan(b.low[q]);
    if (!known) {
      ASSERT_TRUE(std::isnan(out.low[i]) && std::isnan(out.high[i])) << i;
      continue;
    }
    if (std::isnan(out.low[i])) {  // far beyond the largest double
      ASSERT_GT(std::fabs(a.high[p]) + std::fabs(b.high[q]), 0x1p400) << i;
      continue;
    }
    bool holds_all = true;
    for (const double x : {a.low[p], a.high[p]})
      for (const double y : {b.low[q], b.high[q]}) {
        const Real value = exact(loop, x, y);
        holds_all = holds_all && Real::from_double(out.low[i]) <= value && value <= Real::from_double(out.high[i]);
      }
    ASSERT_TRUE(holds_all) << i << ": " << a.low[p] << ", " << b.low[q];
    const Real middle = exact(loop, a.low[p], b.low[q]);
    const bool numbers = a.low[p] == a.high[p] && b.low[q] == b.high[q], is_double = Real::from_double(middle.to_double()) == middle;
    const bool is_number = out.low[i] == out.high[i];
    ASSERT_TRUE(!is_number || (numbers && is_double)) << i;
    const double size = std::fabs(middle.to_double());
    const bool must_be = numbers && is_double && size > 0x1p-800 && size < 0x1p800;
    ASSERT_TRUE(is_number || !must_be) << i << ": " << a.low[p] << ", " << b.low[q];
  }
}

TEST(EnclosureLoops, HoldWhatIsExact) {
  for (const Loop loop : {add_ends, subtract_ends, multiply_ends})
    by_each_instruction_set([loop](const std::string& set) {
      SCOPED_TRACE(set);
      std::mt19937 random(5);
      for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{16}, std::size_t{301}}) {
        const Column a = drawn(count, random), b = drawn(count, random);
        for (const bool a_uniform : {false, true})
          for (const bool b_uniform : {false, true}) expect_enclosures(loop, a, a_uniform, b, b_uniform);
      }
    });
}

TEST(EnclosureLoops, AreTheSameByEverySet) {
  std::mt19937 random(6);
  const Column a = drawn(1000, random), b = drawn(1000, random);
  for (const Loop loop : {add_ends, subtract_ends, multiply_ends}) {
    std::vector<std::uint64_t> first;
    by_each_instruction_set([&](const std::string& set) {
      const Column out = run(loop, a, false, b, false);
      std::vector<std::uint64_t> bits;
      for (std::size_t i = 0; i < out.low.size(); ++i)
        for (const double end : {out.low[i], out.high[i]}) bits.push_back(std::isnan(end) ? 1 : std::bit_cast<std::uint64_t>(end));
      if (first.empty()) first = bits;
      EXPECT_EQ(bits, first) << set;
    });
  }
}

TEST(EnclosureLoops, KnowNoSignOfAZeroSum) {
  const Column one{{1.5}, {1.5}};
  const Column out = run(subtract_ends, one, false, one, false);
  EXPECT_LT(out.low[0], 0);
  EXPECT_GT(out.high[0], 0);
}

TEST(EnclosureLoops, KnowNothingThatIsNotFinite) {
  const Column huge{{0x1p1000}, {0x1p1000}};
  const Column out = run(multiply_ends, huge, false, huge, false);
  EXPECT_TRUE(std::isnan(out.low[0]) && std::isnan(out.high[0]));
}

}  // namespace
}  // namespace tiebreak::simd
