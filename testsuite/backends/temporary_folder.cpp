// SPDX-License-Identifier: Apache-2.0
// Names are chosen by the system, so that runs beside each other never meet.
#include "testsuite/backends/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tiebreak {

TemporaryFolder::TemporaryFolder(std::string path) : path_(std::move(path)) {}
TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;  // a file that cannot be removed is no reason to fail the run
  std::filesystem::remove_all(path_, ignored);
}

Result<TemporaryFolder> TemporaryFolder::create() {
  const char* set = std::getenv("TMPDIR");
  const std::string parent = set != nullptr && *set != '\0' ? set : "/tmp";
  std::string path = parent + "/tiebreak-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return fail(Errc::io, std::string("cannot make a temporary folder: ") + std::strerror(errno), parent, "set TMPDIR");
  }
  return TemporaryFolder(path);
}

}  // namespace tiebreak
