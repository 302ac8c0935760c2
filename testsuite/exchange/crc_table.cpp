// SPDX-License-Identifier: Apache-2.0
// Layout of the user block, little-endian: 16 bytes of magic, u64 file length, u32 length of the user block, u32 CRC-32 of the user block
// with this field zero, one u32 CRC-32 for each 4096 bytes behind it, zeros.
#include "testsuite/exchange/crc_table.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace tiebreak {
namespace {

constexpr std::size_t block_bytes = 4096;
constexpr std::array<unsigned char, 16> magic{'T', 'I', 'E', 'B', 'R', 'E', 'A', 'K', '1', '\r', '\n', 0x1a, '\n', 0, 0, 0};
constexpr std::array<unsigned char, 8> hdf5_signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t length_at = 16;
constexpr std::size_t user_block_at = 24;
constexpr std::size_t table_crc_at = 28;
constexpr std::size_t table_at = 32;

template <class T>
T load(std::span<const std::byte> bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void store(std::span<std::byte> bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <std::size_t size>
bool begins_with(std::span<const std::byte> file, const std::array<unsigned char, size>& start) {
  return file.size() >= size && std::memcmp(file.data(), start.data(), size) == 0;
}

std::size_t block_count(std::size_t body_bytes) { return (body_bytes + block_bytes - 1) / block_bytes; }

std::uint32_t user_block_crc(std::span<const std::byte> user_block) {
  std::vector<std::byte> copy(user_block.begin(), user_block.end());
  store(std::span(copy), table_crc_at, std::uint32_t{0});
  return crc32(copy);
}

std::span<const std::byte> block(std::span<const std::byte> file, std::size_t user_block, std::size_t index) {
  const std::size_t begin = user_block + index * block_bytes;
  return file.subspan(begin, std::min(block_bytes, file.size() - begin));
}

/// The length of the user block if the block itself is whole, else an error.
Result<std::size_t> checked_user_block(std::span<const std::byte> file, const std::string& where) {
  if (file.size() < table_at) return fail(Errc::corrupt, "truncated: the file is " + std::to_string(file.size()) + " bytes", where);
  const auto written = load<std::uint64_t>(file, length_at);
  const std::size_t user_block = load<std::uint32_t>(file, user_block_at);
  const bool is_plausible = std::has_single_bit(user_block) && user_block >= 512 && user_block <= written;
  const bool is_readable = is_plausible && user_block <= file.size();
  const bool is_whole = is_readable && user_block_crc(file.first(user_block)) == load<std::uint32_t>(file, table_crc_at);
  // A damaged length field is damage to the table; with a whole table, the length it states is what was written.
  if ((is_whole && written != file.size()) || (is_plausible && !is_readable)) {
    return fail(Errc::corrupt, "truncated or extended: the file is " + std::to_string(file.size()) + " bytes, " + std::to_string(written) + " were written",
                where);
  }
  if (!is_whole) {
    const std::size_t end = is_readable ? user_block : std::size_t{512};
    return fail(Errc::corrupt, "the CRC table is damaged: byte range 0.." + std::to_string(end - 1) + " differs from what was written", where);
  }
  const std::size_t wanted = table_at + 4 * block_count(file.size() - user_block);
  if (wanted > user_block) return fail(Errc::corrupt, "the CRC table is too short for the file", where);
  return user_block;
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  // A span without bytes may point nowhere, which to zlib means another question.
  return bytes.empty() ? 0 : static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::size_t user_block_bytes(std::size_t body_bytes) { return std::max(std::size_t{512}, std::bit_ceil(table_at + 4 * block_count(body_bytes))); }

void write_user_block(std::span<std::byte> file, std::size_t user_block) {
  std::memset(file.data(), 0, user_block);
  std::memcpy(file.data(), magic.data(), magic.size());
  store(file, length_at, std::uint64_t{file.size()});
  store(file, user_block_at, static_cast<std::uint32_t>(user_block));
  for (std::size_t index = 0; index < block_count(file.size() - user_block); ++index) {
    store(file, table_at + 4 * index, crc32(block(file, user_block, index)));
  }
  store(file, table_crc_at, user_block_crc(file.first(user_block)));
}

FileForm file_form(std::span<const std::byte> file) {
  if (begins_with(file, magic)) return FileForm::with_crcs;
  return begins_with(file, hdf5_signature) ? FileForm::plain : FileForm::foreign;
}

Result<std::vector<DamagedRange>> damaged_ranges(std::span<const std::byte> file, const std::string& where) {
  TIEBREAK_TRY(user_block, checked_user_block(file, where));
  std::vector<DamagedRange> ranges;
  for (std::size_t index = 0; index < block_count(file.size() - user_block); ++index) {
    const std::span<const std::byte> bytes = block(file, user_block, index);
    if (crc32(bytes) == load<std::uint32_t>(file, table_at + 4 * index)) continue;
    const std::uint64_t begin = user_block + index * block_bytes;
    if (!ranges.empty() && ranges.back().end == begin) {
      ranges.back().end += bytes.size();
    } else {
      ranges.push_back({begin, begin + bytes.size()});
    }
  }
  return ranges;
}

Status check_crcs(std::span<const std::byte> file, const std::string& where) {
  TIEBREAK_TRY(ranges, damaged_ranges(file, where));
  if (ranges.empty()) return {};
  std::string what = "damaged: byte range " + std::to_string(ranges[0].begin) + ".." + std::to_string(ranges[0].end - 1) + " differs from what was written";
  if (ranges.size() > 1) what += ", and " + std::to_string(ranges.size() - 1) + " more";
  return fail(Errc::corrupt, std::move(what), where);
}

}  // namespace tiebreak
