// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/plan_by_stairs.hpp"

#include <algorithm>

#include "interpreter/elementwise/narrowed_formula.hpp"
#include "interpreter/elementwise/stair_table.hpp"
#include "interpreter/stairs/scalar_parts.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t cells_for_stairs = std::int64_t{1} << 16;        // a set's stairs cost about a tenth of what so many cells do by columns
constexpr std::int64_t cells_for_exact_stairs = std::int64_t{1} << 18;  // where inputs are evaluated exactly
constexpr std::size_t entries_in_cache = std::size_t{1} << 18;

/// The table of one set of parameters; nothing where stairs are not proved, or cost more than they save.
std::optional<StairTable> table_of(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs, const ParameterSets& parameters,
                                   std::int64_t set, std::int64_t cells) {
  std::optional<NarrowedFormula> scalar = scalar_of(formula, declared, inputs, parameters, set);
  if (!scalar) return std::nullopt;
  Result<ScalarFunction> function = ScalarFunction::of_formula(std::move(scalar->formula), varied_element);
  if (!function || !function->parts().make_plan()) return std::nullopt;
  if (function->parts().plan.exact_steps > 0 && cells < cells_for_exact_stairs) return std::nullopt;
  const Result<Staircase> stairs = staircase(*function, nullptr, {.steps = 1 << 12, .table = 1 << 16, .samples = false});
  return stairs ? stair_table(*stairs, entries_in_cache) : std::nullopt;
}

/// Stairs of each set of parameters, and the elements that they are looked up for.
struct Stairs {
  ParameterSets parameters;
  Stop stop{};
  const Tensor* elements = nullptr;
  std::vector<StairTable> tables{};

  void fill(std::int64_t first, std::int64_t count, std::int64_t set, ResultTensor& result) const {
    const StairTable& table = tables[static_cast<std::size_t>(set)];
    const auto place = static_cast<std::size_t>(first), length = static_cast<std::size_t>(count);
    const ElementType& type = elements->element();
    const std::byte* from = elements->bytes().data() + place * static_cast<std::size_t>(type.storage_bytes());
    if (!look_up(table, type, from, length, reinterpret_cast<std::uint8_t*>(result.tensor.bytes().data()) + place)) return;
    result.undefined.resize(static_cast<std::size_t>(result.tensor.size()));
    mark_undefined(table, type, from, length, result.undefined.data() + place);
  }

  Result<bool> fill(ResultTensor& result) const {
    const auto fill_run = [&](const ParameterSets::Run& run) -> Status {
      const std::int64_t length = run.step == 0 ? cells_between_looks : 1;
      for (std::int64_t done = 0; done < run.count; done += length) {
        TIEBREAK_CHECK(stop.check());
        fill(run.first + done, std::min(length, run.count - done), run.set + done * run.step, result);
      }
      return {};
    };
    TIEBREAK_CHECK(parameters.for_each_run(fill_run));
    return true;
  }
};

}  // namespace

Result<FillPlan> plan_by_stairs(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs) {
  const FillPlan none;
  if (inputs.cellwise.size() != 1 || declared.type.element.storage_bytes() != 1) return none;
  Stairs stairs{.parameters = ParameterSets(formula.geometry.cell_extents, inputs.rate),
                .stop = formula.stop,
                .elements = formula.sources[inputs.cellwise.front()].tensor};
  const std::int64_t cells = formula.geometry.cells() / std::max<std::int64_t>(1, stairs.parameters.count());
  if (cells < cells_for_stairs) return none;
  for (std::int64_t set = 0; set < stairs.parameters.count(); ++set) {
    TIEBREAK_CHECK(formula.stop.check());
    std::optional<StairTable> table = table_of(formula, declared, inputs, stairs.parameters, set, cells);
    if (!table) return none;
    stairs.tables.push_back(std::move(*table));
  }
  return FillPlan([stairs = std::move(stairs)](ResultTensor& result) { return stairs.fill(result); });
}

}  // namespace tiebreak
