// SPDX-License-Identifier: Apache-2.0
// What every reader of cases promises, whatever the file: cases with an id and a value for each input, or one error.
#pragma once
#include <cstdlib>
#include <vector>

#include "testsuite/case/case.hpp"
#include "testsuite/fuzz/spec_folder.hpp"

namespace tiebreak {

inline void check_cases(const Result<std::vector<Case>>& cases) {
  if (!cases) {
    check_error(cases.error());
    return;
  }
  for (const Case& one : *cases)
    if (one.id.empty() || (!one.unusable && one.inputs.size() != one.program.inputs.size())) std::abort();
}

}  // namespace tiebreak
