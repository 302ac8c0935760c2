// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/numpy_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak {
namespace {

double in_f32(double v) { return static_cast<double>(static_cast<float>(v)); }

}  // namespace

std::vector<double> equal_edges(double low, double high, std::size_t bins) {
  if (low == high) low -= 0.5, high += 0.5;
  std::vector<double> edges(bins + 1);
  const double step = (high - low) / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double moved = static_cast<double>(i) * step;
    edges[i] = in_f32(moved + low);
  }
  edges[bins] = in_f32(high);
  return edges;
}

BinCounts counts_between(const std::vector<double>& values, const std::vector<double>& edges) {
  BinCounts counts(edges.size() - 1, 0);
  for (const double v : values) {
    if (v < edges.front() || v > edges.back()) continue;
    const auto above = static_cast<std::size_t>(std::ranges::upper_bound(edges, v) - edges.begin());
    ++counts[std::min(above, counts.size()) - 1];
  }
  return counts;
}

void MagnitudeHistogram::observe(const std::vector<double>& values) {
  std::vector<double> magnitudes;
  for (const double v : values) magnitudes.push_back(std::fabs(v));
  const auto [least, greatest] = std::ranges::minmax(magnitudes);
  if (edges_.empty()) {
    edges_ = equal_edges(least, greatest, bins_);
    counts_ = counts_between(magnitudes, edges_);
    return;
  }
  if (greatest > edges_.back()) grow(greatest);
  BinCounts counts = counts_between(magnitudes, edges_);
  for (std::size_t i = 0; i < counts_.size(); ++i) counts[i] += counts_[i];
  counts_ = std::move(counts);
  if (f32_edges_) std::ranges::transform(edges_, edges_.begin(), in_f32);
}

/// Edges a bin's width apart, the first a width beyond the last one: start + i * ((start + width) - start) in f64, of numbers that are f32 as long as the edges
/// are.
void MagnitudeHistogram::grow(double greatest) {
  const bool is_f32 = f32_edges_ || edges_.size() == bins_ + 1;  // no bin was added yet
  const auto rounded = [&](double v) { return is_f32 ? in_f32(v) : v; };
  const double width = rounded(edges_[1] - edges_[0]), start = rounded(edges_.back() + width), stop = rounded(greatest + width);
  const double next = rounded(start + width), distance = next - start, length = rounded(rounded(stop - start) / width);
  const auto count = static_cast<std::size_t>(std::max(0.0, std::ceil(length)));
  for (std::size_t i = 0; i < count; ++i) {
    const double moved = static_cast<double>(i) * distance;
    edges_.push_back(i == 1 ? next : start + moved);
  }
}

}  // namespace tiebreak
