// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

/// A model's file, whole. Errc::io with the reason, Errc::limit from 2 GiB on.
Result<std::vector<std::byte>> file_bytes(const std::string& path);

}  // namespace tiebreak
