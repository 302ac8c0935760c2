// SPDX-License-Identifier: Apache-2.0
// Programs that are no formulas of single elements: both run on inputs at ties and beside them.
#pragma once
#include "testsuite/equal/compare_programs.hpp"

namespace tiebreak {

struct SampledInputs {
  const std::vector<Tensor>& tensors;  ///< their types; values of fixed inputs
  const std::vector<InputRole>& roles;
  const std::vector<LeafDomain>& domains;  ///< of each input's elements
  std::size_t output = 0;
  const ElementQuestion& limits;
};

/// Runs until `samples` elements of the output have been compared. Never Verdict::equal: no way leads over all inputs. Inputs that are refused by either
/// program are counted apart.
Result<ElementVerdict> sample_programs(const ProgramSide& first, const ProgramSide& second, const SampledInputs& inputs);

}  // namespace tiebreak
