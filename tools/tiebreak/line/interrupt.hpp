// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM end a run early but in order: the report is written and marked incomplete. A second one,
// later than a fifth of a second, ends it at once.
#pragma once
#include "interpreter/stop.hpp"

namespace tiebreak::command {

void catch_interrupts();
bool interrupted();
/// The same for the library: what it evaluates ends, too.
Stop stop_on_interrupt();
/// 128 plus the signal's number: 130, 143.
int interrupt_exit_code();

}  // namespace tiebreak::command
