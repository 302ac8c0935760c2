// SPDX-License-Identifier: Apache-2.0
// A tree as plain bytes: what the checksums are taken over, and what the reading child process sends to its parent.
// Why the child does not send HDF5: the file may have damaged the child's memory, so the parent must not give what it sends to the same
// library; parse_tree checks every length. It is also faster: the tree of a golden file of 670 kB crosses in 2 ms, as HDF5 in 700 ms.
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
/// Fills all of it with what comes next; false where there is no more.
using ByteSource = std::function<bool(std::span<std::byte>)>;

/// Names, types, shapes and data, each with its length, in order of names: different trees have different bytes.
void write_tree(const StoredGroup& tree, const ByteSink& sink);
void write_dataset(const StoredDataset& dataset, const ByteSink& sink);
void write_attributes(const StoredAttributes& attributes, const ByteSink& sink);
/// Within the limits of exchange_limit, and of at most so many bytes. Data goes where it stays, and what follows the tree is not asked for.
Result<StoredGroup> read_tree(const ByteSource& source, std::size_t most, const std::string& where);
/// Bytes left over are an error.
Result<StoredGroup> parse_tree(std::span<const std::byte> bytes, const std::string& where);

}  // namespace tiebreak
