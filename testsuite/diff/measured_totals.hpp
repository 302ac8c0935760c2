// SPDX-License-Identifier: Apache-2.0
// Totals that others measured over all inputs of a conversion, beside those that are counted here. spec/measured.json lists them.
#pragma once
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"
#include "interpreter/stairs/function_difference.hpp"

namespace tiebreak {

struct MeasuredTotal {
  std::string from, to;
  std::string what;                ///< which two semantics, what was measured, and which dispute has it
  Wide inputs = 0, differing = 0;  ///< counted here
};

/// Those of a spec folder, in its order; none where it has no such file.
Result<std::vector<MeasuredTotal>> measured_totals(const Library& library, const std::string& directory);

}  // namespace tiebreak
