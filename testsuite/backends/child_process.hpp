// SPDX-License-Identifier: Apache-2.0
// Runs a program with limits on its time, memory and output, in a process group of its own that is gone when the call returns.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

struct ChildOptions {
  double timeout_seconds = 60;
  std::uint64_t memory_limit_mib = 0;  ///< address space, 0: none
  std::function<bool()> interrupted{};
  std::string input_file{};  ///< what it reads from its standard input; "": nothing
};

struct ChildOutcome {
  enum class Kind : std::uint8_t { exited, signalled, timed_out, interrupted } kind = Kind::exited;
  int number = 0;                 ///< exit status or signal
  std::string standard_output{};  ///< at most 1 MiB, then cut
  std::string error_tail{};       ///< the last 4 KiB of stderr
  bool is_success() const { return kind == Kind::exited && number == 0; }
};

/// Starts command[0] (a path; there is no search) with the rest as its arguments, stdin empty or a file, TMPDIR set to `folder`.
Result<ChildOutcome> run_child(const std::vector<std::string>& command, const std::string& folder, const ChildOptions& options);

/// "crashed with SIGSEGV", "exited with status 3", "no answer after 10 s".
std::string to_text(const ChildOutcome& outcome, double timeout_seconds);
/// Bytes of a foreign program as one line of printable UTF-8: line ends become " | ", anything odd \xNN.
std::string printable(const std::string& bytes);

}  // namespace tiebreak
