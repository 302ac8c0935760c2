// SPDX-License-Identifier: Apache-2.0
// A tree to the bytes of an HDF5 file and back, in memory. The library's own number conversions are never used (they round ties away),
// its timestamps are off and its version bounds fixed, so that the same tree gives the same bytes.
#pragma once
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {

/// The HDF5 library has one state a process: one thread at a time. Whoever forks in order to read in the child takes the lock first, so
/// that the child does not inherit a library in the middle of another thread's work.
class Hdf5Lock {
 public:
  Hdf5Lock() {
    static std::mutex mutex;
    lock_ = std::unique_lock(mutex);
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

/// The bytes of an HDF5 file that holds `tree`, after `user_block` zero bytes (0, or a power of two from 512) that HDF5 skips.
Result<std::vector<std::byte>> write_hdf5(const StoredGroup& tree, std::size_t user_block, const Hdf5Lock& lock);
/// Only hard links, native little-endian types and data inside the file are read. `where` names the file in messages.
Result<StoredGroup> read_hdf5(std::span<const std::byte> image, const std::string& where, const Hdf5Lock& lock);

}  // namespace tiebreak
