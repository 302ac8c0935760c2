// SPDX-License-Identifier: Apache-2.0
// Runs the built command as a user does, with the tree's pages and a folder of its own.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tiebreak {

struct CommandOutcome {
  int code = -1;                    ///< exit code, or 128 + signal
  double seconds_after_signal = 0;  ///< where one was sent
  std::string out;
  std::string err;
};

class CommandTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  CommandOutcome run(const std::vector<std::string>& arguments);
  /// Starts the command, waits until `ready` (a file) appears, sends the signal and waits for the end.
  CommandOutcome run_and_signal(const std::vector<std::string>& arguments, const std::string& ready, int signal);
  /// The same after a time, whatever the command has done by then.
  CommandOutcome run_and_signal_after(const std::vector<std::string>& arguments, double seconds, int signal);
  std::string write(const std::string& name, const std::string& content);
  std::string read(const std::string& name) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// A backend in shell: `run` is what it does with $1 the request and $2 the response.
  std::string shell_backend(const std::string& name, const std::string& run);
  /// Two cases of QuantizeLinear, ties among them.
  std::string quantize_cases();

  std::vector<std::string> environment{};  ///< NAME=VALUE, beside that of the test
  std::string stdout_path{};               ///< instead of a file of the test's
  std::filesystem::path folder_{};

 private:
  int spawn(const std::vector<std::string>& arguments);
  CommandOutcome finish(int process);
  CommandOutcome signal_and_finish(int process, int signal);
};

}  // namespace tiebreak
