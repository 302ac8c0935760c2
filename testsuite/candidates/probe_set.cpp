// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/probe_set.hpp"

#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// The slices of a tensor along one dimension that are named, in that order.
Result<Tensor> slices_of(const Tensor& tensor, int axis, std::span<const std::int64_t> indices) {
  TensorType type = tensor.type();
  auto dimension = static_cast<std::size_t>(axis);
  std::int64_t extent = type.shape[dimension], inner = 1, outer = 1;
  for (std::size_t i = 0; i < type.shape.size(); ++i) (i < dimension ? outer : inner) *= i == dimension ? 1 : type.shape[i];
  type.shape[dimension] = static_cast<std::int64_t>(indices.size());
  TIEBREAK_TRY(result, Tensor::zeros(type));
  std::int64_t place = 0;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t index : indices)
      for (std::int64_t i = 0; i < inner; ++i) result.set_code(place++, tensor.code((o * extent + index) * inner + i));
  return std::move(result);
}

}  // namespace

Result<OpInputs> chosen(const ProbeSet& set, std::span<const std::int64_t> indices) {
  OpInputs call = set.call;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (set.axes[i] < 0) continue;
    TIEBREAK_TRY(tensor, slices_of(call.inputs[i].tensor, set.axes[i], indices));
    call.inputs[i].tensor = tensor;
  }
  for (TensorType& type : call.result_types) type.shape[static_cast<std::size_t>(set.result_axis)] = static_cast<std::int64_t>(indices.size());
  return call;
}

Result<Case> case_of(const Library& library, OpInputs call, const std::string& id) {
  Case test;
  test.id = id;
  TIEBREAK_CHECK(build_op_case(library, std::move(call), test));
  return test;
}

std::string runs_text(const Tensor& tensor) {
  if (tensor.size() == 1) return value_text(tensor.value(0));
  constexpr int most_runs = 12;
  std::string text;
  int runs = 0;
  for (std::int64_t i = 0; i < tensor.size();) {
    std::int64_t end = i + 1;
    while (end < tensor.size() && tensor.code(end) == tensor.code(i)) ++end;
    if (++runs > most_runs) {
      text += " ... (" + std::to_string(tensor.size()) + " in all)";
      break;
    }
    text += (i == 0 ? "" : " ") + value_text(tensor.value(i)) + (end - i > 1 ? "*" + std::to_string(end - i) : "");
    i = end;
  }
  return "[" + text + "]";
}

std::string probe_text(const ProbeSet& set, std::int64_t index) {
  std::string text;
  const std::int64_t one[] = {index};
  for (std::size_t i = 0; i < set.call.inputs.size(); ++i) {
    const NamedTensor& input = set.call.inputs[i];
    Result<Tensor> slice = set.axes[i] < 0 ? Result<Tensor>(input.tensor) : slices_of(input.tensor, set.axes[i], one);
    if (!slice) continue;
    text += (text.empty() ? "" : " ") + input.name + "=" + runs_text(*slice);
    if (slice->type().quantized) text += ":" + element_text(slice->type());
  }
  return text;
}

Outcomes outcomes_of(const Tensor& tensor, const std::vector<std::uint8_t>& undefined) {
  Outcomes outcomes;
  outcomes.undefined = undefined;
  outcomes.undefined.resize(static_cast<std::size_t>(tensor.size()), 0);
  outcomes.codes.reserve(static_cast<std::size_t>(tensor.size()));
  const bool is_float = tensor.element().is_float();
  const std::optional<std::uint64_t> nan = is_float ? tensor.element().encode(Real::nan()) : std::nullopt;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    std::uint64_t code = tensor.code(i);
    outcomes.codes.push_back(is_float && tensor.value(i).is_nan() ? nan.value_or(code) : code);
  }
  return outcomes;
}

Result<std::vector<ResultTensor>> results_under(const Semantics& semantics, const Case& test) { return evaluate(semantics, test.program, test.inputs); }

Outcomes joined(const std::vector<ResultTensor>& results) {
  Outcomes all;
  for (const ResultTensor& result : results) {
    Outcomes one = outcomes_of(result.tensor, result.undefined);
    all.codes.insert(all.codes.end(), one.codes.begin(), one.codes.end());
    all.undefined.insert(all.undefined.end(), one.undefined.begin(), one.undefined.end());
  }
  return all;
}

}  // namespace tiebreak
