// SPDX-License-Identifier: Apache-2.0
// Where the library is: several versions of the npm package can lie side by side, and each release puts its library under another name.
#pragma once
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak::ort {

struct LibraryWish {
  std::string path;     ///< of the library itself; "": by version
  std::string version;  ///< 1.16.3; "": TIEBREAK_ONNXRUNTIME, else the package without a version in its name
};

/// The path to open. Errc::io names the folders that were searched, the versions that are there, and how to install.
Result<std::string> find_library(const LibraryWish& wish);
/// How to get it, for messages.
std::string install_hint();

}  // namespace tiebreak::ort
