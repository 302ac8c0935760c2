// SPDX-License-Identifier: Apache-2.0
// What the subcommands share: exit codes, the spec folder in use, options that select cases, numbers as words.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/semantics/library.hpp"
#include "testsuite/sources/selection.hpp"
#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

/// Exit codes that do not come from a report (docs/exit-codes.md).
enum ExitCode { success = 0, finding = 1, bad_input = 2, internal_error = 3, nothing_selected = 4, inconclusive = 5 };
int exit_code_of(const Error& error);

/// The command line as typed, for reports. Set once by main.
const std::string& command_line();
/// The same without an option and its value: `--resume` changes nothing of what is found.
std::string command_line_without(const std::string& option);
void set_command_line(int argc, const char* const* argv);

/// Loads the spec folder in use.
Result<std::shared_ptr<const Library>> load_library();

/// `profile p says nothing of OP: ...` behind `mark`, the first line of what a verb prints; "" where the profile says something of every op.
std::string undeclared_line(const Semantics& semantics, const std::set<std::string>& ops, const std::string& mark = {});
std::set<std::string> ops_of_cases(const std::vector<Case>& cases);

/// Options that select cases, on every subcommand that takes sources.
struct SelectionText {
  std::vector<std::string> sources;
  std::vector<std::string> globs;
  std::string most;
  std::string seed;
  std::vector<std::string> shapes{};  ///< of inputs that a model leaves open
};
void add_selection(Verb& app, SelectionText& text, bool positional = true);
Result<Selection> to_selection(const SelectionText& text);

/// Numbers are taken as text and read here: the option library reads 010 as 8.
Result<std::uint64_t> parse_count(const std::string& text, const std::string& option);
/// `--axis`: a whole number, negative from the end; "" is none.
Result<std::optional<std::int64_t>> parse_axis(const std::string& text);
/// `--show N`, `--show all`.
Result<std::size_t> parse_show(const std::string& text);
/// `-j N`, `-j auto`.
Result<int> parse_jobs(const std::string& text);
Result<EvaluateOptions> parse_engine(const std::string& text);
Result<double> parse_seconds(const std::string& text, const std::string& option);

}  // namespace tiebreak::command
