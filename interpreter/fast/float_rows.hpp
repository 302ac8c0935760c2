// SPDX-License-Identifier: Apache-2.0
// Dot products of rows of floats whose sums go in pairs, or whose format no processor has: one row of one side meets many of the other at once, lane by lane,
// so that no order changes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/simd/lines.hpp"
#include "interpreter/stop.hpp"

namespace tiebreak {

/// How a sum of products is rounded.
struct FloatSteps {
  const FloatFormat* format = nullptr;  ///< of the running sum
  bool rounds_products = false;         ///< to the same format
  bool pairwise = false;
  std::int64_t block = 0;  ///< runs of so many items, their sums from left to right; 0: no runs
};

/// The arithmetic in which steps are exact.
enum class FloatCarrier : std::uint8_t {
  single,  ///< the format is binary32, the numbers are floats
  wide,    ///< binary64
  narrow,  ///< any narrower format of IEEE form, in doubles
};

/// In floats the carrier is `single`, in doubles one of the others.
template <class Number>
class FloatRows {
 public:
  FloatRows(const simd::Lines<Number>& columns, const FloatSteps& steps, FloatCarrier carrier);
  /// sums[c] = the sum over items of row[i] * column c's item i. Once `stop` is requested sums end early and mean nothing.
  void sum(std::span<const Number> row, std::span<double> sums, const Stop& stop) const;

 private:
  FloatSteps steps_;
  FloatCarrier carrier_;
  std::int64_t count_, items_;
  std::vector<Number> packed_;  ///< tiles of lanes, in each item by item
};

extern template class FloatRows<float>;
extern template class FloatRows<double>;

}  // namespace tiebreak
