// SPDX-License-Identifier: Apache-2.0
// The command's own tables as plain rows: the manual page and the completions are made from these, so they cannot miss an option.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tiebreak::command {

struct OptionRow {
  std::vector<std::string> names{};  ///< --jobs, -j; of a positional its name alone
  std::string value{};               ///< what it takes, as --help writes it: FILE; "" for a flag
  std::string help{};
  bool by_equals_only = false;  ///< --json=FILE
  bool may_repeat = false;
  bool is_required = false;
};

struct CommandRow {
  std::string name{};                   ///< diff
  std::string path{};                   ///< tiebreak report diff
  std::string help{}, footer{};         ///< footer: "" where it is the parent's
  std::vector<OptionRow> options{}, positionals{};
  std::vector<CommandRow> verbs{};
};

/// Verbs and options that --help hides are left out.
CommandRow table_of(const CLI::App& app);

}  // namespace tiebreak::command
