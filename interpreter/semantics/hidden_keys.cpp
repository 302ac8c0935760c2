// SPDX-License-Identifier: Apache-2.0
#include "interpreter/semantics/hidden_keys.hpp"

#include <algorithm>

#include "interpreter/notation/walk.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/semantics/profile_loader.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

using Entries = std::set<ModulesInReach::Entry>;

/// What a page names of other pages: by `use`, or by a full path.
Entries named_by(const Page& page, const Library& library) {
  Entries named;
  for (const notation::Use& use : page.module.uses) named.insert({use.module, use.alias});
  const auto add = [&](const std::string& path) {
    const std::string prefix(notation::split_last(path).first);
    if (!prefix.empty() && library.find_module(prefix) != nullptr) named.insert({prefix, std::string(notation::split_last(prefix).second)});
  };
  notation::walk(page.module, [&](const notation::Expr& one) {
    if (one.kind == notation::ExprKind::name || one.kind == notation::ExprKind::call) add(one.text);
    for (const notation::Modifier& modifier : one.modifiers) add(modifier.name);
  });
  return named;
}

/// The key by which an op alone binds the choice of a module that it reaches so.
std::string key_of_op(const std::string& op, const std::string& alias, const std::string& choice) {
  return op + "/" + (alias.empty() ? "" : alias + ".") + choice;
}

/// A key `module/choice` counts where no key of the op does. Empty if it counts somewhere, or if no op reaches the module; else the keys that hide it.
std::vector<std::string> hiding(const Profile& profile, const ChoicePlace& place, const Library& library, const ModulesInReach& reach) {
  std::vector<std::string> keys;
  for (const auto& [op, its_place] : library.ops())
    for (const auto& [module, alias] : reach.of_op(op)) {
      if (module != place.module->name) continue;
      std::string key = key_of_op(op, alias, place.choice->name);
      if (!profile.choices.contains(key)) return {};
      keys.push_back(std::move(key));
    }
  return keys;
}

}  // namespace

ModulesInReach::ModulesInReach(const Library& library) {
  std::map<std::string, Entries> named;
  for (const auto& [name, page] : library.pages()) named.emplace(name, named_by(page, library));
  for (const auto& [op, place] : library.ops()) {
    const std::string& page = place.page->name;
    Entries& reached = by_op_[op];
    reached.insert({page, ""});
    std::vector<std::string> open{page};
    std::set<std::string> seen{page};
    while (!open.empty()) {
      const auto found = named.find(open.back());
      open.pop_back();
      if (found == named.end()) continue;
      for (const Entry& entry : found->second) {
        reached.insert(entry);
        if (seen.insert(entry.module).second) open.push_back(entry.module);
      }
    }
  }
}

const Entries& ModulesInReach::of_op(const std::string& op) const {
  static const Entries none;
  const auto found = by_op_.find(op);
  return found == by_op_.end() ? none : found->second;
}

void check_hidden_keys(const Profile& profile, const std::vector<std::string>& own, const Library& library, const ModulesInReach& reach,
                       std::vector<Error>& findings) {
  for (const std::string& key : own) {
    const Result<ChoicePlace> place = find_choice(library, key);
    if (!place) continue;  // reported before
    if (place->op != nullptr) {
      const std::string word = key.substr(key.find('/') + 1), alias(notation::split_last(word).first);
      if (alias.empty() || reach.of_op(place->op->path).contains({place->module->name, alias})) continue;
      findings.push_back({Errc::unknown_name, "N11 no formula of '" + place->op->path + "' reaches '" + word + "'", choice_place(profile.file, key),
                          "'" + place->module->name + "/" + place->choice->name + "' holds wherever the module is used"});
      continue;
    }
    const std::vector<std::string> keys = hiding(profile, *place, library, reach);
    if (keys.empty()) continue;
    findings.push_back({Errc::syntax,
                        "N11 '" + key + "' has no effect: '" + keys.front() + "'" +
                            (keys.size() > 1 ? " and " + std::to_string(keys.size() - 1) + " more hide it" : " hides it"),
                        choice_place(profile.file, key), "a key of an op goes before that of the module; leave one of them out"});
  }
}

}  // namespace tiebreak
