// SPDX-License-Identifier: Apache-2.0
// A tree as plain bytes: what the checksums are taken over, and what the reading child process sends to its parent.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "interpreter/error.hpp"
#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {

using ByteSink = std::function<void(std::span<const std::byte>)>;

/// Names, types, shapes and data, each with its length, in order of names: different trees have different bytes.
void write_tree(const StoredGroup& tree, const ByteSink& sink);
void write_dataset(const StoredDataset& dataset, const ByteSink& sink);
void write_attributes(const StoredAttributes& attributes, const ByteSink& sink);
/// Within the limits of exchange_limit; bytes left over are an error.
Result<StoredGroup> parse_tree(std::span<const std::byte> bytes, const std::string& where);

/// FNV-1a, 64 bits: `add` is a sink.
class Checksum {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  std::string text() const;  ///< 16 hex digits
 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

}  // namespace tiebreak
