// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/onnxruntime_calibrators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace tiebreak {
namespace {

double reach_of(const std::vector<double>& values) {
  const auto [least, greatest] = std::ranges::minmax(values);
  return std::max(std::fabs(least), std::fabs(greatest));
}

FoundRange within_values(const Batches& batches, double low, double high) {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (const auto& batch : batches) {
    const auto [low_of_batch, high_of_batch] = std::ranges::minmax(batch);
    least = std::min(least, low_of_batch), greatest = std::max(greatest, high_of_batch);
  }
  return {low < least ? least : low, high > greatest ? greatest : high};
}

/// Python's a // b of floats.
double floor_quotient(double a, double b) {
  double rest = std::fmod(a, b), quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

void add(GrowingHistogram& histogram, const std::vector<double>& values) {
  const double reach = reach_of(values);
  const std::size_t bins = histogram.counts.size();
  if (reach <= histogram.reach) {
    const BinCounts more = counts_between(values, equal_edges(-histogram.reach, histogram.reach, bins));
    std::ranges::transform(histogram.counts, more, histogram.counts.begin(), std::plus{});
    return;
  }
  std::size_t added = 0;
  double wider = reach;
  if (histogram.reach != 0) {
    const double width = 2 * histogram.reach / static_cast<double>(bins), beyond = reach - histogram.reach;
    added = static_cast<std::size_t>(floor_quotient(beyond, width) + 1);
    const double grown = static_cast<double>(added) * width;
    wider = grown + histogram.reach;
  }
  const BinCounts before = std::move(histogram.counts);
  histogram.edges = equal_edges(-wider, wider, bins + 2 * added);
  histogram.counts = counts_between(values, histogram.edges);
  for (std::size_t i = 0; i < before.size(); ++i) histogram.counts[i + added] += before[i];
  histogram.reach = wider;
}

/// f32 numbers: a little moved from bins that hold something to those that are empty. Empty where there is too little to move.
std::vector<float> smoothed_counts(const BinCounts& counts) {
  constexpr double epsilon = 0.0001;
  const auto empty = std::ranges::count(counts, 0), filled = static_cast<std::ptrdiff_t>(counts.size()) - empty;
  const double taken = epsilon * static_cast<double>(empty) / static_cast<double>(filled);
  if (filled == 0 || taken >= 1) return {};
  std::vector<float> moved;
  for (const std::int64_t count : counts) moved.push_back(static_cast<float>(count) + (count == 0 ? static_cast<float>(epsilon) : static_cast<float>(-taken)));
  return moved;
}

/// The sum of p * log(p / q) of shares of 1: each term in f64, then f32, as all else.
float relative_entropy(const std::vector<float>& p, const std::vector<float>& q) {
  if (p.empty() || q.empty()) return std::numeric_limits<float>::infinity();
  const float p_sum = pairwise_sum(p.data(), p.size()), q_sum = pairwise_sum(q.data(), q.size());
  std::vector<float> terms;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto a = static_cast<double>(p[i] / p_sum), b = static_cast<double>(q[i] / q_sum);
    terms.push_back(static_cast<float>(a > 0 && b > 0 ? a * std::log(a / b) : a == 0 && b >= 0 ? 0 : std::numeric_limits<double>::infinity()));
  }
  return pairwise_sum(terms.data(), terms.size());
}

/// The bins of the slice merged into as many as there are codes, and spread again in whole numbers; what is left over behind the last code is added to it, and
/// its bins get nothing.
BinCounts spread_counts(const BinCounts& slice, const BinCounts& p, std::size_t codes) {
  BinCounts q(slice.size(), 0);
  const std::size_t merged = slice.size() / codes;
  for (std::size_t code = 0; code < codes; ++code) {
    const auto from = static_cast<std::ptrdiff_t>(code * merged), to = from + static_cast<std::ptrdiff_t>(merged);
    std::int64_t sum = std::accumulate(slice.begin() + from, slice.begin() + to, std::int64_t{0});
    if (code == codes - 1) sum = std::accumulate(slice.begin() + to, slice.end(), sum);
    const std::int64_t filled = (to - from) - std::count(p.begin() + from, p.begin() + to, 0);
    if (filled != 0) std::fill(q.begin() + from, q.begin() + to, static_cast<std::int64_t>(static_cast<double>(sum) / static_cast<double>(filled)));
  }
  return q;
}

/// The first place whose share of all counts, added up in f64, reaches `share`.
std::size_t place_of_share(const BinCounts& counts, double share) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  double below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if ((below += static_cast<double>(counts[i]) / total) >= share) return i;
  return counts.size();
}

}  // namespace

GrowingHistogram growing_histogram(const Batches& batches, std::size_t bins) {
  GrowingHistogram histogram;
  for (const auto& batch : batches) {
    if (!histogram.counts.empty()) {
      add(histogram, batch);
      continue;
    }
    histogram.reach = reach_of(batch);
    histogram.edges = equal_edges(-histogram.reach, histogram.reach, bins);
    histogram.counts = counts_between(batch, histogram.edges);
  }
  return histogram;
}

FoundRange onnxruntime_divergence_range(const Batches& batches, std::size_t bins, std::size_t codes) {
  const auto [counts, edges, reach] = growing_histogram(batches, bins);
  const std::size_t zero = counts.size() / 2;
  double low = edges.front(), high = edges.back();
  std::optional<float> least;
  for (std::size_t half = codes / 2; half <= zero; ++half) {
    const std::size_t start = zero - half, stop = std::min(zero + half + 1, counts.size());
    const BinCounts slice(counts.begin() + static_cast<std::ptrdiff_t>(start), counts.begin() + static_cast<std::ptrdiff_t>(stop));
    BinCounts p = slice;
    p.front() = std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(start), p.front());
    p.back() = std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(stop), counts.end(), p.back());
    const float found = relative_entropy(smoothed_counts(p), smoothed_counts(spread_counts(slice, p, codes)));
    if (!least || found < *least) least = found, low = edges[start], high = edges[stop];
  }
  return within_values(batches, low, high);
}

FoundRange onnxruntime_percentile_of_magnitudes(const Batches& batches, std::size_t bins, double percentile) {
  MagnitudeHistogram histogram(bins, true);
  for (const auto& batch : batches) histogram.observe(batch);
  const double edge = histogram.edges()[place_of_share(histogram.counts(), percentile / 100)];
  return within_values(batches, -edge, edge);
}

FoundRange onnxruntime_percentile_of_values(const Batches& batches, std::size_t bins, double percentile) {
  const GrowingHistogram histogram = growing_histogram(batches, bins);
  const double cut = (100 - percentile) / 200;
  return within_values(batches, histogram.edges[place_of_share(histogram.counts, cut)], histogram.edges[place_of_share(histogram.counts, 1 - cut)]);
}

}  // namespace tiebreak
