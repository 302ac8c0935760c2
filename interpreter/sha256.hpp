// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): the one digest, of pages, profiles, golden files, answers and ids.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tiebreak {

/// The digest of bytes that arrive in pieces.
class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  /// 64 lower-case hexadecimal digits. Ends the digest: nothing may be added afterwards.
  std::string hex();

 private:
  static constexpr std::size_t block_size = 64;

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, block_size> started_{};  ///< the bytes that fill no block yet
  std::uint64_t length_ = 0;                     ///< of everything added, in bytes
};

std::string sha256_hex(std::span<const std::byte> bytes);
std::string sha256_hex(std::string_view text);
/// Its first 16 digits: what names a state of pages or a profile.
std::string short_hash(std::string_view text);
/// Its first 8 bytes as a big-endian number: what decides an order or a part among ids. The same on every machine.
std::uint64_t hash_number(std::string_view text);

}  // namespace tiebreak
