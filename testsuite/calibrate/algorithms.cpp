// SPDX-License-Identifier: Apache-2.0
// Providers that are searches: no formula of the notation says them.
#include <algorithm>
#include <cmath>

#include "testsuite/calibrate/divergence.hpp"
#include "testsuite/calibrate/provider.hpp"
#include "testsuite/calibrate/torch_histogram.hpp"

namespace tiebreak {
namespace {

Provided of_range(double low, double high) { return {.range = {{Real::from_double(low), Real::from_double(high)}}, .parameters = {}}; }

Provided torch_histogram_range(const Samples& samples, const CodeFormat& format, const std::vector<double>& settings) {
  TorchHistogram histogram;
  for (const auto& batch : samples.batches) observe(histogram, batch, static_cast<std::size_t>(settings[0]));
  const auto [low, high] = search_range(histogram, std::ldexp(1.0, format.storage.bits()));
  return of_range(static_cast<double>(low), static_cast<double>(high));
}

/// TVM gives the threshold as the scale of as many codes as lie on one side of zero.
Provided tvm_divergence_scale(const Samples& samples, const CodeFormat& format, const std::vector<double>& settings) {
  const double reach = std::max(std::fabs(samples.least()), std::fabs(samples.greatest()));
  const auto codes = static_cast<std::size_t>(settings[1]), bins = std::max(static_cast<std::size_t>(settings[0]), codes) | 1U;
  const float threshold = threshold_of_least_divergence(histogram_between(samples, bins, -reach, reach), codes);
  const double scale = static_cast<double>(threshold / static_cast<float>(std::ldexp(1.0, format.storage.bits() - 1)));
  return {.range = {}, .parameters = {{Real::from_double(scale), Real(0)}}};
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all{
      {"torch_histogram", {{"bins", "2048"}}, torch_histogram_range},
      {"tvm_divergence", {{"bins", "8001"}, {"codes", "255"}}, tvm_divergence_scale},
  };
  return all;
}

}  // namespace tiebreak
