// SPDX-License-Identifier: Apache-2.0
// A region that is run step by step and gives, beside the state that it hands on, a slice of each step: ONNX's Loop and Scan.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

constexpr std::int64_t most_steps = std::int64_t{1} << 20;

tl::unexpected<Error> ill_formed(const Context& context, Errc code, const std::string& what) {
  return fail(code, fmt::format("{}: {}", context.call.op, what), context.call.where);
}

Result<ResultTensor> scalar(const char* element, std::uint64_t code) {
  TIEBREAK_TRY(tensor, Tensor::zeros({*ElementType::parse(element), {}}));
  tensor.set_code(0, code);
  return ResultTensor{.name = "", .tensor = std::move(tensor)};
}

/// Where the elements of slice `place` along `axis` lie, in the tensor's order.
std::vector<std::int64_t> slice_offsets(const Shape& shape, std::size_t axis, std::int64_t place) {
  std::int64_t inner = 1, outer = 1;
  for (std::size_t d = 0; d < axis; ++d) outer *= shape[d];
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  std::vector<std::int64_t> offsets;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) offsets.push_back((o * shape[axis] + place) * inner + i);
  return offsets;
}

Result<ResultTensor> slice(const ResultTensor& value, std::size_t axis, std::int64_t place) {
  TIEBREAK_TRY(elements, pick(value, slice_offsets(value.tensor.shape(), axis, place)));
  Shape shape = value.tensor.shape();
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  return reshaped(std::move(elements), shape);
}

/// A tensor of so many of these along a new axis, zeros, and which axis that is.
Result<std::pair<ResultTensor, std::size_t>> empty_stack(const Context& context, TensorType type, std::size_t count, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(type.shape.size()) + 1;
  if (axis < -rank || axis >= rank) return ill_formed(context, Errc::constraint, fmt::format("{} is no axis of a result of rank {}", axis, rank));
  const auto place = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  type.shape.insert(type.shape.begin() + static_cast<std::ptrdiff_t>(place), static_cast<std::int64_t>(count));
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  return std::pair(ResultTensor{.name = "", .tensor = std::move(tensor)}, place);
}

/// What the steps gave, along a new axis; `reversed` begins with the last.
Result<ResultTensor> stacked(const Context& context, const std::vector<ResultTensor>& slices, std::int64_t axis, bool reversed) {
  const TensorType& type = slices.front().tensor.type();
  for (const ResultTensor& own : slices)
    if (!same_type(own.tensor.type(), type))
      return ill_formed(context, Errc::type, fmt::format("its steps give {} and {}", to_text(type), to_text(own.tensor.type())));
  TIEBREAK_TRY(stack, empty_stack(context, type, slices.size(), axis));
  auto& [all, place] = stack;
  for (std::size_t i = 0; i < slices.size(); ++i)
    put(all, slice_offsets(all.tensor.shape(), place, static_cast<std::int64_t>(reversed ? slices.size() - 1 - i : i)), slices[i]);
  return std::move(all);
}

/// The state that a region hands on, and for each other result what the steps gave.
struct Steps {
  std::vector<ResultTensor> state{};
  std::vector<std::vector<ResultTensor>> given{};

  /// Takes a step's results from `first` on: as many as the state has, then the others.
  Status take(const Context& context, std::vector<ResultTensor> results, std::size_t first) {
    if (results.size() < first + state.size())
      return ill_formed(context, Errc::type, fmt::format("its region gives {} values, {} are handed on", results.size(), first + state.size()));
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
  const auto found = context.call.attributes.find(name);
  if (found == context.call.attributes.end()) return {};
  if (const auto one = found->second.as_integer()) return {*one};
  return found->second.as_integers().value_or(std::vector<std::int64_t>());
}

/// Of a region that is not run: no slices. `first`: the region's results before the state.
Status add_empty(const Context& context, std::size_t first, const Steps& steps, const std::vector<std::int64_t>& axes, std::vector<ResultTensor>& results) {
  const Program& program = RegionRun(context, 0).program();
  for (std::size_t i = first + steps.state.size(); i < program.outputs.size(); ++i) {
    const auto& type = program.values[static_cast<std::size_t>(program.outputs[i])].type;
    if (!type || is_open(type->shape))
      return ill_formed(context, Errc::unsupported, "its region is not run, and does not state the types of what it would give");
    const std::size_t number = i - first - steps.state.size();
    TIEBREAK_TRY(none, empty_stack(context, *type, 0, number < axes.size() ? axes[number] : 0));
    results.push_back(std::move(none.first));
  }
  return {};
}

}  // namespace

/// The region takes the number of the step, whether it is run, and the state; it gives whether another step is run, the state, and its slices.
Results counted_loop(const Context& context) {
  const RegionRun body(context, 0);
  const std::vector<ResultTensor> count = context.operands(context.argument(0)), condition = context.operands(context.argument(1));
  std::int64_t last = most_steps;
  if (!count.empty() && count.front().is_undefined(0)) return ill_formed(context, Errc::unsupported, "how often its region runs is undefined");
  if (!count.empty()) last = count.front().tensor.value(0).to_int64().value_or(0);
  TIEBREAK_TRY(going_on, scalar("bool", 1));
  if (!condition.empty()) going_on = reshaped(condition.front(), {});
  Steps steps{.state = context.operands(context.argument(2))};
  std::int64_t step = 0;
  for (; step < last; ++step) {
    if (going_on.is_undefined(0)) return ill_formed(context, Errc::unsupported, "whether its region runs is undefined");
    if (going_on.tensor.code(0) == 0) break;
    if (step == most_steps) return ill_formed(context, Errc::limit, fmt::format("the loop has not ended after {} steps", most_steps));
    TIEBREAK_TRY(number, scalar("i64", static_cast<std::uint64_t>(step)));
    std::vector<ResultTensor> arguments{std::move(number), going_on};
    std::ranges::copy(steps.state, std::back_inserter(arguments));
    TIEBREAK_TRY(results, body.run(arguments));
    if (results.empty() || results.front().tensor.size() != 1 || results.front().tensor.element().name() != "bool")
      return ill_formed(context, Errc::type, "its region does not say whether it goes on: its first value is no truth");
    going_on = reshaped(results.front(), {});
    TIEBREAK_CHECK(steps.take(context, std::move(results), 1));
  }
  if (step == most_steps && count.empty()) return ill_formed(context, Errc::limit, fmt::format("the loop has not ended after {} steps", most_steps));
  TIEBREAK_TRY(results, steps.results(context, {}, {}));
  if (step == 0) TIEBREAK_CHECK(add_empty(context, 1, steps, {}, results));
  return results;
}

/// The region takes the state and a slice of each sequence; it gives the state and a slice of each result.
Results scan(const Context& context) {
  const RegionRun body(context, 0);
  const std::vector<ResultTensor> operands = context.operands(context.argument(0));
  const auto sequences = integers(context, "num_scan_inputs");
  const std::size_t slices = sequences.empty() ? 0 : static_cast<std::size_t>(std::max<std::int64_t>(sequences.front(), 0));
  if (slices == 0 || slices > operands.size())
    return ill_formed(context, Errc::constraint, fmt::format("num_scan_inputs = {} of {} operands", slices, operands.size()));
  const std::size_t states = operands.size() - slices;
  Steps steps{.state = {operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(states)}};
  const auto axes = integers(context, "scan_input_axes"), backward = integers(context, "scan_input_directions");
  std::vector<std::size_t> along(slices, 0);
  std::int64_t length = 0;
  for (std::size_t i = 0; i < slices; ++i) {
    const Shape& shape = operands[states + i].tensor.shape();
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t axis = i < axes.size() ? axes[i] : 0;
    if (axis < -rank || axis >= rank) return ill_formed(context, Errc::constraint, fmt::format("{} is no axis of a sequence of rank {}", axis, rank));
    along[i] = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    if (i > 0 && shape[along[i]] != length) return ill_formed(context, Errc::constraint, fmt::format("sequences of {} and {} slices", length, shape[along[i]]));
    length = shape[along[i]];
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
