// SPDX-License-Identifier: Apache-2.0
// Inside tools/tiebreak only.
#pragma once
#include "tools/tiebreak/line/command.hpp"

namespace tiebreak::command {

/// spec show
void add_spec_show(Verb& group);
/// spec head
void add_spec_head(Verb& group);

}  // namespace tiebreak::command
