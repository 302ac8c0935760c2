// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/add_values.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/statistics/arg_max.hpp"
#include "testsuite/statistics/number_text.hpp"
#include "testsuite/statistics/side_values.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr double near_a_tie = 1e-9;  // codes
constexpr int bins_to_a_side = 32;

}  // namespace

void BinCounts::widen(int to) {
  std::map<std::int64_t, std::int64_t> wider;
  for (const auto& [bin, count] : bins) wider[to - exponent >= 63 ? (bin < 0 ? -1 : 0) : bin >> (to - exponent)] += count;
  bins = std::move(wider);
  exponent = to;
}

void BinCounts::add(double value) {
  if (value != 0) {
    const int needed = std::ilogb(value) + 1 - 5;  // 2^5 bins to a side hold it
    if (empty_) exponent = needed;
    else if (needed > exponent) widen(needed);
    empty_ = false;
  }
  ++bins[value == 0 ? 0 : static_cast<std::int64_t>(std::clamp(std::floor(std::ldexp(value, -exponent)), -1.0 * bins_to_a_side, 1.0 * bins_to_a_side))];
}

std::int64_t CodeStatistics::range() const { return (high - low + Real(1)).to_int64().value_or(0); }

std::string NodeStatistics::sqnr() const { return elements == 0 ? "" : decibel_text(signal.value(), noise()); }
std::string NodeStatistics::mean_error() const { return elements == 0 ? "" : short_text(error_sum() / Real(elements)); }
Real NodeStatistics::greatest_error() const { return Real::from_double(form_there) - Real::from_double(reference_there); }

Status add_values(const ResultTensor& expected, const ResultTensor& actual, const QuantizedType* read_by, std::size_t batch, const std::string& form,
                  NodeStatistics& node) {
  if (expected.tensor.shape() != actual.tensor.shape())
    return fail(
        Errc::type,
        "value '" + node.node + "' has the shape " + to_text(expected.tensor.shape()) + " in the reference, " + to_text(actual.tensor.shape()) + " here", form,
        "values of one name must have one shape");
  node.type = to_text(actual.tensor.type());
  const std::vector<double> x = real_values(expected.tensor, nullptr), y = real_values(actual.tensor, read_by);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto element = static_cast<std::int64_t>(i);
    if (expected.is_undefined(element) || actual.is_undefined(element) || !std::isfinite(x[i]) || !std::isfinite(y[i])) {
      ++node.skipped;
      continue;
    }
    ++node.elements;
    node.signal.add_product(x[i], x[i]);
    node.cross.add_product(x[i], y[i]);
    node.form_power.add_product(y[i], y[i]);
    node.reference_sum.add(x[i]);
    node.form_sum.add(y[i]);
    node.different += x[i] != y[i] ? 1 : 0;
    const double error = std::abs(y[i] - x[i]);
    if (error <= node.greatest) continue;
    node.greatest = error;
    node.reference_there = x[i];
    node.form_there = y[i];
    node.place = {batch, element, index_text(expected.tensor.shape(), element)};
  }
  return {};
}

void add_arg_max(const ResultTensor& expected, const ResultTensor& actual, const QuantizedType* read_by, std::optional<std::int64_t> axis,
                 NodeStatistics& node) {
  const Shape& shape = expected.tensor.shape();
  const auto chosen = axis_place(shape, axis);
  if (!chosen || expected.tensor.size() == 0) return;
  const std::vector<ArgMax> x = arg_max_of_rows(real_values(expected.tensor, nullptr), shape, *chosen),
                            y = arg_max_of_rows(real_values(actual.tensor, read_by), shape, *chosen);
  for (std::size_t row = 0; row < x.size(); ++row) {
    ++node.rows;
    node.arg_max_changed += x[row].place != y[row].place ? 1 : 0;
  }
}

void add_codes(const ResultTensor& codes, const std::string& name, const QuantizedType* range, NodeStatistics& node) {
  if (codes.tensor.type().quantized) range = &*codes.tensor.type().quantized;
  const ElementType& element = codes.tensor.element();
  if (range == nullptr && element.is_float()) return;  // codes in floats whose range nobody states
  if (!node.codes)
    node.codes = CodeStatistics{
        .from = name, .low = range != nullptr ? range->storage_min : element.min(), .high = range != nullptr ? range->storage_max : element.max()};
  CodeStatistics& counts = *node.codes;
  const double low = counts.low.to_double(), high = counts.high.to_double();
  const std::vector<double> values = code_values(codes.tensor);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    if (codes.is_undefined(place) || !std::isfinite(values[i])) continue;
    ++counts.elements;
    counts.at_low += values[i] <= low ? 1 : 0;
    counts.at_high += values[i] >= high ? 1 : 0;
    counts.used.insert(static_cast<std::int64_t>(values[i]));
    if (codes.distance.empty() || std::isnan(codes.distance[i])) continue;
    ++counts.tie_known;
    if (codes.distance[i] == 0) ++counts.tied;
    else if (std::abs(codes.distance[i]) <= near_a_tie) ++counts.near_tie;
  }
}

}  // namespace tiebreak
