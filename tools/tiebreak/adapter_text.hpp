// SPDX-License-Identifier: Apache-2.0
// What the command line says of how an adapter is run, on every subcommand that takes a backend.
#pragma once
#include <string>
#include <vector>

#include "testsuite/backends/backend.hpp"

namespace tiebreak::command {

/// As typed: empty is the default.
struct AdapterText {
  std::vector<std::string> options;  ///< of --backend-option
  std::string timeout;               ///< seconds
  std::string memory;                ///< MiB
};
/// An interrupt of the command reaches the adapter.
Result<BackendOptions> to_backend_options(const AdapterText& text);

}  // namespace tiebreak::command
