// SPDX-License-Identifier: Apache-2.0
// The names under which print_mlir shows the values of a program: what an adapter reads them as.
#pragma once
#include "interpreter/program/program.hpp"

namespace tiebreak {

/// One a value, without the %: letters, digits and _ . $ alone, each name once.
std::vector<std::string> printed_names(const Program& program);

}  // namespace tiebreak
