// SPDX-License-Identifier: Apache-2.0
// Knows of HDF5's format two fields of the superblock, version 2: which version it is, and where the file ends.
#include "testsuite/exchange/file_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tiebreak {

FileMemory::~FileMemory() { std::free(data_); }

void* FileMemory::grow(void* old, std::size_t size) {
  void* grown = std::realloc(old, size);
  if (grown == nullptr) return nullptr;
  if (size > size_) std::memset(static_cast<char*>(grown) + size_, 0, size - size_);
  data_ = grown;
  size_ = size;
  return grown;
}

Result<std::vector<std::byte>> FileMemory::closed_file(std::size_t user_block) const {
  constexpr std::size_t version_at = 8;
  constexpr std::size_t end_at = 28;
  std::uint64_t end = 0;
  const auto* bytes = static_cast<const std::byte*>(data_);
  if (size_ < user_block + end_at + sizeof end || bytes[user_block + version_at] != std::byte{2}) {
    return fail(Errc::internal, "HDF5 made a file of another format than asked for");
  }
  std::memcpy(&end, bytes + user_block + end_at, sizeof end);
  if (end > size_ || end < user_block) return fail(Errc::internal, "HDF5 made a file that is shorter than it says");
  std::vector<std::byte> file(bytes, bytes + end);
  std::fill_n(file.begin(), user_block, std::byte{0});
  return file;
}

}  // namespace tiebreak
