// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace tiebreak::command {
namespace {

// A signal handler can reach nothing but such a variable.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (received.exchange(number) != 0) ::_exit(128 + number);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

Stop stop_on_interrupt() { return Stop(received); }
bool interrupted() { return received.load() != 0; }
int interrupt_exit_code() { return 128 + received.load(); }

}  // namespace tiebreak::command
