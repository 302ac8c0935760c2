// SPDX-License-Identifier: Apache-2.0
// Golden files side by side: the outputs of two, or of all that two folders have under one name.
#include <filesystem>
#include <set>

#include "testsuite/golden/golden_files.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

Result<std::set<std::string>> names_in(const std::string& folder) {
  TIEBREAK_TRY(manifest, read_manifest((fs::path(folder) / "manifest.json").string()));
  std::set<std::string> names;
  for (const ManifestEntry& entry : manifest.files) names.insert(entry.file);
  return names;
}

Result<GoldenDifference> diff_files(const std::string& a, const std::string& b) {
  TIEBREAK_TRY(first, read_exchange(a));
  TIEBREAK_TRY(second, read_exchange(b));
  return diff_exchange(first, second);
}

Result<GoldenDifference> diff_folders(const std::string& a, const std::string& b) {
  TIEBREAK_TRY(first, names_in(a));
  TIEBREAK_TRY(second, names_in(b));
  std::set<std::string> all = first;
  all.insert(second.begin(), second.end());
  GoldenDifference joined;
  for (const std::string& name : all) {
    if (!first.contains(name) || !second.contains(name)) {
      joined.lines.push_back(name + ": only in the " + (first.contains(name) ? "first" : "second"));
      continue;
    }
    TIEBREAK_TRY(one, diff_files((fs::path(a) / name).string(), (fs::path(b) / name).string()));
    joined.cases += one.cases;
    for (const std::string& line : one.lines) joined.lines.push_back(name + ": " + line);
  }
  return joined;
}

}  // namespace

Result<GoldenDifference> diff_golden_paths(const std::string& a, const std::string& b) {
  std::error_code missing;
  const bool first = fs::is_directory(a, missing), second = fs::is_directory(b, missing);
  if (first != second)
    return fail(Errc::usage, "a folder and a file cannot be compared", a + ", " + b,
                "name a file of the folder: " + (fs::path(first ? a : b) / fs::path(first ? b : a).filename()).string());
  return first ? diff_folders(a, b) : diff_files(a, b);
}

}  // namespace tiebreak
