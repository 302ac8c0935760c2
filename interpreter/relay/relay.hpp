// SPDX-License-Identifier: Apache-2.0
// Programs as TVM's Relay prints them, and texts that may be Relay or MLIR.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak {

/// Whether a text begins as Relay does, with `#[version`, `def`, `fn`, `let` or `free_var`; no MLIR text begins so.
bool is_relay(std::string_view text);

/// Relay text: `def @main(...) {...}`, a `fn (...) {...}`, or an expression behind its free variables. Operators become `relay.NAME`, those of
/// the dialect qnn `qnn.NAME`. Functions that others call stand in their place and are no programs. Limits as for MLIR.
Result<ParsedMlir> parse_relay(std::string_view text, const std::string& file, int first_line = 1);
/// The same for a collection: a function that cannot be read does not keep the others from being read.
std::vector<MlirFunction> parse_relay_functions(std::string_view text, const std::string& file, int first_line = 1);

/// A program's text in either language: Relay where the file is called *.relay or the text begins so.
Result<ParsedMlir> parse_program(std::string_view text, const std::string& file, int first_line = 1);
std::vector<MlirFunction> parse_program_functions(std::string_view text, const std::string& file, int first_line = 1);

}  // namespace tiebreak
