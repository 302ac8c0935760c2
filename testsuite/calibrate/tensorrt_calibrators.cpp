// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/tensorrt_calibrators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tiebreak {
namespace {

/// The code of each of the first `reach` bins: codes are as wide as reach / codes bins.
std::vector<std::size_t> codes_of_bins(std::size_t reach, std::size_t codes) {
  const double width = static_cast<double>(reach) / static_cast<double>(codes);
  std::vector<std::size_t> code_of(reach);
  std::size_t code = 0;
  for (std::size_t bin = 0; bin < reach; ++bin) {
    while (code + 1 < codes && static_cast<double>(code + 1) * width <= static_cast<double>(bin)) ++code;
    code_of[bin] = code;
  }
  return code_of;
}

/// Each bin that holds something gets the mean of those that share its code.
std::vector<double> means_by_code(const BinCounts& counts, std::size_t reach, std::size_t codes) {
  const std::vector<std::size_t> code_of = codes_of_bins(reach, codes);
  std::vector<double> sums(codes, 0), filled(codes, 0), q(reach, 0);
  for (std::size_t bin = 0; bin < reach; ++bin)
    if (counts[bin] != 0) sums[code_of[bin]] += static_cast<double>(counts[bin]), filled[code_of[bin]] += 1;
  for (std::size_t bin = 0; bin < reach; ++bin)
    if (counts[bin] != 0) q[bin] = sums[code_of[bin]] / filled[code_of[bin]];
  return q;
}

double relative_entropy(const std::vector<double>& p, const std::vector<double>& q) {
  const double p_sum = pairwise_sum(p.data(), p.size()), q_sum = pairwise_sum(q.data(), q.size());
  std::vector<double> terms;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double a = p[i] / p_sum, b = q[i] / q_sum;
    terms.push_back(a > 0 && b > 0 ? a * std::log(a / b) : a == 0 && b >= 0 ? 0 : std::numeric_limits<double>::infinity());
  }
  return pairwise_sum(terms.data(), terms.size());
}

}  // namespace

double tensorrt_divergence_reach(const MagnitudeHistogram& histogram, std::size_t codes, std::size_t start) {
  BinCounts counts = histogram.counts();
  counts[0] = counts[1];  // zeros say nothing
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = counts.size();
  for (std::size_t reach = start; reach <= counts.size(); ++reach) {
    const auto end = counts.begin() + static_cast<std::ptrdiff_t>(reach);
    std::vector<double> p(counts.begin(), end);
    p.back() += static_cast<double>(std::accumulate(end, counts.end(), std::int64_t{0}));
    const double found = relative_entropy(p, means_by_code(counts, reach, codes));
    // Where nothing lies below the reach there is no number, which NumPy takes for the least.
    if (std::isnan(found) || found <= least) least = found, best = reach;
  }
  return histogram.edges()[best];
}

double tensorrt_squared_error_reach(const MagnitudeHistogram& histogram, double greatest_code, std::size_t start) {
  constexpr float smallest = 1.0F / (1 << 24);  // a reach up to this has all codes 0
  std::vector<float> middles;
  for (std::size_t i = 0; i + 1 < histogram.edges().size(); ++i)
    middles.push_back((static_cast<float>(histogram.edges()[i + 1]) + static_cast<float>(histogram.edges()[i])) / 2);
  const auto top = static_cast<float>(greatest_code);
  double least = std::numeric_limits<double>::infinity();
  float best = middles.back();
  for (std::size_t i = start; i < middles.size(); ++i) {
    const float scale = top / middles[i];
    double errors = 0;
    for (std::size_t bin = 0; bin < middles.size(); ++bin) {
      const float code = std::clamp(std::nearbyint(middles[bin] * scale), -top, top), value = middles[i] <= smallest ? 0 : code / scale;
      const float difference = value - middles[bin], squared = difference * difference;
      errors += static_cast<double>(squared * static_cast<float>(histogram.counts()[bin]));
    }
    if (errors < least) least = errors, best = middles[i];
  }
  return static_cast<double>(best);
}

}  // namespace tiebreak
