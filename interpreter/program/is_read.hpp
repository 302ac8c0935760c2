// SPDX-License-Identifier: Apache-2.0
// Which values of a program are read, and which an operation names.
#pragma once
#include <algorithm>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak {

/// An operation reads the value, a region captures it, or it is an output.
bool is_read(const Program& program, ValueId id);

/// What an operation reads, each value once: its operands, then what its regions capture.
std::vector<ValueId> read_values(const Operation& operation);

/// Every value that an operation names: operands, results, and what its regions capture; absent ones too. They may be renamed.
template <class Visit>
void each_value(Operation& operation, const Visit& visit) {
  std::ranges::for_each(operation.operands, visit);
  std::ranges::for_each(operation.results, visit);
  for (Region& region : operation.regions) std::ranges::for_each(region.captured, visit);
}

}  // namespace tiebreak
