// SPDX-License-Identifier: Apache-2.0
// tiebreak backend capabilities: what adapters take, found by asking.
#pragma once
#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

void add_capabilities(Verb& group);

}  // namespace tiebreak::command
