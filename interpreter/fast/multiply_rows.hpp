// SPDX-License-Identifier: Apache-2.0
// Exact integer dot products of rows. The width of the arithmetic follows from bounds on the factors and on the sum, so nothing can overflow.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace tiebreak {

struct RowBounds {
  std::int64_t left_low, left_high, right_low, right_high;
  std::int64_t sum_low, sum_high;  ///< of the whole sum, and with it of every partial sum
};

/// The right-hand rows, stored once in the narrowest width that the bounds allow.
class PackedRows {
 public:
  PackedRows(std::span<const std::int32_t> rows, std::int64_t count, std::int64_t items, const RowBounds& bounds);
  /// products[r] = sum over items of left[i] * rows[r][i].
  void multiply(std::span<const std::int32_t> left, std::span<std::int64_t> products) const;

 private:
  std::int64_t count_, items_;
  bool narrow_;  ///< 16-bit factors, 32-bit sums
  std::vector<std::int16_t> short_rows_{};
  std::vector<std::int32_t> long_rows_{};
};

}  // namespace tiebreak
