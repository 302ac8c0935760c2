// SPDX-License-Identifier: Apache-2.0
// Where spec folders lie: $TIEBREAK_SPEC, a path of them, else beside an installed command (bin) or adapter (libexec/tiebreak), else above a command that was
// built in the source tree, else the source tree it was built from.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

bool is_spec(const fs::path& folder) {
  std::error_code missing;
  return fs::is_directory(folder / "systems", missing);
}

/// Without a word of the user.
std::string usual_directory() {
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

}  // namespace

std::vector<std::string> Library::default_directories() {
  const char* named = std::getenv("TIEBREAK_SPEC");
  if (named == nullptr || *named == '\0') return {usual_directory()};
  std::vector<std::string> folders;
  std::string_view rest = named;
  for (bool more = true; more;) {
    const std::size_t colon = rest.find(':');
    const std::string folder(rest.substr(0, colon));
    const auto where = folder.empty() ? folders.begin() : folders.end();
    const std::string found = folder.empty() ? usual_directory() : folder;
    if (std::ranges::find(folders, found) == folders.end()) folders.insert(where, found);
    more = colon != std::string_view::npos;
    if (more) rest.remove_prefix(colon + 1);
  }
  return folders;
}

}  // namespace tiebreak
