// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/onnxruntime/find_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace tiebreak::ort {
namespace {

namespace files = std::filesystem;
const std::string package_name = "onnxruntime-node";

#if defined(__aarch64__)
const std::string architecture = "arm64";
#else
const std::string architecture = "x64";
#endif

struct Package {
  std::string name;     ///< its folder: onnxruntime-node-1.16.3
  std::string version;  ///< its own word for it
  std::string library;
};

/// `node_modules` beside this program or one folder up, then in the build folders that were configured.
std::vector<files::path> module_folders() {
  std::error_code ignored;
  const auto program = files::read_symlink("/proc/self/exe", ignored);
  std::vector<files::path> folders{program.parent_path() / "node_modules", program.parent_path().parent_path() / "node_modules"};
  std::istringstream configured(TIEBREAK_ONNXRUNTIME_FOLDERS);
  for (std::string folder; std::getline(configured, folder, ':');) folders.push_back(files::path(folder) / "node_modules");
  return folders;
}

std::string version_of(const files::path& package) {
  std::ifstream file(package / "package.json");
  const auto manifest = nlohmann::json::parse(file, nullptr, false);
  if (!manifest.is_object() || !manifest.contains("version") || !manifest["version"].is_string()) return {};
  return manifest["version"].get<std::string>();
}

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

/// The packages of a folder, the one without a version in its name first.
std::vector<Package> packages_of(const files::path& folder) {
  std::error_code ignored;
  std::vector<Package> packages;
  for (const auto& entry : files::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name != package_name && !name.starts_with(package_name + "-")) continue;
    Package package{name, version_of(entry.path()), library_of(entry.path())};
    if (!package.library.empty()) packages.push_back(std::move(package));
  }
  std::sort(packages.begin(), packages.end(), [](const Package& left, const Package& right) { return left.name < right.name; });
  return packages;
}

}  // namespace

std::string install_hint() { return "tools/setup-backends onnxruntime, or --library PATH, or TIEBREAK_ONNXRUNTIME"; }

Result<std::string> find_library(const LibraryWish& wish) {
  if (!wish.path.empty()) return wish.path;
  const char* named = std::getenv("TIEBREAK_ONNXRUNTIME");
  if (wish.version.empty() && named != nullptr && *named != '\0') return std::string(named);
  std::string searched, present;
  for (const files::path& folder : module_folders()) {
    for (const Package& package : packages_of(folder)) {
      if (wish.version.empty() ? package.name == package_name : package.version == wish.version) return package.library;
      if (present.find(package.version) == std::string::npos) present += (present.empty() ? "" : ", ") + package.version;
    }
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  const std::string what = wish.version.empty() ? "ONNX Runtime is not installed" : "ONNX Runtime " + wish.version + " is not installed";
  return fail(Errc::io, what + (present.empty() ? "" : "; there are: " + present), searched, install_hint());
}

}  // namespace tiebreak::ort
