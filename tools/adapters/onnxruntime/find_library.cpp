// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/onnxruntime/find_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "tools/adapters/node/packages.hpp"

namespace tiebreak::ort {
namespace {

namespace files = std::filesystem;

#if defined(__aarch64__)
const std::string architecture = "arm64";
#else
const std::string architecture = "x64";
#endif

/// bin/napi-v3/linux/x64/libonnxruntime.so.1.14.0 in old packages, bin/napi-v6/linux/x64/libonnxruntime.so.1 in new ones.
std::string library_of(const files::path& package) {
  std::error_code ignored;
  std::vector<std::string> found;
  for (const auto& interface : files::directory_iterator(package / "bin", ignored)) {
    for (const auto& file : files::directory_iterator(interface.path() / "linux" / architecture, ignored)) {
      if (file.path().filename().string().starts_with("libonnxruntime.so")) found.push_back(file.path().string());
    }
  }
  return found.empty() ? "" : *std::min_element(found.begin(), found.end());
}

}  // namespace

std::string install_hint() { return "tools/setup-backends onnxruntime, or --library PATH, or TIEBREAK_ONNXRUNTIME"; }

Result<std::string> find_library(const LibraryWish& wish) {
  if (!wish.path.empty()) return wish.path;
  const char* named = std::getenv("TIEBREAK_ONNXRUNTIME");
  if (wish.version.empty() && named != nullptr && *named != '\0') return std::string(named);
  TIEBREAK_TRY(package, node::find_package("onnxruntime-node", wish.version, "onnxruntime"));
  const std::string library = library_of(package.folder);
  if (library.empty()) return fail(Errc::io, "the npm package has no library for linux and " + architecture, package.folder, install_hint());
  return library;
}

}  // namespace tiebreak::ort
