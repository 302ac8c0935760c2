// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tiebreak {
namespace {

std::vector<double> flat(const Samples& samples) {
  std::vector<double> all;
  for (const auto& batch : samples.batches) all.insert(all.end(), batch.begin(), batch.end());
  return all;
}

std::vector<double> sorted(std::vector<double> values) {
  std::ranges::sort(values);
  return values;
}

std::vector<double> magnitudes(std::vector<double> values) {
  for (double& v : values) v = std::fabs(v);
  return values;
}

std::vector<double> least_of_batches(const Samples& samples) {
  std::vector<double> ends;
  for (const auto& batch : samples.batches) ends.push_back(*std::ranges::min_element(batch));
  return ends;
}

std::vector<double> greatest_of_batches(const Samples& samples) {
  std::vector<double> ends;
  for (const auto& batch : samples.batches) ends.push_back(*std::ranges::max_element(batch));
  return ends;
}

Histogram about_zero(const Samples& samples, std::size_t bins) {
  const double reach = std::max(std::fabs(samples.least()), std::fabs(samples.greatest()));
  return histogram_between(samples, bins, -reach, reach);
}

std::vector<double> counts_of(const Samples& samples, std::size_t bins) {
  const Histogram histogram = about_zero(samples, bins);
  return {histogram.counts.begin(), histogram.counts.end()};
}

std::vector<double> shares_of(const Samples& samples, std::size_t bins) {
  std::vector<double> shares = counts_of(samples, bins);
  const double total = static_cast<double>(samples.size());
  double below = 0;
  for (double& share : shares) share = below += share / total;
  return shares;
}

struct NamedStatistic {
  const char* name;
  bool is_wide;  ///< f64 whatever the tensor has
  std::vector<double> (*values)(const Samples&, std::size_t bins);
};
const NamedStatistic named_statistics[] = {
    {"least", false, [](const Samples& s, std::size_t) { return least_of_batches(s); }},
    {"greatest", false, [](const Samples& s, std::size_t) { return greatest_of_batches(s); }},
    {"values", false, [](const Samples& s, std::size_t) { return flat(s); }},
    {"sorted", false, [](const Samples& s, std::size_t) { return sorted(flat(s)); }},
    {"magnitudes", false, [](const Samples& s, std::size_t) { return sorted(magnitudes(flat(s))); }},
    {"counts", true, counts_of},
    {"shares", true, shares_of},
    {"edges", true, [](const Samples& s, std::size_t bins) { return about_zero(s, bins).edges; }},
};

Result<Tensor> tensor_of(const std::vector<double>& values, const ElementType& element) {
  TIEBREAK_TRY(tensor, Tensor::zeros({.element = element, .shape = {static_cast<std::int64_t>(values.size())}}));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto code = element.encode(Real::from_double(values[i]));
    if (!code) return fail(Errc::internal, fmt::format("{} is no value of {}", values[i], element.name()));
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  return std::move(tensor);
}

}  // namespace

double Samples::least() const { return std::ranges::min(least_of_batches(*this)); }
double Samples::greatest() const { return std::ranges::max(greatest_of_batches(*this)); }

std::int64_t Samples::size() const {
  std::size_t count = 0;
  for (const auto& batch : batches) count += batch.size();
  return static_cast<std::int64_t>(count);
}

Status add_batch(Samples& samples, const Tensor& tensor, std::size_t batch) {
  if (tensor.size() == 0) return {};
  const ElementType& element = tensor.element();
  samples.element = element.bits() > 32 ? element : *ElementType::parse("f32");
  std::vector<double> values(static_cast<std::size_t>(tensor.size()));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const double v = element.decode(tensor.code(i)).to_double();
    if (!std::isfinite(v))
      return fail(Errc::type, fmt::format("element {} of {} is {}: no range of codes covers it", i, samples.tensor, std::isnan(v) ? "nan" : "infinite"),
                  fmt::format("batch {}", batch), "leave the batch out, or bring its inputs into the range of the model");
    values[static_cast<std::size_t>(i)] = v;
  }
  samples.batches.push_back(std::move(values));
  return {};
}

Result<std::vector<Samples>> samples_by_channel(const Samples& samples, const std::vector<Shape>& shapes, int axis) {
  std::vector<Samples> channels;
  for (std::size_t b = 0; b < samples.batches.size(); ++b) {
    const Shape& shape = shapes[b];
    if (axis < 0 || static_cast<std::size_t>(axis) >= shape.size())
      return fail(Errc::type, fmt::format("{} has no dimension {}: its shape is {}", samples.tensor, axis, to_text(shape)));
    const auto extent = static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
    if (channels.empty()) channels.assign(extent, Samples{samples.tensor, samples.element, {}});
    if (channels.size() != extent)
      return fail(Errc::type, fmt::format("{} has {} channels in one batch and {} in another", samples.tensor, channels.size(), extent));
    std::size_t inner = 1;
    for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < shape.size(); ++d) inner *= static_cast<std::size_t>(shape[d]);
    for (Samples& channel : channels) channel.batches.emplace_back();
    for (std::size_t i = 0; i < samples.batches[b].size(); ++i) channels[i / inner % extent].batches.back().push_back(samples.batches[b][i]);
  }
  return channels;
}

Histogram histogram_between(const Samples& samples, std::size_t bins, double low, double high) {
  if (low == high) low -= 0.5, high += 0.5;
  Histogram histogram{std::vector<double>(bins + 1), std::vector<std::int64_t>(bins, 0)};
  const double step = (high - low) / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i) histogram.edges[i] = static_cast<double>(i) * step + low;
  histogram.edges[bins] = high;
  for (const auto& batch : samples.batches)
    for (const double v : batch) {
      if (v < low || v > high) continue;
      const auto above = std::ranges::upper_bound(histogram.edges, v) - histogram.edges.begin();
      ++histogram.counts[std::min(static_cast<std::size_t>(above), bins) - 1];
    }
  return histogram;
}

std::optional<Result<Tensor>> statistic(const Samples& samples, const std::string& name, std::int64_t bins) {
  for (const NamedStatistic& known : named_statistics)
    if (name == known.name)
      return tensor_of(known.values(samples, static_cast<std::size_t>(bins)), known.is_wide ? *ElementType::parse("f64") : samples.element);
  return std::nullopt;
}

const std::vector<std::string>& statistic_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedStatistic& known : named_statistics) all.emplace_back(known.name);
    return all;
  }();
  return names;
}

}  // namespace tiebreak
