// SPDX-License-Identifier: Apache-2.0
// Choice keys: `module/choice`, `op/choice`, `op/alias.choice`. Which choice a key names, and what a profile says of a choice.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// What the profile binds a choice to; nullptr: nothing, the page's own reading holds. Of the keys that match the longest wins.
/// `alias` is as which the op's page (or a module that it uses) calls `module_name`, "" for the op's own page and its own choices;
/// then `op/choice` counts. With an alias `op/alias.choice` counts. `module/choice` counts for both, where `module_name` is not "".
const ProfileValue* resolve_choice(const Profile& profile, const std::string& module_name, const std::string& op_path, const std::string& alias,
                                   const std::string& choice_name);

/// What is taken where no key binds the choice: of a module's choice the reading that `use` states, else the first alternative. `readings`: by choice, of
/// the way in which the module is used; none for the choices of an op.
std::string unbound_alternative(const notation::Choice& choice, const std::map<std::string, std::string>& readings);
std::vector<std::string> alternative_names(const notation::Choice& choice);
/// The alternatives that the profile lets a choice be, of `all` that it has: the one that a single value is computed with first. Empty where one is bound.
std::vector<std::string> open_alternatives(const ProfileValue& bound, const std::vector<std::string>& all);

struct ChoicePlace {
  const notation::Module* module = nullptr;  ///< that has the choice
  const notation::Op* op = nullptr;          ///< the op the key is about; nullptr for `module/choice`
  const notation::Choice* choice = nullptr;
};
/// The choice a key names; N11 with the nearest key if there is none.
Result<ChoicePlace> find_choice(const Library& library, const std::string& key);

/// Every choice once, under its own key (`module/choice`, `op/choice`), sorted.
std::vector<std::string> choice_keys(const Library& library);

}  // namespace tiebreak
