// SPDX-License-Identifier: Apache-2.0
// Programs that are no formulas of single elements, on few inputs: both run whole on each of them.
#pragma once
#include <optional>

#include "testsuite/equal/compare_programs.hpp"

namespace tiebreak {

struct RunQuestion {
  const ProgramInputs& inputs;
  std::size_t output = 0;
  const ElementQuestion& limits;
};

/// Nothing where there are more than `runs` combinations of inputs. Inputs that a page's constraint refuses are counted apart. Errc::unsupported where the
/// output's shape depends on values; any other error of a run ends it.
Result<std::optional<std::vector<ElementClass>>> run_on_all_inputs(const ProgramSide& first, const ProgramSide& second, const RunQuestion& question);

}  // namespace tiebreak
