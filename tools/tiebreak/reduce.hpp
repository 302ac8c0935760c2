// SPDX-License-Identifier: Apache-2.0
// tiebreak reduce: the smallest case that still fails.
#pragma once
#include "tools/tiebreak/command.hpp"

namespace tiebreak::command {

void add_reduce(CLI::App& app, Action& action);

}  // namespace tiebreak::command
