// SPDX-License-Identifier: Apache-2.0
// Command lines that are wrong: one message, the nearest known word, exit 2. The option library's own codes never escape.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tiebreak::command {

/// A bare `--json` means standard output; written so that it cannot swallow the next argument.
std::vector<std::string> prepare_arguments(int argc, const char* const* argv);
/// The error for a first word that is no subcommand, at any level of verbs; nullopt if the verbs are known.
std::optional<Error> unknown_verb(const CLI::App& app, const std::vector<std::string>& arguments);
/// The error behind what the option library threw.
Error usage_error(const CLI::App& app, const CLI::ParseError& thrown);

}  // namespace tiebreak::command
