// SPDX-License-Identifier: Apache-2.0
// Files read and replaced as a whole.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/error.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

Result<std::vector<std::byte>> read_whole_file(const std::string& path);
/// Writes beside `path` under a temporary name, makes sure it is on the disk, if it is to be, and renames. On failure nothing is left and `path` is as it was.
Status replace_file(const std::string& path, std::span<const std::byte> bytes, Durability durability = Durability::on_disk);

/// The bytes of a file where the system holds them. Whoever reads behind the end of one that has become shorter meanwhile dies: for a process that may.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace tiebreak
