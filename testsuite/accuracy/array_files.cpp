// SPDX-License-Identifier: Apache-2.0
#include "testsuite/accuracy/array_files.hpp"

#include <algorithm>

namespace tiebreak {

Result<ArrayFiles::Arrays> ArrayFiles::read(std::size_t file) {
  const std::lock_guard lock(mutex_);  // a large file is not read by two threads at once
  for (const auto& [known, arrays] : last_)
    if (known == file) return arrays;
  TIEBREAK_TRY(arrays, read_array_file(paths_[file]));
  last_.emplace_back(file, std::make_shared<const std::vector<ArrayOfFile>>(std::move(arrays)));
  if (last_.size() > kept_) last_.pop_front();
  return last_.back().second;
}

}  // namespace tiebreak
