// SPDX-License-Identifier: Apache-2.0
// Histograms as NumPy 1.24 makes them of f32 values, for calibrators that are written with it: where edges lie decides which bin a value is in.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tiebreak {

using BinCounts = std::vector<std::int64_t>;

/// Edges of `bins` bins of one width from low to high: in f64, then rounded to f32. Where both ends are one number, half of 1 on either side.
std::vector<double> equal_edges(double low, double high, std::size_t bins);
/// How many values lie between two edges; the last bin contains its upper edge, and what lies outside is in none.
BinCounts counts_between(const std::vector<double>& values, const std::vector<double>& edges);

/// A histogram of magnitudes that grows: the first batch decides where it begins and how wide a bin is; greater values add bins at the end, and smaller ones
/// than the first batch had are in no bin.
class MagnitudeHistogram {
 public:
  /// `f32_edges`: edges are kept in f32 between batches, else in f64 once bins were added.
  MagnitudeHistogram(std::size_t bins, bool f32_edges) : bins_(bins), f32_edges_(f32_edges) {}
  void observe(const std::vector<double>& values);
  const std::vector<double>& edges() const { return edges_; }
  const BinCounts& counts() const { return counts_; }

 private:
  void grow(double greatest);

  std::size_t bins_;
  bool f32_edges_;
  std::vector<double> edges_{};
  BinCounts counts_{};
};

/// A sum as NumPy adds: eight sums side by side, in halves beyond 128 terms.
template <typename Number>
Number pairwise_sum(const Number* terms, std::size_t count) {
  if (count < 8) {
    Number sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += terms[i];
    return sum;
  }
  if (count > 128) {
    const std::size_t half = count / 2 - count / 2 % 8;
    return pairwise_sum(terms, half) + pairwise_sum(terms + half, count - half);
  }
  Number lanes[8];
  for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] = terms[lane];
  std::size_t i = 8;
  for (; i + 8 <= count; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += terms[i + lane];
  Number sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  for (; i < count; ++i) sum += terms[i];
  return sum;
}

}  // namespace tiebreak
