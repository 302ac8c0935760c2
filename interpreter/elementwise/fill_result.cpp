// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/fill_result.hpp"

#include "interpreter/elementwise/code_table.hpp"
#include "interpreter/elementwise/fill_by_stairs.hpp"
#include "interpreter/elementwise/float_operations.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t few_cells = 1024;  // whatever is prepared for these takes longer than they do

}  // namespace

Result<bool> fill_elementwise(const Formula& formula, const FormulaResult& declared, ResultTensor& result) {
  if (declared.per_item || declared.single || result.tensor.size() < few_cells || result.tensor.size() != formula.geometry.cells()) return false;
  const std::optional<CellInputs> inputs = cell_inputs(formula, declared.node);
  if (!inputs) return false;
  for (const auto fill : {fill_by_codes, fill_by_stairs, fill_by_float_operations}) {
    TIEBREAK_TRY(filled, fill(formula, declared, *inputs, result));
    if (filled) return true;
  }
  return false;
}

}  // namespace tiebreak
