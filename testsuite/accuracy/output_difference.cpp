// SPDX-License-Identifier: Apache-2.0
#include "testsuite/accuracy/output_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "testsuite/case/value_name.hpp"
#include "testsuite/compare/compare.hpp"
#include "testsuite/compare/difference.hpp"
#include "testsuite/statistics/add_values.hpp"
#include "testsuite/statistics/arg_max.hpp"
#include "testsuite/statistics/number_text.hpp"
#include "testsuite/statistics/side_values.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// As numbers; what is undefined is none.
std::vector<double> defined_values(const ResultTensor& result) {
  std::vector<double> values = real_values(result.tensor, nullptr);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (result.is_undefined(static_cast<std::int64_t>(i))) values[i] = std::numeric_limits<double>::quiet_NaN();
  return values;
}

std::vector<ArgMax> arg_max_of(const ResultTensor& result, std::optional<std::int64_t> axis) {
  if (places_along(result.tensor.shape(), axis) < 2 || result.tensor.size() == 0) return {};
  return arg_max_of_rows(defined_values(result), result.tensor.shape(), *axis_place(result.tensor.shape(), axis));
}

void add_elements(const ResultTensor& first, const ResultTensor& other, std::size_t input, const Comparison& comparison, OutputDifference& found) {
  found.element = comparison.element;
  found.unit = first.tensor.element().is_float() ? "ulp" : "code";
  found.shape = comparison.shape;
  found.inputs = 1;
  found.inputs_different = comparison.different > 0 ? 1 : 0;
  found.elements = comparison.compared;
  found.different = comparison.different;
  found.undefined = comparison.undefined;
  found.histogram = comparison.histogram;
  if (!comparison.worst_index) return;
  const std::int64_t at = *comparison.worst_index;
  found.farthest = {.difference = comparison.worst,
                    .input = input,
                    .element = at,
                    .index = index_text(comparison.shape, at),
                    .first = value_text(first.tensor.value(at)),
                    .other = value_text(other.tensor.value(at))};
}

}  // namespace

std::string OutputDifference::sqnr() const { return elements == no_number ? "" : decibel_text(signal, noise); }

void OutputDifference::add(const OutputDifference& next) {
  if (inputs == 0) {
    *this = next;
    return;
  }
  inputs += next.inputs;
  inputs_different += next.inputs_different;
  elements += next.elements;
  different += next.different;
  undefined += next.undefined;
  for (const auto& [bucket, count] : next.histogram) histogram[bucket] += count;
  if (next.farthest && (!farthest || size_of_difference(next.farthest->difference) > size_of_difference(farthest->difference))) farthest = next.farthest;
  no_number += next.no_number;
  signal = signal + next.signal;
  noise = noise + next.noise;
  rows += next.rows;
  arg_max_changed += next.arg_max_changed;
  arg_max_tied += next.arg_max_tied;
  arg_max_inputs.insert(arg_max_inputs.end(), next.arg_max_inputs.begin(), next.arg_max_inputs.end());
}

Result<OutputDifference> output_difference(const ResultTensor& first, const ResultTensor& other, std::size_t input, std::optional<std::int64_t> axis) {
  ResultTensor defined_on_both = first;
  if (!other.undefined.empty()) {
    defined_on_both.undefined.resize(static_cast<std::size_t>(first.tensor.size()));
    for (std::size_t i = 0; i < std::min(defined_on_both.undefined.size(), other.undefined.size()); ++i) defined_on_both.undefined[i] |= other.undefined[i];
  }
  const Comparison comparison = compare(defined_on_both, other.tensor, {}, 0);
  const std::string name = bare_name(first.name);
  if (!comparison.reason.empty()) return fail(Errc::type, comparison.reason, "output '" + name + "'");
  OutputDifference found;
  found.output = name;
  add_elements(first, other, input, comparison, found);
  NodeStatistics sums;
  TIEBREAK_CHECK(add_values(defined_on_both, other, nullptr, input, "", sums));
  found.no_number = sums.skipped - comparison.undefined;
  found.signal = sums.signal.value();
  found.noise = sums.noise();
  const std::vector<ArgMax> x = arg_max_of(defined_on_both, axis);
  ResultTensor other_defined{.name = other.name, .tensor = other.tensor, .undefined = defined_on_both.undefined};
  const std::vector<ArgMax> y = arg_max_of(other_defined, axis);
  for (std::size_t row = 0; row < x.size(); ++row) {
    ++found.rows;
    if (x[row].place == y[row].place) continue;
    ++found.arg_max_changed;
    found.arg_max_tied += x[row].tied || y[row].tied ? 1 : 0;
  }
  if (found.arg_max_changed > 0) found.arg_max_inputs.push_back(input);
  return found;
}

std::optional<std::int64_t> only_arg_max(const ResultTensor& result, std::optional<std::int64_t> axis) {
  const std::vector<ArgMax> rows = arg_max_of(result, axis);
  return rows.size() == 1 ? std::optional(rows.front().place) : std::nullopt;
}

std::int64_t places_along(const Shape& shape, std::optional<std::int64_t> axis) {
  const auto place = axis_place(shape, axis);
  return place ? shape[*place] : 0;
}

}  // namespace tiebreak
