// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for the hashes of pages, profiles and golden files.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tiebreak {

/// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const std::byte> bytes);
std::string sha256_hex(std::string_view text);
/// The first 16 of them: what names a state of pages or a profile.
std::string short_hash(std::string_view text);

}  // namespace tiebreak
