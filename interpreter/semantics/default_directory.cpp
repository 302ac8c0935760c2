// SPDX-License-Identifier: Apache-2.0
// Where the spec folder lies: $TIEBREAK_SPEC, else beside an installed command (bin) or adapter (libexec/tiebreak), else above a command that was built in the source tree,
// else the source tree it was built from.
#include <cstdlib>
#include <filesystem>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

bool is_spec(const fs::path& folder) {
  std::error_code missing;
  return fs::is_directory(folder / "profiles", missing);
}

}  // namespace

std::string Library::default_directory() {
  if (const char* named = std::getenv("TIEBREAK_SPEC"); named != nullptr && *named != '\0') return named;
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path above = executable.parent_path().parent_path();
    for (const fs::path& prefix : {above, above.parent_path()})
      if (const fs::path installed = prefix / "share" / "tiebreak" / "spec"; is_spec(installed)) return installed.string();
    for (fs::path folder = executable.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
      if (is_spec(folder / "spec")) return (folder / "spec").string();
  }
#ifdef TIEBREAK_SPEC_DIRECTORY
  if (is_spec(TIEBREAK_SPEC_DIRECTORY)) return TIEBREAK_SPEC_DIRECTORY;
#endif
  return "spec";
}

}  // namespace tiebreak
