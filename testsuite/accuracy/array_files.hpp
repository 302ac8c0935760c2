// SPDX-License-Identifier: Apache-2.0
// Files of arrays, read when they are asked for. The last ones are kept, so that an array of many inputs is read once, and a folder of many files never
// stands in memory as a whole.
#pragma once
#include <deque>
#include <memory>
#include <mutex>

#include "testsuite/arrays/array_of_file.hpp"

namespace tiebreak {

class ArrayFiles {
 public:
  using Arrays = std::shared_ptr<const std::vector<ArrayOfFile>>;

  /// `kept`: files that stay in memory.
  explicit ArrayFiles(std::size_t kept) : kept_(kept) {}

  std::size_t add(std::string path) {
    paths_.push_back(std::move(path));
    return paths_.size() - 1;
  }
  const std::string& path(std::size_t file) const { return paths_[file]; }
  /// From several threads at once, once all files are added. Errors are those of read_array_file.
  Result<Arrays> read(std::size_t file);

 private:
  std::size_t kept_;
  std::vector<std::string> paths_{};
  std::mutex mutex_{};
  std::deque<std::pair<std::size_t, Arrays>> last_{};
};

}  // namespace tiebreak
