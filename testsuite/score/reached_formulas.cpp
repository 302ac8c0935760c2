// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/reached_formulas.hpp"

#include <algorithm>
#include <set>

#include "interpreter/notation/rewrite.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

using namespace notation;

class Reach {
 public:
  Reach(const Semantics& semantics, const std::string& op_path) : library_(semantics.library), profile_(semantics.profile), op_path_(op_path) {}

  Result<std::map<std::string, ReachedModule>> run() {
    TIEBREAK_TRY(place, library_.find_op(op_path_));
    ReachedModule& page = module(place.page->module);
    for (const Op& op : page.module->ops) {
      if (op.path != op_path_) continue;
      page.formulas.op = &op;
      const Place inside{&page, &op, "", {}};
      for (const Operand& operand : op.operands)
        if (operand.default_value) page.formulas.defaults.push_back(operand.default_value);
      for (const Statement& statement : op.statements) enter(statement, inside);
    }
    return std::move(reached_);
  }

 private:
  /// Where names are looked up: the module, the op if the formula is the op's, the alias by which the module was entered.
  struct Place {
    ReachedModule* module;
    const Op* op;
    std::string alias;
    std::map<std::string, std::string> readings;
  };

  ReachedModule& module(const Module& original) {
    auto [found, fresh] = reached_.try_emplace(original.name);
    if (fresh) found->second.module = std::make_shared<const Module>(expand_each(original));
    return found->second;
  }

  /// Lets and the structure of the op. Its definitions and choices are entered where they are named.
  void enter(const Statement& statement, const Place& place) {
    if (const auto* let = std::get_if<Let>(&statement)) body(let->body, {}, place);
    if (const auto* structure = std::get_if<Structure>(&statement))
      for (const Argument& argument : structure->arguments) {
        if (!argument.value) continue;
        place.module->formulas.pads.push_back(argument.value);
        names(*argument.value, {}, place);
      }
    if (const auto* alias = std::get_if<TypeAlias>(&statement)) names(*alias->value, {}, place);  // reached, but no arithmetic
  }

  void body(const Body& body, const std::vector<std::string>& parameters, const Place& place) {
    if (!seen_.insert(&body).second) return;
    place.module->formulas.bodies.push_back(&body);
    std::set<std::string> locals(parameters.begin(), parameters.end());
    for (const Binding& binding : body.where) {
      names(*binding.value, locals, place);
      locals.insert(binding.targets.begin(), binding.targets.end());
    }
    names(*body.value, locals, place);
  }

  void names(const Expr& expression, const std::set<std::string>& locals, const Place& place) {
    walk(expression, [&](const Expr& one) {
      if (one.kind == ExprKind::name || one.kind == ExprKind::call) follow(one.text, locals, place);
      for (const Modifier& modifier : one.modifiers) follow(modifier.name, locals, place);
    });
  }

  void follow(const std::string& path, const std::set<std::string>& locals, const Place& place) {
    if (locals.contains(path)) return;
    if (place.op != nullptr)
      for (const Statement& statement : place.op->statements) {
        if (const auto* one = std::get_if<Definition>(&statement); one != nullptr && one->name == path) return definition(*one, place);
        if (const auto* one = std::get_if<Choice>(&statement); one != nullptr && one->name == path) return choice(*one, place);
      }
    const Place outside{place.module, nullptr, place.alias, place.readings};
    if (in_module(path, outside)) return;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos || locals.contains(path.substr(0, path.find('.')))) return;
    const std::string prefix = path.substr(0, dot);
    for (const Use& use : place.module->module->uses)
      if (use.alias == prefix || use.module == prefix) {
        if (const Module* used = library_.find_module(use.module))
          in_module(path.substr(dot + 1), {&module(*used), nullptr, use.alias, {use.readings.begin(), use.readings.end()}});
        return;
      }
    if (const Module* used = library_.find_module(prefix)) in_module(path.substr(dot + 1), {&module(*used), nullptr, prefix.substr(prefix.rfind('.') + 1), {}});
  }

  bool in_module(const std::string& name, const Place& place) {
    for (const Definition& one : place.module->module->definitions)
      if (one.name == name) return definition(one, place), true;
    for (const Choice& one : place.module->module->choices)
      if (one.name == name) return choice(one, place), true;
    return false;
  }

  void definition(const Definition& one, const Place& place) { body(one.body, one.parameters, place); }

  void choice(const Choice& one, const Place& place) {
    std::set<std::string> allowed;
    for (const std::string& name : taken(one, place, allowed)) {
      const auto found = std::ranges::find(one.alternatives, name, &Alternative::name);
      if (found == one.alternatives.end()) continue;
      if (seen_.contains(&found->body)) continue;
      place.module->formulas.taken.push_back({&one, &*found, allowed});
      body(found->body, one.parameters, place);
    }
  }

  /// The alternatives the profile may take; `allowed` becomes those that an open choice lets stand beside.
  std::vector<std::string> taken(const Choice& one, const Place& place, std::set<std::string>& allowed) const {
    const ProfileValue* bound = resolve_choice(profile_, place.op != nullptr ? "" : place.module->module->name, op_path_, place.alias, one.name);
    if (bound == nullptr) return {unbound_alternative(one, place.readings)};
    if (bound->condition) return {bound->then, bound->otherwise};
    if (bound->any.empty()) return {bound->alternative};
    const std::vector<std::string> open = open_alternatives(*bound, alternative_names(one));
    allowed.insert(open.begin(), open.end());
    return {open.front()};
  }

  const Library& library_;
  const Profile& profile_;
  const std::string& op_path_;
  std::map<std::string, ReachedModule> reached_{};
  std::set<const Body*> seen_{};
};

}  // namespace

Result<std::map<std::string, ReachedModule>> reach(const Semantics& semantics, const std::string& op) { return Reach(semantics, op).run(); }

}  // namespace tiebreak
