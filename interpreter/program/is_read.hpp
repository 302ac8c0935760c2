// SPDX-License-Identifier: Apache-2.0
// Which values of a program are read.
#pragma once
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak {

/// An operation reads the value, a region captures it, or it is an output.
bool is_read(const Program& program, ValueId id);

/// What an operation reads, each value once: its operands, then what its regions capture.
std::vector<ValueId> read_values(const Operation& operation);

}  // namespace tiebreak
