// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/behind_sums.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "interpreter/elementwise/fill_result.hpp"
#include "interpreter/fast/run_formula.hpp"
#include "interpreter/geometry/access_order.hpp"
#include "interpreter/ranges/accumulator.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {
namespace {

/// The formulas on both sides of the accumulator, and the tensor between them.
struct BehindSums {
  Formula sums{}, rest{};
  Tensor accumulators{};
  FillPlan plan{};

  Result<bool> fill(ResultTensor& result) {
    const Result<std::vector<ResultTensor>> computed = run_formula(sums, {.op = sums.op});
    TIEBREAK_CHECK(sums.stop.check());
    if (!computed || !computed->front().undefined.empty()) return false;
    std::ranges::copy(computed->front().tensor.bytes(), accumulators.bytes().begin());
    return plan(result);
  }
};

bool fits_32_bits(const Bounds& bounds) {
  return bounds.carrier == Carrier::integer && bounds.low >= std::numeric_limits<std::int32_t>::min() &&
         bounds.high <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

Result<FillPlan> plan_behind_sums(const Formula& formula, const FormulaResult& declared) {
  const FillPlan none;
  const Shape& extents = formula.geometry.cell_extents;
  BoundsTable bounds(formula);
  const std::optional<NodeId> sum = last_sum(formula, declared.node);
  if (!sum || *sum == declared.node || !fits_32_bits(bounds.of(*sum)) || !formula.requires_.empty()) return none;
  auto tensor = Tensor::zeros({*ElementType::parse("i32"), extents, {}});
  if (!tensor) return none;
  const auto behind = std::make_shared<BehindSums>();
  behind->accumulators = std::move(*tensor);
  behind->sums = formula;
  behind->sums.results = {{.name = "the accumulator", .node = *sum, .type = behind->accumulators.type()}};
  behind->rest = formula;
  replace_accumulator(behind->rest, *sum, behind->accumulators, "the accumulator");
  behind->rest.geometry.cell_extents = extents;
  behind->rest.geometry.result_shape = formula.geometry.result_shape;
  behind->rest.sources.back().access = elements_in_order(extents);
  TIEBREAK_TRY(plan, plan_elementwise(behind->rest, declared));
  if (!plan) return none;
  behind->plan = std::move(plan);
  return FillPlan([behind](ResultTensor& result) { return behind->fill(result); });
}

}  // namespace tiebreak
