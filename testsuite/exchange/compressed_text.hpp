// SPDX-License-Identifier: Apache-2.0
// Text that gzip compressed: case files of many numbers.
#pragma once
#include <string>

#include "interpreter/error.hpp"

namespace tiebreak {

/// The most that a file may hold, in bytes.
constexpr std::size_t most_compressed_text = std::size_t{256} << 20U;

/// The text in a gzip file. Errc::io where it cannot be read, Errc::corrupt where it is no gzip file, is cut off, is damaged or holds more than `most` bytes.
Result<std::string> read_compressed_text(const std::string& path, std::size_t most = most_compressed_text);

}  // namespace tiebreak
