// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/node/packages.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace tiebreak::node {
namespace {

namespace files = std::filesystem;

std::string version_of(const files::path& package) {
  std::ifstream file(package / "package.json");
  const auto manifest = nlohmann::json::parse(file, nullptr, false);
  if (!manifest.is_object() || !manifest.contains("version") || !manifest["version"].is_string()) return {};
  return manifest["version"].get<std::string>();
}

}  // namespace

std::vector<std::string> module_folders() {
  std::error_code ignored;
  const auto program = files::read_symlink("/proc/self/exe", ignored);
  std::vector<std::string> folders;
  const auto add = [&](const files::path& folder) {
    const std::string path = (folder / "node_modules").string();
    if (std::find(folders.begin(), folders.end(), path) == folders.end()) folders.push_back(path);
  };
  add(program.parent_path());
  add(program.parent_path().parent_path());
  std::istringstream configured(TIEBREAK_NODE_FOLDERS);
  for (std::string folder; std::getline(configured, folder, ':');) add(folder);
  return folders;
}

std::vector<Package> installed(const std::string& name) {
  const files::path wanted(name);  // a scoped name has two parts: @litertjs/core
  std::vector<Package> packages;
  for (const std::string& modules : module_folders()) {
    std::vector<Package> found;
    std::error_code ignored;
    for (const auto& entry : files::directory_iterator(files::path(modules) / wanted.parent_path(), ignored)) {
      const std::string last = entry.path().filename().string();
      if (last != wanted.filename() && !last.starts_with(wanted.filename().string() + "-")) continue;
      Package package{entry.path().string(), (wanted.parent_path() / last).string(), version_of(entry.path())};
      if (!package.version.empty() && (package.name == name || package.name == name + "-" + package.version)) found.push_back(std::move(package));
    }
    std::sort(found.begin(), found.end(), [](const Package& left, const Package& right) { return left.name < right.name; });
    packages.insert(packages.end(), found.begin(), found.end());
  }
  return packages;
}

Result<Package> find_package(const std::string& name, const std::string& version, const std::string& backend) {
  std::string present, searched;
  for (const Package& package : installed(name)) {
    if (version.empty() ? package.name == name : package.version == version) return package;
    if (present.find(package.version) == std::string::npos) present += (present.empty() ? "" : ", ") + package.version;
  }
  for (const std::string& folder : module_folders()) searched += (searched.empty() ? "" : ", ") + folder;
  return fail(Errc::io,
              "the npm package " + name + (version.empty() ? "" : " " + version) + " is not installed" + (present.empty() ? "" : "; there are: " + present),
              searched, "tools/setup-backends " + backend);
}

}  // namespace tiebreak::node
