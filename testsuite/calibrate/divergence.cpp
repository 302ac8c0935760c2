// SPDX-License-Identifier: Apache-2.0
// Everything is f32, and sums are taken one after another.
#include "testsuite/calibrate/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tiebreak {
namespace {

/// Moves a little from bins that are not empty to those that are; nothing where there is too little to move.
std::vector<float> smoothed(std::vector<float> shares) {
  constexpr float epsilon = 0.0001F;
  const auto empty = std::ranges::count(shares, 0.0F), filled = static_cast<std::ptrdiff_t>(shares.size()) - empty;
  if (filled == 0) return {};
  const float taken = epsilon * static_cast<float>(empty) / static_cast<float>(filled);
  if (taken >= 1) return {};
  for (float& share : shares) share += share == 0 ? epsilon : -taken;
  return shares;
}

/// Infinite where a bin is left with nothing: TVM ends with an error there.
float divergence(const std::vector<float>& p, const std::vector<float>& q) {
  if (p.empty() || q.empty()) return std::numeric_limits<float>::infinity();
  const float p_sum = std::accumulate(p.begin(), p.end(), 0.0F), q_sum = std::accumulate(q.begin(), q.end(), 0.0F);
  float sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] > 0 && q[i] > 0)) return std::numeric_limits<float>::infinity();
    const float a = p[i] / p_sum, b = q[i] / q_sum;
    if (a != 0 && b != 0) {
      const float term = a * std::log(a / b);
      sum += term;
    }
  }
  return sum;
}

/// The bins of the slice, merged into as many as there are codes, and spread again over those bins that `p` has something in.
std::vector<float> quantized(const std::vector<std::int64_t>& slice, const std::vector<float>& p, std::size_t codes) {
  std::vector<float> q(slice.size(), 0);
  const std::size_t merged = slice.size() / codes;
  for (std::size_t code = 0; code < codes; ++code) {
    const auto from = slice.begin() + static_cast<std::ptrdiff_t>(code * merged);
    const auto to = code == codes - 1 ? slice.end() : from + static_cast<std::ptrdiff_t>(merged);
    const auto filled = (to - from) - std::count(from, to, 0);
    if (filled == 0) continue;
    const float each = static_cast<float>(std::accumulate(from, to, std::int64_t{0})) / static_cast<float>(filled);
    for (auto bin = static_cast<std::size_t>(from - slice.begin()); bin < static_cast<std::size_t>(to - slice.begin()); ++bin)
      if (p[bin] != 0) q[bin] = each;
  }
  return q;
}

}  // namespace

float threshold_of_least_divergence(const Histogram& histogram, std::size_t codes) {
  const std::size_t bins = histogram.counts.size(), zero = bins / 2;
  float best = static_cast<float>(histogram.edges.back()), least = std::numeric_limits<float>::infinity();
  bool is_first = true;
  for (std::size_t reach = codes / 2; reach <= zero; ++reach) {
    const std::size_t start = zero - reach, stop = zero + reach + 1;
    // The first bin of the slice holds all that lies below and is not divided among the codes.
    std::vector<std::int64_t> slice(histogram.counts.begin() + static_cast<std::ptrdiff_t>(start),
                                    histogram.counts.begin() + static_cast<std::ptrdiff_t>(stop));
    slice[0] = 0;
    std::vector<float> p(slice.begin(), slice.end());
    for (std::size_t bin = 0; bin <= start; ++bin) p.front() += static_cast<float>(histogram.counts[bin]);
    for (std::size_t bin = stop; bin < bins; ++bin) p.back() += static_cast<float>(histogram.counts[bin]);
    const std::vector<float> q = quantized(slice, p, codes);
    const float found = divergence(smoothed(p), smoothed(q));
    if (is_first || found < least) best = static_cast<float>(histogram.edges[stop]), least = found;
    is_first = false;
  }
  return best;
}

}  // namespace tiebreak
