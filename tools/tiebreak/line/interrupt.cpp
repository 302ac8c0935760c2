// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace tiebreak::command {
namespace {

// A signal handler can reach nothing but such variables.
std::atomic<int> received{0};
std::atomic<std::int64_t> received_at{0};  // nanoseconds of the monotonic clock
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

// A batch system signals every process of a task, and a script that waits for the command may pass on what it got, too: that is one interrupt.
constexpr std::int64_t one_interrupt = 200'000'000;

extern "C" void on_signal(int number) {
  constexpr std::int64_t second = 1'000'000'000;
  timespec clock{};
  ::clock_gettime(CLOCK_MONOTONIC, &clock);
  const std::int64_t now = clock.tv_sec * second + clock.tv_nsec;
  std::int64_t first = 0;
  if (received_at.compare_exchange_strong(first, now)) received.store(number);
  else if (now - first > one_interrupt) ::_exit(128 + number);
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
