// SPDX-License-Identifier: Apache-2.0
#include "testsuite/unit/helpers/command_run.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

void CommandTest::SetUp() {
  if (!fs::exists(TIEBREAK_BINARY_DIR "/tiebreak")) GTEST_SKIP() << "the command is not built";
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  folder_ = fs::temp_directory_path() / ("tiebreak-" + std::to_string(::getpid()) + "-" + test->name());
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

void CommandTest::TearDown() {
  if (!folder_.empty()) fs::remove_all(folder_);
}

int CommandTest::spawn(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{TIEBREAK_BINARY_DIR "/tiebreak"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string out = stdout_path.empty() ? path("stdout") : stdout_path, err = path("stderr");
  int process = ::fork();
  if (process != 0) return process;
  ::setenv("TIEBREAK_SPEC", TIEBREAK_SOURCE_DIR "/spec", 1);
  ::setenv("TIEBREAK_CASES", TIEBREAK_SOURCE_DIR "/testsuite/cases", 1);
  for (std::string& variable : environment) ::putenv(variable.data());
  int to = ::open(out.c_str(), O_WRONLY | O_CREAT | (stdout_path.empty() ? O_TRUNC : 0), 0666);
  int errors = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::dup2(to, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

CommandOutcome CommandTest::finish(int process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  CommandOutcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (stdout_path.empty()) outcome.out = content_of(path("stdout"));
  outcome.err = content_of(path("stderr"));
  return outcome;
}

CommandOutcome CommandTest::run(const std::vector<std::string>& arguments) { return finish(spawn(arguments)); }

CommandOutcome CommandTest::run_and_signal(const std::vector<std::string>& arguments, const std::string& ready, int signal) {
  int process = spawn(arguments);
  for (int i = 0; i < 3000 && !fs::exists(ready); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return signal_and_finish(process, signal);
}

CommandOutcome CommandTest::run_and_signal_after(const std::vector<std::string>& arguments, double seconds, int signal) {
  int process = spawn(arguments);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return signal_and_finish(process, signal);
}

CommandOutcome CommandTest::signal_and_finish(int process, int signal) {
  const auto sent = std::chrono::steady_clock::now();
  ::kill(process, signal);
  CommandOutcome outcome = finish(process);
  outcome.seconds_after_signal = std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count();
  return outcome;
}

std::string CommandTest::write(const std::string& name, const std::string& content) {
  std::ofstream stream(folder_ / name, std::ios::binary);
  stream << content;
  return path(name);
}

std::string CommandTest::read(const std::string& name) const { return content_of(folder_ / name); }

std::string CommandTest::shell_backend(const std::string& name, const std::string& run) {
  std::string script = write(
      name,
      "#!/bin/sh\nif [ \"$1\" = describe ]; then\n  echo '{\"protocol\": 1, \"name\": \"" + name +
          "\", \"version\": \"1\", \"profile\": \"\", \"ops\": [\"onnx.DequantizeLinear\", \"onnx.QuantizeLinear\"], \"details\": {}}'\n  exit 0\nfi\nshift\n" +
          run + "\n");
  fs::permissions(script, fs::perms::owner_all);
  return script;
}

std::string CommandTest::quantize_cases() {
  return write("cases.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", // two cases
  "cases": [
    { "name": "ties", "inputs": { "x": {"type": "f32", "shape": [300], "rule": "ties", "of": "y_scale", "zero_point": "y_zero_point"},
                                  "y_scale": {"type": "f32", "shape": [], "data": ["0x1p-3"]}, "y_zero_point": {"type": "i8", "shape": [], "data": [3]} } },
    { "name": "plain", "inputs": { "x": {"type": "f32", "shape": [3], "data": [0, 1, 2]}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } }
  ] })");
}

}  // namespace tiebreak
