// SPDX-License-Identifier: Apache-2.0
// The user block in front of the HDF5 part: a table of CRC-32, one for each 4096 bytes of the file, and one over the table itself.
// A CRC detects every single flipped bit, wherever it is: in data, in HDF5's own structures, in bytes that nothing uses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

/// CRC-32 as in zlib, gzip and PNG.
std::uint32_t crc32(std::span<const std::byte> bytes);

/// Bytes that the table for a body of `body_bytes` wants: a power of two from 512.
std::size_t user_block_bytes(std::size_t body_bytes);
/// Fills the first `user_block` bytes of a whole file.
void write_user_block(std::span<std::byte> file, std::size_t user_block);

enum class FileForm : std::uint8_t {
  with_crcs,  ///< begins with Tiebreak's user block
  plain,      ///< HDF5 from its first byte
  foreign,    ///< neither
};
FileForm file_form(std::span<const std::byte> file);

/// A byte range of the file that is not what was written; `end` is one past the last.
struct DamagedRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
/// The damaged ranges, adjacent blocks joined. An error where that cannot be told: another length, or a damaged table.
Result<std::vector<DamagedRange>> damaged_ranges(std::span<const std::byte> file, const std::string& where);
/// Errc::corrupt with the first damaged range, unless the file is whole.
Status check_crcs(std::span<const std::byte> file, const std::string& where);

}  // namespace tiebreak
