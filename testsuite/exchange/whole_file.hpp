// SPDX-License-Identifier: Apache-2.0
// Files read and replaced as a whole.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

Result<std::vector<std::byte>> read_whole_file(const std::string& path);
/// Writes beside `path` under a temporary name, makes sure it is on the disk, renames. On failure nothing is left and `path` is as it was.
Status replace_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace tiebreak
