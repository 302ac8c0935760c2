// SPDX-License-Identifier: Apache-2.0
// npm packages as they lie on this machine: beside the program, in the build folder. Several versions of one can lie side by side.
#pragma once
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak::node {

struct Package {
  std::string folder;
  std::string name;     ///< of the folder: onnxruntime-node-1.16.3, @litertjs/core
  std::string version;  ///< its own word for it
};

/// `node_modules` beside this program or one folder up, then in the build folders that were configured.
std::vector<std::string> module_folders();
/// The package NAME, then those called NAME-VERSION, in the order of module_folders().
std::vector<Package> installed(const std::string& name);
/// version "": the package NAME itself. Errc::io names what is there and how to install (tools/setup-backends BACKEND).
Result<Package> find_package(const std::string& name, const std::string& version, const std::string& backend);

}  // namespace tiebreak::node
