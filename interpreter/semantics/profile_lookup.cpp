// SPDX-License-Identifier: Apache-2.0
#include "interpreter/semantics/profile_lookup.hpp"

#include <algorithm>
#include <variant>

namespace tiebreak {
namespace {

using notation::Choice;
using notation::Module;
using notation::Op;

const Choice* choice_of(const Module& module, const std::string& name) {
  const auto found = std::ranges::find(module.choices, name, &Choice::name);
  return found == module.choices.end() ? nullptr : &*found;
}

const Choice* choice_of(const Op& op, const std::string& name) {
  for (const notation::Statement& statement : op.statements)
    if (const auto* choice = std::get_if<Choice>(&statement); choice != nullptr && choice->name == name) return choice;
  return nullptr;
}

/// The module that is called `alias` in `page` or in a module it uses, else the one whose last word it is.
const Module* module_called(const Library& library, const Module& page, const std::string& alias) {
  std::vector<const Module*> reached{&page};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const notation::Use& use : reached[i]->uses) {
      const Module* used = library.find_module(use.module);
      if (used == nullptr) continue;
      if (use.alias == alias) return used;
      if (std::ranges::find(reached, used) == reached.end()) reached.push_back(used);
    }
  for (const auto& [name, one] : library.pages())
    if (name == alias || name.ends_with("." + alias)) return &one.module;
  return nullptr;
}

std::vector<std::string> choice_names(const Module& module, const Op* op) {
  std::vector<std::string> names;
  for (const Choice& choice : module.choices) names.push_back(choice.name);
  if (op != nullptr)
    for (const notation::Statement& statement : op->statements)
      if (const auto* choice = std::get_if<Choice>(&statement)) names.push_back(choice->name);
  return names;
}

tl::unexpected<Error> unknown_choice(const std::string& owner, const std::string& prefix, const std::string& word, const std::vector<std::string>& names) {
  const std::string near = nearest(word, names);
  return fail(Errc::unknown_name, "N11 '" + owner + "' has no choice '" + word + "'", {}, near.empty() ? "" : "did you mean '" + prefix + near + "'?");
}

}  // namespace

const ProfileValue* resolve_choice(const Profile& profile, const std::string& module_name, const std::string& op_path, const std::string& alias,
                                   const std::string& choice_name) {
  const auto bound = [&](const std::string& key) -> const ProfileValue* {
    const auto found = profile.choices.find(key);
    return found == profile.choices.end() ? nullptr : &found->second;
  };
  if (!op_path.empty())
    if (const ProfileValue* value = bound(op_path + "/" + (alias.empty() ? "" : alias + ".") + choice_name)) return value;
  return module_name.empty() ? nullptr : bound(module_name + "/" + choice_name);
}

std::string unbound_alternative(const Choice& choice, const std::map<std::string, std::string>& readings) {
  const auto reading = readings.find(choice.name);
  return reading == readings.end() ? choice.alternatives.front().name : reading->second;
}

std::vector<std::string> alternative_names(const Choice& choice) {
  std::vector<std::string> names;
  for (const notation::Alternative& one : choice.alternatives) names.push_back(one.name);
  return names;
}

std::vector<std::string> open_alternatives(const ProfileValue& bound, const std::vector<std::string>& all) {
  return !bound.any.empty() && bound.any.front() == "*" ? all : bound.any;
}

Result<ChoicePlace> find_choice(const Library& library, const std::string& key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string::npos)
    return fail(Errc::unknown_name, "N11 '" + key + "' is no choice key", {}, "keys are module/choice, op/choice and op/alias.choice");
  const std::string owner = key.substr(0, slash), word = key.substr(slash + 1);
  const std::size_t dot = word.rfind('.');
  if (const auto place = library.op_place(owner)) {
    const Module& page = place->page->module;
    if (dot == std::string::npos) {
      if (const Choice* choice = choice_of(*place->op, word)) return ChoicePlace{&page, place->op, choice};
      if (const Choice* choice = choice_of(page, word)) return ChoicePlace{&page, place->op, choice};
      if (library.find_module(owner) == nullptr || library.find_module(owner) == &page)
        return unknown_choice(owner, owner + "/", word, choice_names(page, place->op));
    } else {
      const std::string alias = word.substr(0, dot), name = word.substr(dot + 1);
      const Module* used = module_called(library, page, alias);
      if (used == nullptr) return fail(Errc::unknown_name, "N11 '" + owner + "' uses no module as '" + alias + "'");
      if (const Choice* choice = choice_of(*used, name)) return ChoicePlace{used, place->op, choice};
      return unknown_choice(used->name, owner + "/" + alias + ".", name, choice_names(*used, nullptr));
    }
  }
  if (const Module* module = library.find_module(owner)) {
    if (const Choice* choice = choice_of(*module, word)) return ChoicePlace{module, nullptr, choice};
    return unknown_choice(owner, owner + "/", word, choice_names(*module, nullptr));
  }
  std::vector<std::string> owners = library.op_paths();
  for (const auto& entry : library.pages()) owners.push_back(entry.first);
  const std::string near = nearest(owner, owners);
  return fail(Errc::unknown_name, "N11 no op or module '" + owner + "'", {}, near.empty() ? "" : "did you mean '" + near + "'?");
}

std::vector<std::string> choice_keys(const Library& library) {
  std::vector<std::string> keys;
  for (const auto& [name, page] : library.pages()) {
    for (const Choice& choice : page.module.choices) keys.push_back(name + "/" + choice.name);
    for (const Op& op : page.module.ops)
      for (const notation::Statement& statement : op.statements)
        if (const auto* choice = std::get_if<Choice>(&statement)) keys.push_back(op.path + "/" + choice->name);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace tiebreak
