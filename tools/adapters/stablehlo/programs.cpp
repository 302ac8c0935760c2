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
/// Else the whole function stands behind an error, and the end of a long message is all that is seen.
const std::string short_errors = "--mlir-print-op-on-diagnostic=false";

bool is_executable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// Words of StableHLO's and MLIR's messages about what they do not know, and of verifiers that take less than the text allows.
bool is_refusal(const std::string& message) {
  for (const char* word : {"nsupported", "not supported", "failed to legalize", "Failed to lower", "is unknown", "unregistered", "not yet implemented",
                           "failed to infer returned types", "requires compatible types", "op operand #"}) {
    if (message.find(word) != std::string::npos) return true;
  }
  return false;
}

/// The first complaint, without the path before it and the program's text behind it.
std::string first_error(const std::string& message) {
  for (const std::string mark : {"error: ", "LLVM ERROR: "}) {
    const std::size_t start = message.find(mark);
    if (start != std::string::npos) return message.substr(start + mark.size(), message.find('\n', start) - start - mark.size());
  }
  return message;
}

Result<ChildOutcome> run_one(const std::vector<std::string>& command, const std::string& folder, double timeout_seconds) {
  ChildOptions options;
  options.timeout_seconds = timeout_seconds;
  TIEBREAK_TRY(outcome, run_child(command, folder, options));
  if (outcome.is_success()) return std::move(outcome);
  const std::string name = std::filesystem::path(command[0]).filename().string();
  const std::string message = outcome.error_tail.empty() ? "" : ": " + printable(first_error(outcome.error_tail));
  const bool ended = outcome.kind == ChildOutcome::Kind::exited || outcome.error_tail.find("LLVM ERROR") != std::string::npos;
  const bool refused = ended && is_refusal(outcome.error_tail);
  return fail(refused ? Errc::unsupported : Errc::backend, name + " " + to_text(outcome, timeout_seconds) + message);
}

Status write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return fail(Errc::io, "cannot write the program", path);
  return {};
}

/// The line that says a version, "" if none does.
std::string version_line(const std::string& text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.find("version") != std::string::npos) return printable(line);
    start = end + 1;
  }
  return "";
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
    const std::vector<std::string> lower = {programs.opt, "--stablehlo-legalize-quantized-op-to-qdq", program, "-o", folder.path() + "/lowered.mlir",
                                            short_errors};
    TIEBREAK_CHECK(run_one(lower, folder.path(), programs.timeout_seconds));
    program = lower[4];
  }
  TIEBREAK_TRY(outcome, run_one({programs.translate, "--interpret", program, short_errors}, folder.path(), programs.timeout_seconds));
  if (outcome.standard_output.size() >= output_limit) return fail(Errc::unsupported, "results of more than 1 MiB as text");
  return outcome.standard_output;
}

Result<std::string> version_of(const Programs& programs) {
  TIEBREAK_TRY(folder, TemporaryFolder::create());
  // `--version` names LLVM's alone. A serialized program begins with the version that wrote it, as `StableHLO_v1.13.8`.
  const std::string program = folder.path() + "/empty.mlir", mark = "StableHLO_v";
  TIEBREAK_CHECK(write_text(program, "module {}\n"));
  if (auto outcome = run_one({programs.translate, "--serialize", program, "--target=current"}, folder.path(), programs.timeout_seconds)) {
    const std::string& bytes = outcome->standard_output;
    const std::size_t start = bytes.find(mark);
    if (start != std::string::npos) return bytes.substr(start + mark.size(), bytes.find_first_not_of("0123456789.", start + mark.size()) - start - mark.size());
  }
  TIEBREAK_TRY(outcome, run_one({programs.translate, "--version"}, folder.path(), programs.timeout_seconds));
  return version_line(outcome.standard_output);
}

}  // namespace tiebreak::stablehlo
