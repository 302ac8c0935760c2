// SPDX-License-Identifier: Apache-2.0
// What a backend prints enters reports (JSON, XML, a terminal), which break on bytes that are no text.
#include <cstdint>
#include <string_view>
#include <utility>

#include "testsuite/backends/child_process.hpp"

namespace tiebreak {
namespace {

std::string escaped(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

/// Length of the UTF-8 sequence that begins at `at`, 0 if it is none (also: overlong, surrogate, beyond U+10FFFF, control U+0080..U+009F).
std::size_t sequence_length(const std::string& bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  const std::uint32_t first = byte(at);
  const std::size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xC2 && first < 0xE0 ? 2 : 0;
  if (length == 0 || at + length > bytes.size()) return 0;
  std::uint32_t point = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
    point = (point << 6) | (byte(at + i) & 0x3F);
  }
  constexpr std::uint32_t least[]{0, 0, 0xA0, 0x800, 0x10000};
  const bool is_character = point >= least[length] && point <= 0x10FFFF && !(point >= 0xD800 && point < 0xE000) && (point & 0xFFFE) != 0xFFFE;
  return is_character ? length : 0;
}

}  // namespace

std::string printable(const std::string& bytes) {
  std::string text;
  std::string line_end;  // pending: trailing line ends are dropped
  for (std::size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte == '\n' || byte == '\r') {
      if (!text.empty()) line_end = " | ";
      ++at;
      continue;
    }
    text += std::exchange(line_end, {});
    const std::size_t length = byte >= 0x20 && byte < 0x7F ? 1 : byte == '\t' ? 1 : sequence_length(bytes, at);
    text += length > 0 ? bytes.substr(at, length) : escaped(byte);
    at += length > 0 ? length : 1;
  }
  return text;
}

}  // namespace tiebreak
