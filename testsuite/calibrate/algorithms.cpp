// SPDX-License-Identifier: Apache-2.0
// Providers that are searches: no formula of the notation says them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testsuite/calibrate/bisection.hpp"
#include "testsuite/calibrate/divergence.hpp"
#include "testsuite/calibrate/onnxruntime_calibrators.hpp"
#include "testsuite/calibrate/provider.hpp"
#include "testsuite/calibrate/tensorrt_calibrators.hpp"
#include "testsuite/calibrate/torch_histogram.hpp"

namespace tiebreak {
namespace {

using Settings = std::vector<double>;

Provided of_range(double low, double high) { return {.range = {{Real::from_double(low), Real::from_double(high)}}, .parameters = {}}; }
Provided of_range(const FoundRange& range) { return of_range(range.first, range.second); }
std::size_t whole(double setting) { return static_cast<std::size_t>(setting); }

Result<Provided> torch_histogram_range(const Samples& samples, const CodeFormat& format, const Settings& settings) {
  TorchHistogram histogram;
  for (const auto& batch : samples.batches) observe(histogram, batch, whole(settings[0]));
  const auto [low, high] = search_range(histogram, std::ldexp(1.0, format.storage.bits()));
  return of_range(static_cast<double>(low), static_cast<double>(high));
}

/// TVM gives the threshold as the scale of as many codes as lie on one side of zero.
Result<Provided> tvm_divergence_scale(const Samples& samples, const CodeFormat& format, const Settings& settings) {
  const double reach = std::max(std::fabs(samples.least()), std::fabs(samples.greatest()));
  const std::size_t codes = whole(settings[1]), bins = std::max(whole(settings[0]), codes) | 1U;
  const float threshold = threshold_of_least_divergence(histogram_between(samples, bins, -reach, reach), codes);
  const double scale = static_cast<double>(threshold / static_cast<float>(std::ldexp(1.0, format.storage.bits() - 1)));
  return Provided{.range = {}, .parameters = {{Real::from_double(scale), Real(0)}}};
}

Result<Provided> onnxruntime_divergence(const Samples& samples, const CodeFormat&, const Settings& settings) {
  if (settings[0] < settings[1])
    return fail(Errc::usage, "fewer bins than codes", "provider onnxruntime_divergence: tensor " + samples.tensor,
                "onnxruntime_divergence:bins=2048,codes=128");
  return of_range(onnxruntime_divergence_range(samples.batches, whole(settings[0]), whole(settings[1])));
}

Result<Provided> onnxruntime_percentile(const Samples& samples, const CodeFormat&, const Settings& settings) {
  const std::string where = "provider onnxruntime_percentile: tensor " + samples.tensor;
  if (settings[1] > 100) return fail(Errc::usage, "a percentile is at most 100", where, "onnxruntime_percentile:percentile=99.9");
  if (settings[2] != 1 && settings[2] != 2) return fail(Errc::usage, "sides are 1 (magnitudes) or 2 (both ends)", where, "onnxruntime_percentile:sides=2");
  const auto range = settings[2] == 1 ? onnxruntime_percentile_of_magnitudes : onnxruntime_percentile_of_values;
  return of_range(range(samples.batches, whole(settings[0]), settings[1]));
}

/// Codes of a signed type stand for plus and minus the reach, of an unsigned one for what lies above zero.
Result<Provided> tensorrt(const Samples& samples, const CodeFormat& format, const Settings& settings,
                          double (*reach_of)(const MagnitudeHistogram&, int bits_above_zero, std::size_t start)) {
  const std::size_t bins = whole(settings[0]), start = whole(settings[1]);
  if (bins < 2 || start >= bins)
    return fail(Errc::usage, fmt::format("the search begins at bin {} of {}", start, bins), "tensor " + samples.tensor, "more bins, or a smaller start");
  MagnitudeHistogram histogram(bins, false);
  for (const auto& batch : samples.batches) histogram.observe(batch);
  const bool is_signed = format.storage.min().sign() < 0;
  const double reach = reach_of(histogram, format.storage.bits() - (is_signed ? 1 : 0), start);
  return of_range(is_signed ? -reach : 0, reach);
}

Result<Provided> tensorrt_divergence(const Samples& samples, const CodeFormat& format, const Settings& settings) {
  return tensorrt(samples, format, settings, [](const MagnitudeHistogram& histogram, int bits, std::size_t start) {
    return tensorrt_divergence_reach(histogram, std::size_t{1} << bits, start);
  });
}

Result<Provided> tensorrt_squared_error(const Samples& samples, const CodeFormat& format, const Settings& settings) {
  return tensorrt(samples, format, settings, [](const MagnitudeHistogram& histogram, int bits, std::size_t start) {
    return tensorrt_squared_error_reach(histogram, std::ldexp(1.0, bits) - 1, start);
  });
}

Result<Provided> mlir_bisection(const Samples& samples, const CodeFormat& format, const Settings&) {
  const double least = format.storage.min().to_double() + (format.narrow ? 1 : 0);
  const auto solved = bisected_parameters(samples.least(), samples.greatest(), least, format.storage.max().to_double() - least);
  if (!solved)
    return fail(Errc::type, "the bisection finds no scale for the empty range of 0", "provider mlir_bisection: tensor " + samples.tensor, "--provider min_max");
  return Provided{.range = {}, .parameters = {{Real::from_double(solved->first), Real::from_double(solved->second)}}};
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all{
      {"mlir_bisection", {}, mlir_bisection},
      {"onnxruntime_divergence", {{"bins", "128"}, {"codes", "128"}}, onnxruntime_divergence},
      {"onnxruntime_percentile", {{"bins", "2048"}, {"percentile", "99.999"}, {"sides", "1"}}, onnxruntime_percentile},
      {"tensorrt_divergence", {{"bins", "2048"}, {"start", "128"}}, tensorrt_divergence},
      {"tensorrt_squared_error", {{"bins", "2048"}, {"start", "128"}}, tensorrt_squared_error},
      {"torch_histogram", {{"bins", "2048"}}, torch_histogram_range},
      {"tvm_divergence", {{"bins", "8001"}, {"codes", "255"}}, tvm_divergence_scale},
  };
  return all;
}

}  // namespace tiebreak
