// SPDX-License-Identifier: Apache-2.0
// Golden files as files: whether they are what was written, what they contain, where two differ. testsuite/golden says what they should contain.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

/// Every byte is what was written. Otherwise Errc::corrupt with the byte range, and the case where the structure still tells.
Status verify_golden(const std::string& path);

struct GoldenSummary {
  std::uint64_t bytes = 0;
  std::string checksum;                         ///< the file's own, over contents and context
  std::map<std::string, std::string> context;   ///< tool_version, spec_hash ...
  std::map<std::string, std::size_t> ops;       ///< cases an op
  std::map<std::string, std::size_t> profiles;  ///< cases a profile
  std::size_t cases = 0;
  std::int64_t elements = 0;   ///< of all outputs
  std::int64_t undefined = 0;  ///< of those
};
Result<GoldenSummary> summarize_golden(const std::string& path);

/// One place where two files differ.
struct StoredDifference {
  std::string id;     ///< of the case; "" for the file's context
  std::string part;   ///< `outputs/y`, `program`, `attribute axis`, `case` ...
  std::string first;  ///< value there, "absent" if it is only in the other
  std::string second;
  std::int64_t element = -1;   ///< first differing element of a tensor
  std::int64_t differing = 0;  ///< elements that differ
  std::size_t byte_begin = 0;  ///< first differing byte range of a tensor's data, end exclusive
  std::size_t byte_end = 0;
};
/// In order of cases and parts; empty if both say the same.
Result<std::vector<StoredDifference>> diff_golden(const std::string& first_path, const std::string& second_path);
std::vector<StoredDifference> diff_exchange_files(const ExchangeFile& first, const ExchangeFile& second);
/// onnx.Add/ties/1 outputs/y[3]: 0x07 (7) and 0x08 (8), 2 elements differ, first bytes 3..3
std::string to_text(const StoredDifference& difference);

}  // namespace tiebreak
