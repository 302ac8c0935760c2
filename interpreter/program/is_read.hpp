// SPDX-License-Identifier: Apache-2.0
// Whether a value of a program serves anything.
#pragma once
#include "interpreter/program/program.hpp"

namespace tiebreak {

/// An operation reads the value, a region captures it, or it is an output.
bool is_read(const Program& program, ValueId id);

}  // namespace tiebreak
