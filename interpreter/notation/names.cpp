// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/names.hpp"

#include <algorithm>

#include "interpreter/notation/lexer.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

/// Fills one table and reports N03: a word of the notation, a name that is taken.
class Declarer {
 public:
  Declarer(Names& names, std::vector<Error>& findings) : names_(names), findings_(findings) {}

  void add(const std::string& name, Named named) {
    if (is_reserved(name)) {
      report("'" + name + "' is a word of the notation and cannot be " + std::string(to_text(named.role)), named.at);
      return;
    }
    const auto outer = names_.outer != nullptr ? names_.outer->table.find(name) : names_.table.end();
    if (names_.outer != nullptr && outer != names_.outer->table.end()) report_twice(name, named.at, outer->second);
    if (const auto [found, fresh] = names_.table.emplace(name, named); !fresh) report_twice(name, named.at, found->second);
  }

  void add_let(const Let& let) {
    for (const std::string& target : let.targets) {
      auto found = names_.table.find(target);
      if (found != names_.table.end() && found->second.role == Role::result && found->second.let == nullptr) found->second.let = &let;
      else add(target, {.role = Role::let, .at = let.at, .let = &let});
    }
  }

  void add_stage(const Stage& stage) {
    for (const std::string& target : stage.targets) {
      auto found = names_.table.find(target);
      if (found != names_.table.end() && found->second.role == Role::result && found->second.let == nullptr) found->second.role = Role::stage;
      else add(target, {.role = Role::stage, .at = stage.at});
    }
  }

 private:
  void report(const std::string& what, Position at) { findings_.push_back({Errc::syntax, "N03 " + what, place(names_.module->file, at), {}}); }
  void report_twice(const std::string& name, Position at, const Named& first) {
    report("'" + name + "' is defined twice, first as " + std::string(to_text(first.role)) + " in line " + std::to_string(first.at.line), at);
  }

  Names& names_;
  std::vector<Error>& findings_;
};

struct StatementNames {
  Declarer& declare;
  void operator()(const TypeVariables& types) const {
    for (const auto& [name, words] : types.variables) declare.add(name, {.role = Role::type_variable, .at = types.at, .types = &words});
  }
  void operator()(const TypeAlias& alias) const { declare.add(alias.name, {.role = Role::type_alias, .at = alias.at, .alias = &alias}); }
  void operator()(const Stage& stage) const { declare.add_stage(stage); }
  void operator()(const Let& let) const { declare.add_let(let); }
  void operator()(const Definition& one) const { declare.add(one.name, {.role = Role::definition, .at = one.at, .definition = &one}); }
  void operator()(const Choice& one) const { declare.add(one.name, {.role = Role::choice, .at = one.at, .choice = &one}); }
  void operator()(const Structure&) const {}
  void operator()(const Constraint&) const {}
  void operator()(const Claim&) const {}
};

/// The type words of a header that no `types` line lists.
std::vector<std::pair<std::string_view, Position>> undeclared_types(const Op& op, const Names& names) {
  std::vector<std::pair<std::string_view, Position>> words;
  const auto add = [&](const std::string& word, Position at) {
    if (!is_format_word(word) && !contains(family_words(), word) && names.find(word).named == nullptr) words.emplace_back(word, at);
  };
  for (const auto* list : {&op.operands, &op.attributes, &op.results})
    for (const Operand& operand : *list) {
      for (const std::string& word : operand.types) add(word, operand.at);
      if (operand.quantized) add(operand.quantized->first, operand.at);
      if (operand.quantized) add(operand.quantized->second, operand.at);
    }
  return words;
}

/// A capital word that stands twice in the header and in no `types` line ties types together and may be any type.
void declare_any_types(const Op& op, Names& names) {
  const auto words = undeclared_types(op, names);
  for (const auto& [word, at] : words) {
    const auto same = [&, name = word](const auto& other) { return other.first == name; };
    if (word.front() >= 'A' && word.front() <= 'Z' && std::ranges::count_if(words, same) > 1 && !names.table.contains(word))
      names.table.emplace(word, Named{.role = Role::type_variable, .at = at});
  }
}

}  // namespace

std::string_view to_text(Role role) {
  switch (role) {
    using enum Role;
    case operand: return "an operand";
    case attribute: return "an attribute";
    case result: return "a result";
    case stage: return "the result of a stage";
    case type_variable: return "a type variable";
    case type_alias: return "a type";
    case let: return "a name";
    case definition: return "a definition";
    case choice: return "a choice";
    case region: return "a region";
  }
  return "a name";
}

const void* Named::formula() const {
  if (let != nullptr) return let;
  if (definition != nullptr) return definition;
  if (choice != nullptr) return choice;
  return alias;
}

Names::Found Names::find(std::string_view name) const {
  for (const Names* names = this; names != nullptr; names = names->outer)
    if (auto found = names->table.find(name); found != names->table.end()) return {&found->second, names};
  return {};
}

Names names_of(const Module& module, std::vector<Error>& findings) {
  Names names;
  names.module = &module;
  Declarer declare(names, findings);
  const StatementNames statement{declare};
  for (const Definition& definition : module.definitions) statement(definition);
  for (const Choice& choice : module.choices) statement(choice);
  return names;
}

Names names_of(const Op& op, const Names& module, std::vector<Error>& findings) {
  Names names;
  names.module = module.module;
  names.op = &op;
  names.outer = &module;
  Declarer declare(names, findings);
  for (const Operand& operand : op.operands) declare.add(operand.name, {.role = Role::operand, .at = operand.at, .operand = &operand});
  for (const Operand& attribute : op.attributes) declare.add(attribute.name, {.role = Role::attribute, .at = attribute.at, .operand = &attribute});
  for (const std::string& region : op.regions) declare.add(region, {.role = Role::region, .at = op.at});
  for (const Operand& result : op.results) declare.add(result.name, {.role = Role::result, .at = result.at, .operand = &result});
  for (const Statement& statement : op.statements) std::visit(StatementNames{declare}, statement);
  declare_any_types(op, names);
  return names;
}

const Local* Frame::local(std::string_view name) const {
  const auto found = std::find_if(locals.rbegin(), locals.rend(), [&](const Local& one) { return one.name == name; });
  return found == locals.rend() ? nullptr : &*found;
}

Meaning Resolver::resolve(std::string_view path, const Frame& frame) {
  Meaning meaning;
  const auto [head, rest] = split_first(path);
  if ((meaning.local = frame.local(head)) != nullptr) {
    meaning.fact = rest;
    return meaning;
  }
  if (const Names::Found found = frame.names->find(head); found.named != nullptr) {
    meaning.named = found.named;
    meaning.home = found.home;
    meaning.fact = rest;
    return meaning;
  }
  if (rest.empty()) return meaning;
  const auto [prefix, last] = split_last(path);
  if (const Module* module = find_module(std::string(prefix), *frame.names)) {
    const Names& names = names_of_module(*module);
    const Names::Found found = names.find(last);
    meaning.module = module;
    meaning.named = found.named;
    meaning.home = found.home;
  } else if (is_format_word(head)) {
    meaning.format = head;
    meaning.fact = rest;
  }
  return meaning;
}

const Module* Resolver::find_module(const std::string& prefix, const Names& names) const {
  for (const Use& use : names.module->uses)
    if (use.alias == prefix || use.module == prefix) return use.module == own_.name ? &own_ : lookup_ ? lookup_(use.module) : nullptr;
  if (prefix == names.module->name) return names.module;
  return lookup_ ? lookup_(prefix) : nullptr;
}

const Names& Resolver::names_of_module(const Module& module) {
  if (&module == &own_ || module.name == own_.name) return own_names_;
  std::unique_ptr<Names>& names = others_[&module];
  if (!names) {
    std::vector<Error> ignored;  // reported when that module is checked
    names = std::make_unique<Names>(names_of(module, ignored));
  }
  return *names;
}

}  // namespace tiebreak::notation
