// SPDX-License-Identifier: Apache-2.0
// Text <-> tree. Parsing and printing round-trip; checking finds what needs no operand types.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

/// Reads the semantics text of a page. `text` has the page's own line numbers (prose blanked out), `file` names it in messages.
/// Errors are `what (file:line:column)`. Nesting is limited to 200 levels and the text to 1 MiB.
Result<Module> parse_module(std::string_view text, std::string name, std::string file);
/// One expression, for tests and tools.
Result<ExprPtr> parse_expression(std::string_view text, std::string file);

/// Canonical text; parse_module(print(m)) prints the same again.
std::string print(const Module& module);
std::string print(const Expr& expression);
std::string print(const Op& op);
std::string print(const Structure& structure);

/// Looks a used module up by name; nullptr if there is none.
using ModuleLookup = std::function<const Module*(const std::string&)>;
/// Static checks N01 (unknown names, with the nearest known one), N03 (defined twice, used above its definition, recursion, unused),
/// N04 (integer format without sat wrap trap), N07, N12, arity of calls. Returns all findings, empty if clean.
std::vector<Error> check_module(const Module& module, const ModuleLookup& lookup);

}  // namespace tiebreak::notation
