// SPDX-License-Identifier: Apache-2.0
// tiebreak reduce: the smallest case that still fails.
#pragma once
#include "tools/tiebreak/line/command.hpp"

namespace tiebreak::command {

void add_reduce(Verb& app);

}  // namespace tiebreak::command
