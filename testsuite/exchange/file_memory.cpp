// SPDX-License-Identifier: Apache-2.0
// Knows of HDF5's format two fields of the superblock, version 2: which version it is, and where the file ends.
#include "testsuite/exchange/file_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace tiebreak {

void* FileMemory::grow(std::size_t size) {
  try {
    bytes_.resize(std::max(size, bytes_.size()));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return bytes_.data();
}

Result<std::vector<std::byte>> FileMemory::closed_file(std::size_t user_block) {
  constexpr std::size_t version_at = 8;
  constexpr std::size_t end_at = 28;
  std::uint64_t end = 0;
  if (bytes_.size() < user_block + end_at + sizeof end || bytes_[user_block + version_at] != std::byte{2}) {
    return fail(Errc::internal, "HDF5 made a file of another format than asked for");
  }
  std::memcpy(&end, bytes_.data() + user_block + end_at, sizeof end);
  if (end > bytes_.size() || end < user_block) return fail(Errc::internal, "HDF5 made a file that is shorter than it says");
  bytes_.resize(end);
  std::fill_n(bytes_.begin(), user_block, std::byte{0});
  return std::move(bytes_);
}

}  // namespace tiebreak
