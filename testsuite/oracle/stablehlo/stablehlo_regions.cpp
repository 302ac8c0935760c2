// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_regions.hpp"

#include <algorithm>
#include <numeric>

#include "testsuite/oracle/extents.hpp"
#include "testsuite/oracle/stablehlo/stablehlo_moves.hpp"

namespace tiebreak::oracle {
namespace {

std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }

/// The element under one place of one window, or -1.
std::int64_t under(const Extents& cell, const Extents& tap, const Extents& shape, const WindowShape& window) {
  Extents place(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t spread = cell[d] * window.strides[d] + tap[d] * window.window_dilations[d] - window.low[d];
    if (spread < 0 || spread % window.base_dilations[d] != 0 || spread / window.base_dilations[d] >= shape[d]) return -1;
    place[d] = spread / window.base_dilations[d];
  }
  return flat(shape, place);
}

}  // namespace

Extents window_counts(const Extents& shape, const WindowShape& window) {
  Extents counts;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t dilated = shape[d] == 0 ? 0 : (shape[d] - 1) * window.base_dilations[d] + 1;
    const std::int64_t padded = window.low[d] + dilated + window.high[d];
    const std::int64_t reach = (window.window[d] - 1) * window.window_dilations[d] + 1;
    counts.push_back(padded <= 0 || reach > padded ? 0 : (padded - reach) / window.strides[d] + 1);
  }
  return counts;
}

WholeNumbers reduce_sum(const WholeNumbers& x, const Extents& shape, const std::vector<bool>& reduced, std::int64_t start) {
  Extents kept;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (!reduced[d]) kept.push_back(shape[d]);
  WholeNumbers sums(static_cast<std::size_t>(volume(kept)), start);
  if (x.empty()) return sums;
  Extents place(shape.size(), 0);
  std::size_t i = 0;
  do {
    Extents row;
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (!reduced[d]) row.push_back(place[d]);
    std::int64_t& sum = sums[static_cast<std::size_t>(flat(kept, row))];
    sum = wrapped_sum(sum, x[i++]);
  } while (advance(place, shape));
  return sums;
}

WholeNumbers window_sum(const WholeNumbers& x, const Extents& shape, const WindowShape& window, std::int64_t start) {
  const Extents counts = window_counts(shape, window);
  WholeNumbers sums;
  if (volume(counts) == 0) return sums;
  Extents cell(shape.size(), 0);
  do {
    std::int64_t sum = start;
    Extents tap(shape.size(), 0);
    do {
      const std::int64_t at = under(cell, tap, shape, window);
      sum = wrapped_sum(sum, at < 0 ? start : x[static_cast<std::size_t>(at)]);
    } while (advance(tap, window.window));
    sums.push_back(sum);
  } while (advance(cell, counts));
  return sums;
}

WholeNumbers select_and_scatter(const WholeNumbers& x, const Extents& shape, const WindowShape& window, const WholeNumbers& source, std::int64_t start) {
  const Extents counts = window_counts(shape, window);
  WholeNumbers sums(x.size(), start);
  if (volume(counts) == 0) return sums;
  Extents cell(shape.size(), 0);
  std::size_t number = 0;
  do {
    std::int64_t best = -1;
    Extents tap(shape.size(), 0);
    do {
      const std::int64_t at = under(cell, tap, shape, window);
      if (at >= 0 && (best < 0 || x[static_cast<std::size_t>(at)] > x[static_cast<std::size_t>(best)])) best = at;
    } while (advance(tap, window.window));
    if (best >= 0) sums[static_cast<std::size_t>(best)] = wrapped_sum(sums[static_cast<std::size_t>(best)], source[number]);
    ++number;
  } while (advance(cell, counts));
  return sums;
}

WholeNumbers stable_order(const WholeNumbers& x, const Extents& shape, std::size_t dimension) {
  WholeNumbers order(x.size());
  std::int64_t stride = 1;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) stride *= shape[d];
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (static_cast<std::int64_t>(i) / stride % shape[dimension] != 0) continue;
    std::vector<std::int64_t> line(static_cast<std::size_t>(shape[dimension]));
    std::iota(line.begin(), line.end(), std::int64_t{0});
    const auto value = [&](std::int64_t k) { return x[i + static_cast<std::size_t>(k * stride)]; };
    std::stable_sort(line.begin(), line.end(), [&](std::int64_t a, std::int64_t b) { return value(a) < value(b); });
    for (std::size_t k = 0; k < line.size(); ++k) order[i + k * static_cast<std::size_t>(stride)] = line[k];
  }
  return order;
}

}  // namespace tiebreak::oracle
