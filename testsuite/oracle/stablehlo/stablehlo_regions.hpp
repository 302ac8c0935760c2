// SPDX-License-Identifier: Apache-2.0
// StableHLO's ops with regions in plain loops over whole numbers: the regions are addition modulo 2^64 and comparison.
#pragma once
#include <cstdint>
#include <vector>

namespace tiebreak::oracle {

using Extents = std::vector<std::int64_t>;
using WholeNumbers = std::vector<std::int64_t>;

struct WindowShape {
  Extents window, strides, base_dilations, window_dilations, low, high;
};

/// Number of windows along each dimension.
Extents window_counts(const Extents& shape, const WindowShape& window);
/// Sum over some dimensions, from a start value.
WholeNumbers reduce_sum(const WholeNumbers& x, const Extents& shape, const std::vector<bool>& reduced, std::int64_t start);
/// Sums over windows; what lies outside or between dilated elements is the start value.
WholeNumbers window_sum(const WholeNumbers& x, const Extents& shape, const WindowShape& window, std::int64_t start);
/// The first greatest element of each window takes the window's source value; sums from a start value.
WholeNumbers select_and_scatter(const WholeNumbers& x, const Extents& shape, const WindowShape& window, const WholeNumbers& source, std::int64_t start);
/// Positions along one dimension in ascending order, equal elements in their order; other tensors are rearranged by them.
WholeNumbers stable_order(const WholeNumbers& x, const Extents& shape, std::size_t dimension);

}  // namespace tiebreak::oracle
