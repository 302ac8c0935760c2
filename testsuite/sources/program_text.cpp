// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/program_text.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "interpreter/json/json_value.hpp"
#include "testsuite/backends/child_process.hpp"
#include "testsuite/backends/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

constexpr std::string_view magic = "ML\xEFR";
constexpr const char* translator = "stablehlo-translate";
constexpr double longest_seconds = 60;
constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20;  // what a text may have (docs/programs.md)

/// As a shell finds it; "" where there is none.
std::string on_path(const std::string& name) {
  const char* variable = std::getenv("PATH");
  std::string folders = variable == nullptr ? "" : variable;
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    const fs::path candidate = fs::path(folders.substr(start, end - start)) / name;
    std::error_code error;
    const auto status = fs::status(candidate, error);
    if (candidate.is_absolute() && fs::is_regular_file(status) && (status.permissions() & fs::perms::owner_exec) != fs::perms::none) return candidate.string();
    start = end + 1;
  }
  return "";
}

Result<std::string> deserialized(const std::string& path, const std::string& producer, const Stop& stop) {
  const std::string program = on_path(translator);
  if (program.empty()) {
    return fail(Errc::unsupported, "a StableHLO portable artifact (" + producer + ") is read by " + translator + ", which is not on PATH", path,
                std::string("put StableHLO's programs on PATH, or make a text where they are: ") + translator + " --deserialize FILE -o program.mlir");
  }
  TIEBREAK_TRY(folder, TemporaryFolder::create());
  const std::string made = folder.path() + "/program.mlir";
  ChildOptions limits;
  limits.timeout_seconds = longest_seconds;
  limits.interrupted = [&stop] { return stop.is_requested(); };
  TIEBREAK_TRY(outcome, run_child({program, "--deserialize", fs::absolute(path).string(), "-o", made}, folder.path(), limits));
  TIEBREAK_CHECK(stop.check());
  if (!outcome.is_success()) {
    const std::string said = outcome.error_tail.empty() ? "" : ": " + printable(outcome.error_tail);
    return fail(Errc::corrupt, program + " on this artifact of " + producer + " " + to_text(outcome, longest_seconds) + said, path);
  }
  std::error_code error;
  const auto size = fs::file_size(made, error);
  if (error) return fail(Errc::corrupt, program + " made no text of this artifact of " + producer, path);
  if (size > most_bytes) return fail(Errc::limit, "the text of this artifact has more than 16 MiB", path);
  return read_text_file(made);
}

}  // namespace

std::optional<std::string> bytecode_producer(std::string_view bytes) {
  if (!bytes.starts_with(magic)) return std::nullopt;
  std::string_view rest = bytes.substr(magic.size(), 128);  // the format's number, then the producer up to a zero
  if (!rest.empty() && (rest[0] < 'A' || rest[0] > 'z')) rest.remove_prefix(1);
  return printable(std::string(rest.substr(0, rest.find('\0'))));
}

Result<ProgramText> read_program_text(const std::string& path, const Stop& stop) {
  TIEBREAK_TRY(text, read_text_file(path));
  const auto producer = bytecode_producer(text);
  if (!producer) return ProgramText{std::move(text), path};
  if (!producer->starts_with("StableHLO_v")) {
    return fail(Errc::unsupported, "MLIR bytecode of '" + *producer + "': only StableHLO's portable artifacts are read", path,
                "mlir-opt FILE prints it as text");
  }
  TIEBREAK_TRY(made, deserialized(path, *producer, stop));
  return ProgramText{std::move(made), path + " as text"};
}

}  // namespace tiebreak
