// SPDX-License-Identifier: Apache-2.0
// The command line as data: verbs with their options, and where a word goes that stands behind one. The parser, the manual page and the
// completions are made from the same tables, so none can miss an option.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak::command {

/// Runs a parsed verb; the value is the exit code.
using Action = std::function<Result<int>()>;

struct Option {
  /// Set to true, to the word given, or to every word given; the parser's own options (--help) have none.
  using Target = std::variant<std::monostate, bool*, std::string*, std::vector<std::string>*>;

  std::vector<std::string> names{};  ///< --jobs, -j; of a positional its name alone
  std::string value{};               ///< what it takes, as --help writes it: FILE; "" for a flag
  std::string help{};
  Target target{};
  bool by_equals_only = false;  ///< --json=FILE
  bool is_required = false;

  /// `=FILE` where only `--name=FILE` is read.
  Option* type_name(const std::string& word);
  Option* required();
  bool is_positional() const { return !names.front().starts_with("-"); }
  bool may_repeat() const { return std::holds_alternative<std::vector<std::string>*>(target); }
};

struct Verb {
  std::string name{};  ///< diff
  std::string path{};  ///< tiebreak report diff
  std::string help{};
  std::optional<std::string> footer{};  ///< below the options; its parent's where it has none
  std::deque<Option> options{}, positionals{};
  std::deque<Verb> verbs{};
  Action action{};  ///< nothing where a further verb must follow

  /// With --help and --version.
  static Verb root(const std::string& name, const std::string& help);
  Verb* add_subcommand(const std::string& name, const std::string& help);
  /// `names` as --help writes them: "-j,--jobs"; without dashes a positional. What a target belongs to must live as long as the action.
  Option* add_option(const std::string& names, std::string& target, const std::string& help);
  Option* add_option(const std::string& names, std::vector<std::string>& target, const std::string& help);
  Option* add_flag(const std::string& names, bool& target, const std::string& help);

 private:
  Option* add(const std::string& names, Option option);
  void add_help();
};

}  // namespace tiebreak::command
