// SPDX-License-Identifier: Apache-2.0
// Every operation on tensors is one of f32 there, and every Python number a double that becomes f32 where it meets a tensor.
#include "testsuite/calibrate/torch_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tiebreak {
namespace {

constexpr int upsample_rate = 128;

/// torch.histc: ends that are alike are replaced by those of the data.
std::vector<float> histc(const std::vector<float>& values, std::size_t bins, float low, float high) {
  if (low == high) std::tie(low, high) = std::pair(std::ranges::min(values), std::ranges::max(values));
  if (low == high) low -= 1, high += 1;
  std::vector<float> counts(bins, 0);
  const float scaled_bins = static_cast<float>(bins);
  for (const float v : values) {
    if (!(v >= low && v <= high)) continue;
    const float distance = (v - low) * scaled_bins;
    ++counts[std::min(static_cast<std::size_t>(distance / (high - low)), bins - 1)];
  }
  return counts;
}

/// The old histogram in finer bins, laid into the new range and collected into its bins.
std::vector<float> combined(const std::vector<float>& fresh, const std::vector<float>& old, std::size_t downsample_rate, std::size_t start) {
  const std::size_t bins = old.size();
  std::vector<float> sums = fresh;
  double integral = 0;
  float before = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    for (std::size_t part = bin * downsample_rate; part < (bin + 1) * downsample_rate; ++part)
      if (part >= start && part < start + bins * upsample_rate) integral += static_cast<double>(old[(part - start) / upsample_rate]);
    sums[bin] += static_cast<float>((integral - static_cast<double>(before)) / upsample_rate);
    before = static_cast<float>(integral);
  }
  return sums;
}

/// torch.div(a, b, rounding_mode="floor").
float floor_quotient(float a, float b) {
  const float rest = std::fmod(a, b);
  float quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return 0;
  const float whole = std::floor(quotient);
  return quotient - whole > 0.5F ? whole + 1 : whole;
}

float cube_norm(float begin, float end, float density) {
  const float above = end * end * end, below = begin * begin * begin;
  return density * ((above - below) / 3);
}

/// The squared error where the bins from `start` to `end` are divided among the codes. The terms are f32; their sum is a double here, where torch adds in
/// an order that the machine's vectors decide.
double quantization_error(const TorchHistogram& histogram, std::size_t start, std::size_t end, double codes) {
  const std::size_t bins = histogram.counts.size();
  const double width = (static_cast<double>(histogram.high) - static_cast<double>(histogram.low)) / static_cast<double>(bins);
  const double code_width = width * static_cast<double>(end - start + 1) / codes;
  if (code_width == 0) return 0;
  const float w = static_cast<float>(code_width), half = static_cast<float>(code_width / 2), bin_width = static_cast<float>(width);
  const float last = static_cast<float>(codes - 1);
  double norm = 0;
  for (std::size_t i = 0; i < bins; ++i) {
    const float from = (static_cast<float>(i) - static_cast<float>(start)) * bin_width, to = from + bin_width;
    const float first_code = std::clamp(floor_quotient(from, w), 0.0F, last), last_code = std::clamp(floor_quotient(to, w), 0.0F, last);
    const float density = histogram.counts[i] / bin_width;
    const float first_center = (first_code + 0.5F) * w, last_product = last_code * w;
    const float last_center = last_product + half;
    float term = cube_norm(from - first_center, half, density);
    const float between = (last_code - first_code - 1) * cube_norm(-half, half, density);
    term += between;
    term += cube_norm(-half, to - last_center, density);
    norm += static_cast<double>(term);
  }
  return norm;
}

}  // namespace

void observe(TorchHistogram& histogram, const std::vector<double>& batch, std::size_t bins) {
  if (batch.empty()) return;
  const std::vector<float> values(batch.begin(), batch.end());
  const float low = std::ranges::min(values), high = std::ranges::max(values);
  if (histogram.is_empty || histogram.low == histogram.high) {
    histogram = {histc(values, bins, std::trunc(low), std::trunc(high)), low, high, false};
    return;
  }
  const float new_low = std::min(low, histogram.low), reach = std::max(high, histogram.high);
  const float fine_width = (histogram.high - histogram.low) / static_cast<float>(bins * upsample_rate);
  const float coarse = static_cast<float>(bins) * fine_width, extent = reach - new_low;
  const auto downsample_rate = static_cast<std::size_t>(std::ceil(extent / coarse));
  const float covered = static_cast<float>(downsample_rate) * coarse;
  const float new_high = reach + (covered - extent);
  const auto start = static_cast<std::size_t>(std::nearbyint((histogram.low - new_low) / fine_width));
  std::vector<float> counts = histc(values, bins, std::trunc(new_low), std::trunc(new_high));
  if (new_low == histogram.low && new_high == histogram.high) {
    for (std::size_t i = 0; i < bins; ++i) counts[i] += histogram.counts[i];
  } else {
    counts = combined(counts, histogram.counts, downsample_rate, start);
  }
  histogram = {std::move(counts), new_low, new_high, false};
}

std::pair<float, float> search_range(const TorchHistogram& histogram, double codes) {
  const std::size_t bins = histogram.counts.size();
  std::vector<float> sums(bins);
  double sum = 0;
  for (std::size_t i = 0; i < bins; ++i) sums[i] = static_cast<float>(sum += static_cast<double>(histogram.counts[i]));
  const double total = static_cast<double>(static_cast<float>(sum)), step = 1e-5;
  double alpha = 0, beta = 1, least_error = std::numeric_limits<double>::infinity();
  std::size_t start = 0, end = bins - 1;
  while (alpha < beta) {
    const double next_alpha = alpha + step, next_beta = beta - step;
    const float below = static_cast<float>(next_alpha * total), above = static_cast<float>(next_beta * total);
    std::size_t left = start, right = end;
    while (left < end && sums[left] < below) ++left;
    while (right > start && sums[right] > above) --right;
    std::size_t next_start = start, next_end = end;
    if (left - start > end - right) next_start = left, alpha = next_alpha;
    else next_end = right, beta = next_beta;
    if (next_start == start && next_end == end) continue;
    const double error = quantization_error(histogram, next_start, next_end, codes);
    if (error > least_error) break;
    least_error = error, start = next_start, end = next_end;
  }
  const float width = (histogram.high - histogram.low) / static_cast<float>(bins);
  const float from = width * static_cast<float>(start), to = width * static_cast<float>(end + 1);
  return {histogram.low + from, histogram.low + to};
}

}  // namespace tiebreak
