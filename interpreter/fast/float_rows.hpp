// SPDX-License-Identifier: Apache-2.0
// Dot products of rows of floats, as declared: products rounded or not, sums rounded after every step in a stated order; or in doubles, with what
// an error bound needs. One row of the left side meets many of the right side at once, lane by lane, so that no order changes.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/formula/formula.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {

/// How a sum of products is rounded.
struct FloatSteps {
  const FloatFormat* format = nullptr;  ///< of the running sum; nullptr: none, sums of doubles beside sums of magnitudes
  bool rounds_products = false;         ///< to the same format
  bool pairwise = false;
  std::int64_t block = 0;  ///< runs of so many items, their sums from left to right; 0: no runs
};

/// The arithmetic in which these steps are exact; nothing where there is none.
enum class FloatCarrier : std::uint8_t { single, wide, narrow };
std::optional<FloatCarrier> float_carrier(const FloatSteps& steps, const Bounds& left, const Bounds& right);

class FloatRows {
 public:
  /// `rights`: count rows of so many items. Once `stop` is requested sums end early and mean nothing: whoever asked for them looks at it, too.
  FloatRows(std::span<const double> rights, std::int64_t count, std::int64_t items, const FloatSteps& steps, FloatCarrier carrier, const Stop& stop);
  std::int64_t count() const { return count_; }
  /// sums[r] = the sum over items of left[i] * right[r][i].
  void sum(std::span<const double> left, std::span<double> sums) const;
  /// Sums of doubles in any order, and of the products' magnitudes.
  void sum(std::span<const double> left, std::span<double> sums, std::span<double> magnitudes) const;

 private:
  FloatSteps steps_;
  FloatCarrier carrier_;
  std::int64_t count_, items_;
  Stop stop_;
  std::vector<float> singles_{};  ///< tiles of lanes, in each item by item
  std::vector<double> doubles_{};
};

}  // namespace tiebreak
