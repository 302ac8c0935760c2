// SPDX-License-Identifier: Apache-2.0
// Result files appear whole or not at all: written beside their final name, flushed, renamed.
#pragma once
#include <string>

#include "interpreter/error.hpp"

namespace tiebreak {

/// What exists and is no regular file (a pipe, a device) is written directly. A full disk is Errc::io with the system's reason.
Status write_file(const std::string& path, const std::string& content);
/// The same for text on a descriptor that is open already (1: standard output).
Status write_descriptor(int descriptor, const std::string& content, const std::string& name);

}  // namespace tiebreak
