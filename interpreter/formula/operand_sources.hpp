// SPDX-License-Identifier: Apache-2.0
// Which operand of the call each source of its formula reads.
#pragma once
#include <vector>

#include "interpreter/formula/call.hpp"
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// The call's operand by source; -1 for facts, and for what a stage computed. The formula is bound to this very call.
inline std::vector<int> operands_of_sources(const Formula& formula, const OpCall& call) {
  std::vector<int> operands;
  for (const Source& source : formula.sources) {
    int found = -1;
    for (std::size_t i = 0; i < call.operands.size() && source.tensor != nullptr; ++i)
      if (call.operands[i] && &*call.operands[i] == source.tensor) found = static_cast<int>(i);
    operands.push_back(found);
  }
  return operands;
}

}  // namespace tiebreak
