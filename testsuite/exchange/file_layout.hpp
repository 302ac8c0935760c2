// SPDX-License-Identifier: Apache-2.0
// Cases laid out as a tree (docs/exchange.md), and a tree read as cases.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.hpp"
#include "testsuite/exchange/exchange.hpp"
#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {

inline constexpr std::string_view exchange_format = "tiebreak.exchange/2";
/// The same but for its checksums, which were of another digest and are not compared.
inline constexpr std::string_view earlier_exchange_format = "tiebreak.exchange/1";

/// Checks ids, sizes and names on the way: what is written reads back.
Result<StoredGroup> encode_file(const ExchangeFile& file);
/// The same of a file whose cases lie elsewhere.
Result<StoredGroup> encode_file(const ExchangeFile& frame, std::span<const ExchangeCase> cases);
/// Checks the format, every name, type and size, and the checksums (which golden files must have). Takes the tree apart.
Result<ExchangeFile> decode_file(StoredGroup tree, const std::string& where);

/// The parts of an id, or an error: [A-Za-z0-9_.+-]+ between slashes.
Result<std::vector<std::string>> id_parts(const std::string& id);
/// SHA-256 over everything in a case's group but its attribute `checksum`.
std::string case_checksum(const StoredGroup& group);
/// Over the root's attributes but `checksum`, and ids and checksums of all cases in order.
std::string file_checksum(const StoredAttributes& root, const std::vector<std::pair<std::string, std::string>>& cases);

/// A case's group in a tree, by its id.
struct FoundCase {
  std::string id;
  StoredGroup* group = nullptr;
};
/// The cases of a tree in order: that of `ids`, else of their names.
Result<std::vector<FoundCase>> find_cases(StoredGroup& tree, const std::string& where);

}  // namespace tiebreak
