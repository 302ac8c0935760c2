// SPDX-License-Identifier: Apache-2.0
// Reads HDF5 in a child process: metadata that crashes or hangs the library costs a process, not the run.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "interpreter/error.hpp"
#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {

/// read_hdf5 in a child. A child that crashes or exceeds the time gives Errc::corrupt.
Result<StoredGroup> read_hdf5_isolated(std::span<const std::byte> image, const std::string& where, double timeout_seconds);

}  // namespace tiebreak
