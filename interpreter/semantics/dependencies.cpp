// SPDX-License-Identifier: Apache-2.0
// Names are followed without regard to locals that hide them: a formula too many is harmless, one too few is not.
#include "interpreter/semantics/dependencies.hpp"

#include <algorithm>
#include <iterator>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/semantics/profile_condition.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "interpreter/sha256.hpp"

namespace tiebreak {
namespace {

using namespace notation;

class Dependencies {
 public:
  Dependencies(const Semantics& semantics) : library_(semantics.library), profile_(semantics.profile) {}

  void add_op(const std::string& path) {
    if (!seen_.insert("op " + path).second) return;
    const auto found = library_.op_place(path);
    if (!found) {
      lines_.insert("no page has the op " + path);
      return;
    }
    const OpState state{path, found->op};
    const Place place{&state, found->page, true, "", {}};
    Op taken = *found->op;
    std::erase_if(taken.statements, [](const Statement& statement) { return std::holds_alternative<Claim>(statement); });
    for (Statement& statement : taken.statements) {
      if (auto* choice = std::get_if<Choice>(&statement)) restrict(*choice, place);
    }
    lines_.insert(found->page->name + ": " + print(taken));
    walk(taken, [&](const Expr& one) { expression(one, place); });
    for (const Statement& statement : taken.statements)
      if (const auto* stage = std::get_if<Stage>(&statement)) add_op(stage->op);
  }

  bool is_declared() const { return bound_ > 0 || choices_ == 0; }

  std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }

 private:
  struct OpState {
    std::string path;
    const Op* op;
  };
  /// Where names are looked up. A module has a place for each alias and the readings that go with it, as they decide which alternatives are taken.
  struct Place {
    const OpState* state;
    const Page* page;
    bool in_op;  ///< the choices of the op itself
    std::string alias;
    std::map<std::string, std::string> readings;

    std::string key() const {
      std::string text = state->path + " " + page->name + (alias.empty() ? "" : " as " + alias);
      for (const auto& [choice, alternative] : readings) text += " " + choice + "=" + alternative;
      return text;
    }
  };

  void expression(const Expr& one, const Place& place) {
    if (one.kind == ExprKind::data) return table(one.text, place);
    if (one.kind != ExprKind::number && one.kind != ExprKind::string) follow(one.text, place);
    for (const Modifier& modifier : one.modifiers) follow(modifier.name, place);
  }

  void body(const Body& body, const Place& place) {
    walk(body, [&](const Expr& one) { expression(one, place); });
  }

  void table(const std::string& name, const Place& place) {
    const auto found = place.page->tables.find(name);
    lines_.insert("data " + place.page->name + " " + name + " " + (found == place.page->tables.end() ? "" : found->second.digest));
  }

  void follow(const std::string& path, const Place& place) {
    if (path.empty()) return;
    const Place outside{place.state, place.page, false, place.alias, place.readings};
    member(path, outside);
    const auto [prefix, last] = split_last(path);
    if (prefix.empty()) return;
    member(std::string(split_first(path).first), outside);  // total.type
    for (const Use& use : place.page->module.uses) {
      if (use.alias != prefix && use.module != prefix) continue;
      const auto used = library_.pages().find(use.module);
      if (used != library_.pages().end()) member(std::string(last), {place.state, &used->second, false, use.alias, {use.readings.begin(), use.readings.end()}});
      return;
    }
    const auto used = library_.pages().find(std::string(prefix));
    if (used != library_.pages().end()) member(std::string(last), {place.state, &used->second, false, std::string(split_last(prefix).second), {}});
  }

  void member(const std::string& name, const Place& place) {
    if (!seen_.insert(place.key() + ": " + name).second) return;
    for (const Definition& one : place.page->module.definitions)
      if (one.name == name) {
        lines_.insert(place.key() + ": " + print(module_of(&Module::definitions, one)));
        body(one.body, place);
      }
    for (const Choice& one : place.page->module.choices)
      if (one.name == name) {
        Choice taken = one;
        restrict(taken, place);
        lines_.insert(place.key() + ": " + print(module_of(&Module::choices, taken)));
      }
  }

  template <class Part>
  static Module module_of(std::vector<Part> Module::*list, const Part& part) {
    Module module;
    (module.*list).push_back(part);
    return module;
  }

  /// Leaves the alternatives that may be taken, and enters them.
  void restrict(Choice& choice, const Place& place) {
    const std::vector<std::string> names = taken(choice, place);
    std::erase_if(choice.alternatives, [&](const Alternative& one) { return std::ranges::find(names, one.name) == names.end(); });
    for (const Alternative& one : choice.alternatives) {
      body(one.body, place);
      tables_beside(one);
    }
  }

  /// Names of an alternative are those of its choice's page, wherever it stands; its data files lie beside the page where it stands.
  void tables_beside(const Alternative& one) {
    if (one.file.empty()) return;  // beside its choice, whose page has them
    for (const auto& [name, page] : library_.pages())
      if (page.file == one.file)
        for (const auto& [table, data] : page.tables) lines_.insert("data " + name + " " + table + " " + data.digest);
  }

  /// The alternatives that may be taken; what a profile binds the choice to becomes a line where it is more than one.
  std::vector<std::string> taken(const Choice& choice, const Place& place) {
    ++choices_;
    const std::string head = place.key() + ": " + choice.name + " is ";
    const ProfileValue* bound = resolve_choice(profile_, place.in_op ? "" : place.page->name, place.state->path, place.alias, choice.name);
    if (bound == nullptr) return {unbound_alternative(choice, place.readings)};
    ++bound_;
    if (bound->condition) return conditional(*bound, head, place);
    if (bound->any.empty()) return {bound->alternative};
    const std::vector<std::string> any = open_alternatives(*bound, alternative_names(choice));
    std::string line = head + "any";
    for (const std::string& one : any) line += " " + one;
    lines_.insert(line);
    return any;
  }

  std::vector<std::string> conditional(const ProfileValue& bound, const std::string& head, const Place& place) {
    if (!speaks_of(*bound.condition, *place.state->op)) return {bound.otherwise};
    lines_.insert(head + bound.then + " if " + print(*bound.condition) + " else " + bound.otherwise);
    return {bound.then, bound.otherwise};
  }

  const Library& library_;
  const Profile& profile_;
  std::set<std::string> seen_{}, lines_{};
  std::size_t choices_ = 0, bound_ = 0;  ///< reached, and of those bound by the profile
};

}  // namespace

std::string dependencies(const Semantics& semantics, const std::string& op) {
  Dependencies all(semantics);
  all.add_op(op);
  return all.text();
}

std::map<std::string, std::string> dependency_hashes(const Semantics& semantics, const std::set<std::string>& ops) {
  std::map<std::string, std::string> hashes;
  for (const std::string& op : ops) hashes.emplace(op, short_hash(dependencies(semantics, op)));
  return hashes;
}

bool is_declared(const Semantics& semantics, const std::string& op) {
  if (semantics.profile.is_text) return true;
  Dependencies all(semantics);
  all.add_op(op);
  return all.is_declared();
}

std::vector<std::string> undeclared_ops(const Semantics& semantics, const std::set<std::string>& ops) {
  std::vector<std::string> silent;
  std::ranges::copy_if(ops, std::back_inserter(silent), [&](const std::string& op) { return !is_declared(semantics, op); });
  return silent;
}

std::string undeclared_text(const Semantics& semantics, const std::set<std::string>& ops) {
  const std::vector<std::string> silent = undeclared_ops(semantics, ops);
  if (silent.empty()) return "";
  constexpr std::size_t most_named = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(silent.size(), most_named); ++i) names += (i == 0 ? "" : ", ") + silent[i];
  if (silent.size() > most_named) names += " and " + std::to_string(silent.size() - most_named) + " more";
  return "profile " + semantics.profile.name + " says nothing of " + names + ": the pages' own readings are computed";
}

std::string joined_hash(const std::map<std::string, std::string>& hashes) {
  if (hashes.size() == 1) return hashes.begin()->second;
  std::string text;
  for (const auto& [op, hash] : hashes) text += op + " " + hash + "\n";
  return short_hash(text);
}

}  // namespace tiebreak
