// SPDX-License-Identifier: Apache-2.0
// Nothing is registered: an adapter is an executable with the right name in the right place.
#include "testsuite/backends/adapter_search.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

namespace tiebreak {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view prefix = "tiebreak-adapter-";

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_executable(const fs::path& path) { return is_file(path) && ::access(path.c_str(), X_OK) == 0; }

std::vector<fs::path> adapter_folders() {
  std::vector<fs::path> folders;
  if (const char* listed = std::getenv("TIEBREAK_ADAPTERS")) {
    const std::string text = listed;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(':', begin), text.size());
      if (end > begin) folders.emplace_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return folders;
  const fs::path beside = program.parent_path();
  folders.insert(folders.end(), {beside / "adapters", beside, beside.parent_path() / "libexec" / "tiebreak"});
  return folders;
}

Result<AdapterCommand> command_for(const fs::path& path) {
  if (is_executable(path)) {
    // A bare file name would be looked up on PATH by nobody, but reads as if it were.
    const std::string program = path.has_parent_path() ? path.string() : "./" + path.string();
    return AdapterCommand{path.string(), {program}};
  }
  if (is_file(path) && path.extension() == ".py") return AdapterCommand{path.string(), {"/usr/bin/env", "python3", path.string()}};
  if (is_file(path)) return fail(Errc::backend, "the adapter is not executable", path.string(), "chmod +x " + path.string());
  std::error_code error;
  const bool is_there = fs::exists(path, error);
  return fail(Errc::unknown_name, is_there ? "not an adapter but a folder or device" : "no such adapter", path.string());
}

}  // namespace

std::vector<std::string> adapter_names() {
  std::set<std::string> names;
  for (const fs::path& folder : adapter_folders()) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with(prefix) && name.size() > prefix.size() && is_executable(entry->path())) names.insert(name.substr(prefix.size()));
    }
  }
  return {names.begin(), names.end()};
}

std::string python_module_folder() {
  for (const fs::path& folder : adapter_folders())
    if (is_file(folder / "python" / "exchange_case.py")) return (folder / "python").string();
  return "";
}

Result<AdapterCommand> find_adapter(const std::string& name_or_path) {
  if (name_or_path.empty()) return fail(Errc::unknown_name, "no backend is named");
  if (name_or_path.find('/') != std::string::npos) return command_for(name_or_path);
  for (const fs::path& folder : adapter_folders()) {
    const fs::path path = folder / (std::string(prefix) + name_or_path);
    if (is_executable(path)) return AdapterCommand{path.string(), {path.string()}};
  }
  if (is_file(name_or_path)) return command_for(name_or_path);
  const std::vector<std::string> names = adapter_names();
  std::string hint = nearest(name_or_path, names);
  if (!hint.empty()) {
    hint = "did you mean '" + hint + "'?";
  } else {
    for (const std::string& name : names) hint += (hint.empty() ? "one of " : " ") + name;
    if (names.empty()) hint = "no adapters are installed: $TIEBREAK_ADAPTERS lists folders, a path names one";
  }
  return fail(Errc::unknown_name, "unknown backend '" + name_or_path + "'", {}, hint);
}

}  // namespace tiebreak
