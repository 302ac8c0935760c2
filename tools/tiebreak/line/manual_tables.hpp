// SPDX-License-Identifier: Apache-2.0
// What the manual page says that no option says: exit codes, variables of the environment, files. A test compares these with docs/.
#pragma once
#include <vector>

namespace tiebreak::command {

struct ManualEntry {
  const char* name;
  const char* text;
};

const std::vector<ManualEntry>& exit_codes();
const std::vector<ManualEntry>& environment_variables();
const std::vector<ManualEntry>& files();

}  // namespace tiebreak::command
