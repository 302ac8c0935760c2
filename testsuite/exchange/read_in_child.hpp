// SPDX-License-Identifier: Apache-2.0
// Reads HDF5 in a child process: metadata that crashes or hangs the library costs a process, not the run.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "interpreter/error.hpp"
#include "testsuite/exchange/file_tree.hpp"
#include "testsuite/exchange/hdf5_file.hpp"

namespace tiebreak {

/// What `read` gives in a child, which sends the tree as it is read. A child that crashes or exceeds the time gives Errc::corrupt.
Result<StoredGroup> read_isolated(const std::function<Result<StoredGroup>(const Hdf5Lock& lock)>& read, const std::string& where, double timeout_seconds);

/// read_hdf5 in a child.
Result<StoredGroup> read_hdf5_isolated(std::span<const std::byte> image, const std::string& where, double timeout_seconds);

}  // namespace tiebreak
