// SPDX-License-Identifier: Apache-2.0
// A folder for one exchange with an adapter, removed with everything in it.
#pragma once
#include <string>

#include "interpreter/error.hpp"

namespace tiebreak {

class TemporaryFolder {
 public:
  /// Below $TMPDIR, else /tmp.
  static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path);
  std::string path_;
};

}  // namespace tiebreak
