// SPDX-License-Identifier: Apache-2.0
// What may stand where --help writes FILE, PROFILE or BACKEND, for the shells' completion.
#pragma once
#include <string>
#include <vector>

namespace tiebreak::command {

struct Candidates {
  std::vector<std::string> words{};
  bool files = false;  ///< the shell's own file names, too
};

/// `kind` as --help writes it. `prefix` is what is typed so far: ids are offered op by op before they are offered one by one.
Candidates candidates_of(const std::string& kind, const std::string& prefix);

}  // namespace tiebreak::command
