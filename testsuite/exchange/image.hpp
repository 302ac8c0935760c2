// SPDX-License-Identifier: Apache-2.0
// Exchange files as bytes in memory.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

/// The bytes that write_exchange writes: user block and HDF5.
Result<std::vector<std::byte>> exchange_image(const ExchangeFile& file);

enum class Trust : std::uint8_t {
  crcs,  ///< what has Tiebreak's CRC table is read here, everything else in a child process
  none,  ///< always in a child process
};
/// What read_exchange does with a file's bytes.
Result<ExchangeFile> parse_exchange_image(std::span<const std::byte> image, const std::string& where, Trust trust, double timeout_seconds = 60);

}  // namespace tiebreak
