// SPDX-License-Identifier: Apache-2.0
// From words to what is to be done. The option library stands behind this alone, and its own codes never escape.
#pragma once
#include <string>
#include <vector>

#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

/// Reads the words after the command's name into the targets of the options. The action of the verb they name, or one that prints what
/// --help or
/// --version asks for; an error with the nearest known word where they are wrong.
Result<Action> parse_line(const Verb& root, std::vector<std::string> words);

}  // namespace tiebreak::command
