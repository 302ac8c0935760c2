// SPDX-License-Identifier: Apache-2.0
// Regions that are run as a whole: one for each element (map), one of several (if, case), one repeatedly (while).
#include <fmt/format.h>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

constexpr std::int64_t most_rounds = std::int64_t{1} << 20;

tl::unexpected<Error> undecided(const Context& context) { return context.refused(Errc::unsupported, "what decides which region runs is undefined"); }

std::vector<ResultTensor> all_operands(const Context& context) {
  std::vector<ResultTensor> values;
  for (const notation::Operand& declaration : context.header.op->operands)
    for (ResultTensor& value : context.operands(declaration.name)) values.push_back(std::move(value));
  return values;
}

/// C3: all dimensions, in order. A call may leave them out.
Status check_dimensions(const Context& context, std::size_t rank) {
  const Attribute* dimensions = context.attribute("dimensions");
  if (dimensions == nullptr) return {};
  const auto given = dimensions->as_integers();
  bool all = given && given->size() == rank;
  for (std::size_t d = 0; all && d < rank; ++d) all = (*given)[d] == static_cast<std::int64_t>(d);
  if (all) return {};
  return fail(Errc::constraint, fmt::format("{} C3: dimensions = {} are not all {} in order", context.call.op, to_text(*dimensions), rank), context.call.where);
}

}  // namespace

Results map(const Context& context) {
  std::vector<ResultTensor> inputs = context.operands(context.argument(0));
  const Shape shape = inputs.front().tensor.shape();
  TIEBREAK_CHECK(check_dimensions(context, shape.size()));
  const std::int64_t lanes = inputs.front().tensor.size();
  for (ResultTensor& input : inputs) input = reshaped(std::move(input), {lanes});
  RegionRun region(context, 0);
  TIEBREAK_TRY(results, region.run_lanes(inputs, lanes));
  if (lanes == 0) {  // a region that was run for no element says nothing of its result
    TIEBREAK_TRY(empty, Tensor::zeros(*context.header.results.front()));
    return std::vector<ResultTensor>{{.name = "", .tensor = std::move(empty)}};
  }
  results.front() = reshaped(std::move(results.front()), shape);
  return results;
}

Results branch(const Context& context) {
  const ResultTensor index = context.operands(context.argument(0)).front();
  if (index.is_undefined(0)) return undecided(context);
  return RegionRun(context, chosen_region(index.tensor, context.call.regions.size())).run({});
}

Results loop(const Context& context) {
  const RegionRun condition(context, 0), step(context, 1);
  std::vector<ResultTensor> state = all_operands(context);
  for (std::int64_t round = 0; round < most_rounds; ++round) {
    TIEBREAK_TRY(held, condition.run(state));
    if (held.front().is_undefined(0)) return undecided(context);
    if (held.front().tensor.code(0) == 0) return state;
    TIEBREAK_TRY(next, step.run(state));
    state = std::move(next);
  }
  return context.refused(Errc::limit, fmt::format("the loop has not ended after {} rounds", most_rounds));
}

}  // namespace tiebreak::regions

namespace tiebreak {

std::size_t chosen_region(const Tensor& index, std::size_t regions) {
  if (index.element().name() == "bool") return index.code(0) != 0 ? 0 : 1;
  const auto given = index.value(0).to_int64();
  return given && *given >= 0 && *given < static_cast<std::int64_t>(regions) ? static_cast<std::size_t>(*given) : regions - 1;
}

}  // namespace tiebreak
