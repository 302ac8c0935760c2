// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/case/request.hpp"

namespace tiebreak {
namespace {

/// Choices of a used module and of those it uses, under the name the op gives them. `seen` ends circles.
void add_module(const Library& library, const notation::Module& module, const std::string& op, const std::string& prefix, std::set<std::string>& seen,
                std::vector<OpChoice>& choices) {
  if (!seen.insert(prefix + "|" + module.name).second) return;
  for (const notation::Choice& choice : module.choices) {
    std::string name = prefix + choice.name;
    choices.push_back({name, alternative_names(choice), op + "/" + name, module.name, prefix.empty() ? "" : prefix.substr(0, prefix.size() - 1), choice.name});
  }
  for (const notation::Use& use : module.uses) {
    const notation::Module* used = library.find_module(use.module);
    // An op names what its page uses directly; what that uses in turn keeps the alias it has there.
    if (used != nullptr) add_module(library, *used, op, use.alias + ".", seen, choices);
  }
}

/// Choices in the pages of systems whose alternatives the op or its page takes.
void add_systems(const Library& library, const notation::Choice& choice, const std::string& op, std::set<std::string>& seen, std::vector<OpChoice>& choices) {
  for (const notation::Alternative& alternative : choice.alternatives)
    for (const auto& [name, page] : library.pages())
      if (!alternative.file.empty() && page.file == alternative.file)
        add_module(library, page.module, op, name.substr(name.rfind('.') + 1) + ".", seen, choices);
}

}  // namespace

std::vector<OpChoice> choices_of(const Library& library, const std::string& op) {
  std::vector<OpChoice> choices;
  const auto place = library.op_place(op);
  if (!place) return choices;
  for (const notation::Statement& statement : place->op->statements) {
    if (const auto* choice = std::get_if<notation::Choice>(&statement))
      choices.push_back({choice->name, alternative_names(*choice), op + "/" + choice->name, "", "", choice->name});
  }
  std::set<std::string> seen;
  add_module(library, place->page->module, op, "", seen, choices);
  for (const notation::Statement& statement : place->op->statements)
    if (const auto* choice = std::get_if<notation::Choice>(&statement)) add_systems(library, *choice, op, seen, choices);
  for (const notation::Choice& choice : place->page->module.choices) add_systems(library, choice, op, seen, choices);
  return choices;
}

std::vector<std::string> clauses_of(const Semantics& semantics, const Program& program) {
  std::set<std::string> clauses;
  for (const Operation& operation : program.operations) {
    std::string prefix = program.operations.size() == 1 ? "" : operation.op + "/";
    for (const OpChoice& choice : choices_of(semantics.library, operation.op)) {
      const ProfileValue* bound = resolve_choice(semantics.profile, choice.module, operation.op, choice.alias, choice.own_name);
      if (bound != nullptr && !bound->alternative.empty()) clauses.insert(prefix + choice.name + "=" + bound->alternative);
    }
  }
  return {clauses.begin(), clauses.end()};
}

}  // namespace tiebreak
