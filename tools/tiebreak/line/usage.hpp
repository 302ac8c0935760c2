// SPDX-License-Identifier: Apache-2.0
// Command lines that are wrong: one message, the nearest known word, exit 2.
#pragma once
#include <string>
#include <vector>

#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

/// The verb of that name below another; nullptr where there is none.
const Verb* find_verb(const Verb& parent, const std::string& name);
/// An error for a first word that is no verb, at any level of verbs, and for a verb that is missing.
Status known_verbs(const Verb& root, const std::vector<std::string>& words);
/// The error for an option or an argument that a verb does not take.
Error unknown_word(const Verb& verb, const std::string& word);

}  // namespace tiebreak::command
