// SPDX-License-Identifier: Apache-2.0
#include "interpreter/sha256.hpp"

#include <algorithm>
#include <charconv>

#include "interpreter/sha256_blocks.hpp"

namespace tiebreak {
void Sha256::add(std::span<const std::byte> bytes) {
  std::size_t filled = length_ % block_size;
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (filled == 0 && bytes.size() >= block_size) {  // whole blocks are taken where they lie
      const std::size_t whole = bytes.size() - bytes.size() % block_size;
      take_sha256_blocks(state_, bytes.first(whole));
      bytes = bytes.subspan(whole);
      continue;
    }
    const std::size_t taken = std::min(block_size - filled, bytes.size());
    std::ranges::copy(bytes.first(taken), started_.begin() + static_cast<std::ptrdiff_t>(filled));
    bytes = bytes.subspan(taken);
    filled = (filled + taken) % block_size;
    if (filled == 0) take_sha256_blocks(state_, started_);
  }
}

void Sha256::add(std::string_view text) { add(std::as_bytes(std::span(text))); }

std::string Sha256::hex() {
  // After the message: a one bit, zeros, and the length in bits, so that a block ends there.
  const std::uint64_t bits = length_ * 8;
  std::array<std::byte, 2 * block_size> tail{std::byte{0x80}};
  const std::size_t rest = length_ % block_size;
  const std::size_t padded = (rest + 9 <= block_size ? block_size : 2 * block_size) - rest;
  for (std::size_t i = 0; i < 8; ++i) tail[padded - 1 - i] = static_cast<std::byte>(bits >> (8 * i) & 0xff);
  add(std::span<const std::byte>(tail).first(padded));
  std::string digits;
  for (std::uint32_t word : state_)
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 0xf];
  return digits;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

std::string sha256_hex(std::string_view text) { return sha256_hex(std::as_bytes(std::span(text))); }

std::string short_hash(std::string_view text) { return sha256_hex(text).substr(0, 16); }

std::uint64_t hash_number(std::string_view text) {
  const std::string digits = short_hash(text);
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

}  // namespace tiebreak
