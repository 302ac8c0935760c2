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

/// Opens `onednn --isa AVX2`: a name or path, and behind it, in the same word, options of the adapter's own. They follow those of --backend-option. A
/// word that is the path of a file is that path, whatever stands in it.
Result<std::unique_ptr<Backend>> open_backend(const std::string& word, BackendOptions options);

}  // namespace tiebreak::command
