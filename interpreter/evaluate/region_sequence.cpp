// SPDX-License-Identifier: Apache-2.0
// A region that is run step by step and gives, beside the state that it hands on, a slice of each step: ONNX's Loop and Scan.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

constexpr std::int64_t most_steps = std::int64_t{1} << 20;

Result<ResultTensor> scalar(const char* element, std::uint64_t code) {
  TIEBREAK_TRY(tensor, Tensor::zeros({*ElementType::parse(element), {}}));
  tensor.set_code(0, code);
  return ResultTensor{.name = "", .tensor = std::move(tensor)};
}

/// The state that a region hands on, and for each other result what the steps gave.
struct Steps {
  std::vector<ResultTensor> state{};
  std::vector<std::vector<ResultTensor>> given{};

  /// Takes a step's results from `first` on: as many as the state has, then the others.
  Status take(const Context& context, std::vector<ResultTensor> results, std::size_t first) {
    if (results.size() < first + state.size())
      return context.refused(Errc::type, fmt::format("its region gives {} values, {} are handed on", results.size(), first + state.size()));
    given.resize(results.size() - first - state.size());
    for (std::size_t i = first; i < results.size(); ++i) {
      if (i < first + state.size()) state[i - first] = std::move(results[i]);
      else given[i - first - state.size()].push_back(std::move(results[i]));
    }
    return {};
  }

  /// The results of the op. Without a step nothing is known of what steps give, but its types where the region states them.
  Results results(const Context& context, const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& reversed) const {
    std::vector<ResultTensor> all = state;
    for (std::size_t i = 0; i < given.size(); ++i) {
      TIEBREAK_TRY(stack, stacked(context, given[i], i < axes.size() ? axes[i] : 0, i < reversed.size() && reversed[i] != 0));
      all.push_back(std::move(stack));
    }
    return all;
  }
};

std::vector<std::int64_t> integers(const Context& context, const std::string& name) {
  const Attribute* given = context.attribute(name);
  return given == nullptr ? std::vector<std::int64_t>() : given->as_integers().value_or(std::vector<std::int64_t>());
}

/// Of a region that is not run: no slices. `first`: the region's results before the state.
Status add_empty(const Context& context, std::size_t first, const Steps& steps, const std::vector<std::int64_t>& axes, std::vector<ResultTensor>& results) {
  const Program& program = RegionRun(context, 0).program();
  for (std::size_t i = first + steps.state.size(); i < program.outputs.size(); ++i) {
    const auto& type = program.values[static_cast<std::size_t>(program.outputs[i])].type;
    if (!type || is_open(type->shape)) return context.refused(Errc::unsupported, "its region is not run, and does not state the types of what it would give");
    const std::size_t number = i - first - steps.state.size();
    TIEBREAK_TRY(none, empty_stack(context, *type, number < axes.size() ? axes[number] : 0));
    results.push_back(std::move(none));
  }
  return {};
}

}  // namespace

/// The region takes the number of the step, whether it is run, and the state; it gives whether another step is run, the state, and its slices.
Results counted_loop(const Context& context) {
  const RegionRun body(context, 0);
  const std::vector<ResultTensor> count = context.operands(context.argument(0)), condition = context.operands(context.argument(1));
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  if (!count.empty() && count.front().is_undefined(0)) return context.refused(Errc::unsupported, "how often its region runs is undefined");
  if (!count.empty()) last = count.front().tensor.value(0).to_int64().value_or(0);
  TIEBREAK_TRY(going_on, scalar("bool", 1));
  if (!condition.empty()) going_on = reshaped(condition.front(), {});
  Steps steps{.state = context.operands(context.argument(2))};
  std::int64_t step = 0;
  for (; step < last; ++step) {
    if (going_on.is_undefined(0)) return context.refused(Errc::unsupported, "whether its region runs is undefined");
    if (going_on.tensor.code(0) == 0) break;
    if (step == most_steps) return context.refused(Errc::limit, fmt::format("the loop has not ended after {} steps", most_steps));
    TIEBREAK_TRY(number, scalar("i64", static_cast<std::uint64_t>(step)));
    std::vector<ResultTensor> arguments{std::move(number), going_on};
    std::ranges::copy(steps.state, std::back_inserter(arguments));
    TIEBREAK_TRY(results, body.run(arguments));
    if (results.empty() || results.front().tensor.size() != 1 || results.front().tensor.element().name() != "bool")
      return context.refused(Errc::type, "its region does not say whether it goes on: its first value is no truth");
    going_on = reshaped(results.front(), {});
    TIEBREAK_CHECK(steps.take(context, std::move(results), 1));
  }
  TIEBREAK_TRY(results, steps.results(context, {}, {}));
  if (step == 0) TIEBREAK_CHECK(add_empty(context, 1, steps, {}, results));
  return results;
}

/// The region takes the state and a slice of each sequence; it gives the state and a slice of each result.
Results scan(const Context& context) {
  const RegionRun body(context, 0);
  const std::vector<ResultTensor> operands = context.operands(context.argument(0));
  const Attribute* sequences = context.attribute("num_scan_inputs");
  const std::int64_t wanted = sequences == nullptr ? 0 : sequences->as_integer().value_or(0);
  if (wanted < 1 || wanted > static_cast<std::int64_t>(operands.size()))
    return context.refused(Errc::constraint, fmt::format("num_scan_inputs = {} of {} operands", wanted, operands.size()));
  const auto slices = static_cast<std::size_t>(wanted);
  const std::size_t states = operands.size() - slices;
  Steps steps{.state = {operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(states)}};
  const auto axes = integers(context, "scan_input_axes"), backward = integers(context, "scan_input_directions");
  std::vector<std::size_t> along(slices, 0);
  std::int64_t length = 0;
  for (std::size_t i = 0; i < slices; ++i) {
    const Shape& shape = operands[states + i].tensor.shape();
    TIEBREAK_TRY(axis, axis_of(context, i < axes.size() ? axes[i] : 0, shape.size(), "a sequence"));
    if (i > 0 && shape[axis] != length) return context.refused(Errc::constraint, fmt::format("sequences of {} and {} slices", length, shape[axis]));
    along[i] = axis;
    length = shape[axis];
  }
  for (std::int64_t step = 0; step < length; ++step) {
    std::vector<ResultTensor> arguments = steps.state;
    for (std::size_t i = 0; i < slices; ++i) {
      const bool is_backward = i < backward.size() && backward[i] != 0;
      TIEBREAK_TRY(one, slice(operands[states + i], along[i], is_backward ? length - 1 - step : step));
      arguments.push_back(std::move(one));
    }
    TIEBREAK_TRY(results, body.run(arguments));
    TIEBREAK_CHECK(steps.take(context, std::move(results), 0));
  }
  const auto result_axes = integers(context, "scan_output_axes");
  TIEBREAK_TRY(results, steps.results(context, result_axes, integers(context, "scan_output_directions")));
  if (length == 0) TIEBREAK_CHECK(add_empty(context, 0, steps, result_axes, results));
  return results;
}

}  // namespace tiebreak::regions
