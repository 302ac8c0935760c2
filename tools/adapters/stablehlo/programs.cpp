// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/stablehlo/programs.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "testsuite/backends/child_process.hpp"
#include "testsuite/backends/temporary_folder.hpp"

namespace tiebreak::stablehlo {
namespace {

constexpr std::size_t output_limit = std::size_t{1} << 20;  // run_child cuts what is longer

bool is_executable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// Words of StableHLO's and MLIR's messages about what they do not know.
bool is_refusal(const std::string& message) {
  for (const char* word : {"nsupported", "not supported", "failed to legalize", "Failed to lower", "is unknown", "unregistered", "not yet implemented"}) {
    if (message.find(word) != std::string::npos) return true;
  }
  return false;
}

Result<ChildOutcome> run_one(const std::vector<std::string>& command, const std::string& folder, double timeout_seconds) {
  ChildOptions options;
  options.timeout_seconds = timeout_seconds;
  TIEBREAK_TRY(outcome, run_child(command, folder, options));
  if (outcome.is_success()) return std::move(outcome);
  const std::string name = std::filesystem::path(command[0]).filename().string();
  const std::string message = outcome.error_tail.empty() ? "" : ": " + printable(outcome.error_tail);
  const bool refused = outcome.kind == ChildOutcome::Kind::exited && is_refusal(outcome.error_tail);
  return fail(refused ? Errc::unsupported : Errc::backend, name + " " + to_text(outcome, timeout_seconds) + message);
}

Status write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return fail(Errc::io, "cannot write the program", path);
  return {};
}

}  // namespace

std::string find_program(const std::string& path, const std::string& name) {
  if (!path.empty()) return is_executable(path) ? path : "";
  const char* folders = std::getenv("PATH");
  std::string list = folders == nullptr ? "" : folders;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    const std::string candidate = list.substr(start, end - start) + "/" + name;
    if (end > start && is_executable(candidate)) return candidate;
    start = end + 1;
  }
  return "";
}

Result<std::string> interpret(const Programs& programs, const std::string& text) {
  TIEBREAK_TRY(folder, TemporaryFolder::create());
  std::string program = folder.path() + "/program.mlir";
  TIEBREAK_CHECK(write_text(program, text));
  if (programs.lower_first) {
    const std::vector<std::string> lower = {programs.opt, "--stablehlo-legalize-quantized-op-to-qdq", program, "-o", folder.path() + "/lowered.mlir"};
    TIEBREAK_CHECK(run_one(lower, folder.path(), programs.timeout_seconds));
    program = lower.back();
  }
  TIEBREAK_TRY(outcome, run_one({programs.translate, "--interpret", program}, folder.path(), programs.timeout_seconds));
  if (outcome.standard_output.size() >= output_limit) return fail(Errc::unsupported, "results of more than 1 MiB as text");
  return outcome.standard_output;
}

Result<std::string> version_of(const Programs& programs) {
  TIEBREAK_TRY(folder, TemporaryFolder::create());
  TIEBREAK_TRY(outcome, run_one({programs.translate, "--version"}, folder.path(), programs.timeout_seconds));
  const std::string& text = outcome.standard_output;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.find("version") != std::string::npos) return printable(line);
    start = end + 1;
  }
  return std::string();
}

}  // namespace tiebreak::stablehlo
