// SPDX-License-Identifier: Apache-2.0
// The formula of an elementwise op on other inputs: a value for each set of parameters and each combination of given elements.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/elementwise/inputs.hpp"

namespace tiebreak {

struct NarrowedFormula {
  Formula formula{};
  std::vector<std::unique_ptr<Tensor>> tensors{};  ///< what its sources read
};

/// Cells are [sets, elements of the first cellwise source, of the second ...]; `sets` are numbers of parameter sets, `elements` what each cellwise source
/// has in place of its tensor, one-dimensional and of the tensor's element type. Nothing where a result type has parameters of its own an axis.
std::optional<NarrowedFormula> narrowed(const Formula& formula, const FormulaResult& result, const CellInputs& inputs, const ParameterSets& parameters,
                                        const std::vector<std::int64_t>& sets, const std::vector<Tensor>& elements);

/// The same for one set and one element of the one cellwise source, without a dimension: a function of one number, by this name.
constexpr const char* varied_element = "the element";  // no name of a page
std::optional<NarrowedFormula> scalar_of(const Formula& formula, const FormulaResult& result, const CellInputs& inputs, const ParameterSets& parameters,
                                         std::int64_t set);

}  // namespace tiebreak
