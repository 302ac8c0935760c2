// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/multiply_rows.hpp"

#include <algorithm>
#include <limits>

#include "interpreter/operations/avx2_copy.hpp"

namespace tiebreak {
namespace {

template <class T>
bool within(std::int64_t low, std::int64_t high) {
  return low >= std::numeric_limits<T>::min() && high <= std::numeric_limits<T>::max();
}

TIEBREAK_AVX2_COPY
std::int32_t dot_short(const std::int16_t* a, const std::int16_t* b, std::int64_t n) {
  std::int32_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<std::int32_t>(a[i]) * static_cast<std::int32_t>(b[i]);
  return sum;
}

TIEBREAK_AVX2_COPY
std::int64_t dot_long(const std::int32_t* a, const std::int32_t* b, std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<std::int64_t>(a[i]) * static_cast<std::int64_t>(b[i]);
  return sum;
}

}  // namespace

PackedRows::PackedRows(std::span<const std::int32_t> rows, std::int64_t count, std::int64_t items, const RowBounds& bounds)
    : count_(count),
      items_(items),
      // Vector code may add partial sums in any order: each is a sum of some of the products, so bound those by magnitude.
      narrow_(within<std::int16_t>(bounds.left_low, bounds.left_high) && within<std::int16_t>(bounds.right_low, bounds.right_high) &&
              bounds.sum_low > std::numeric_limits<std::int32_t>::min() / 2 && bounds.sum_high < std::numeric_limits<std::int32_t>::max() / 2) {
  if (narrow_) short_rows_.assign(rows.begin(), rows.end());
  else long_rows_.assign(rows.begin(), rows.end());
}

void PackedRows::multiply(std::span<const std::int32_t> left, std::span<std::int64_t> products) const {
  if (narrow_) {
    const std::vector<std::int16_t> row(left.begin(), left.end());
    for (std::int64_t r = 0; r < count_; ++r) products[static_cast<std::size_t>(r)] = dot_short(row.data(), short_rows_.data() + r * items_, items_);
    return;
  }
  for (std::int64_t r = 0; r < count_; ++r) products[static_cast<std::size_t>(r)] = dot_long(left.data(), long_rows_.data() + r * items_, items_);
}

}  // namespace tiebreak
