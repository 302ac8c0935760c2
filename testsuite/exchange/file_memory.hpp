// SPDX-License-Identifier: Apache-2.0
// The memory in which HDF5 makes a file: zeroed as it grows, so that no byte of it is left to chance, and kept when HDF5 closes it.
// (H5Fget_file_image of an open file clears a flag without mending the checksum over it: only a closed file is whole.)
#pragma once
#include <cstddef>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

class FileMemory {
 public:
  FileMemory() = default;
  FileMemory(const FileMemory&) = delete;
  FileMemory& operator=(const FileMemory&) = delete;

  /// All of it, with so many bytes now: nullptr if there is no memory.
  void* grow(std::size_t size);
  /// Takes the bytes of the closed file; its superblock says where it ends.
  Result<std::vector<std::byte>> closed_file(std::size_t user_block);

 private:
  std::vector<std::byte> bytes_{};
};

}  // namespace tiebreak
