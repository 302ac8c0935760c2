// SPDX-License-Identifier: Apache-2.0
// Sums of products of floats, many rows against many columns, by the widest instructions of the processor at hand: in the order of the items, each step
// rounded, or in doubles in any order, beside what bounds their error. Every operation is IEEE's: sums in order are the same by every instruction set.
#pragma once
#include <cstdint>
#include <vector>

#include "interpreter/simd/lines.hpp"

namespace tiebreak::simd {

/// How a product is added to a running sum.
enum class Step : std::uint8_t {
  rounded,  ///< the product is rounded, then the sum
  fused,    ///< one rounding of both
};

/// sums(r, c) = the sum over items of rows(r, i) * columns(c, i), one after another from 0, in the numbers' own format. Where `run` is not 0 the sums of so
/// many items each are added from left to right.
void add_in_order(const Lines<float>& rows, const Lines<float>& columns, const Sums<double>& sums, Step step, std::int64_t run);
void add_in_order(const Lines<double>& rows, const Lines<double>& columns, const Sums<double>& sums, Step step, std::int64_t run);

/// add_doubles() adds the sums of runs of so many items: short runs lose less.
constexpr std::int64_t sum_block = 128;

/// By how much sums of doubles are off: that of row r and column c by at most share * rows[r] * columns[c].
struct SumErrors {
  double share = 0;
  /// Of each line the square root of its sum of squares, rounded up: the magnitudes of a row's products with a column's add up to at most the product of the
  /// two (Cauchy and Schwarz).
  std::vector<double> rows{}, columns{};
  double of(std::size_t row, std::size_t column) const { return share * rows[row] * columns[column]; }
};

enum class Of : std::uint8_t { products, magnitudes };

/// sums(r, c) = the same sums, or those of the products' magnitudes, in doubles, in an order of the kernel's own. The caller has proved that doubles hold every
/// product, and that the magnitudes of all numbers but 0 lie between 2^-400 and 2^400.
SumErrors add_doubles(const Lines<float>& rows, const Lines<float>& columns, const Sums<double>& sums, Of of = Of::products);
SumErrors add_doubles(const Lines<double>& rows, const Lines<double>& columns, const Sums<double>& sums, Of of = Of::products);

}  // namespace tiebreak::simd
