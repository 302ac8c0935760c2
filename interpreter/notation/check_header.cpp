// SPDX-License-Identifier: Apache-2.0
// The lines of an op that are not formulas: operands and their types and indices, the structure, stages, labels; and the uses of a module.
#include <algorithm>
#include <set>

#include "interpreter/notation/checker.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

std::vector<std::string> strings(Words words) { return {words.begin(), words.end()}; }

class Header {
 public:
  Header(Checker& checker, const Op& op, const Names& names) : checker_(checker), op_(op), names_(names) {}

  void run() {
    for (const auto* list : {&op_.operands, &op_.attributes, &op_.results})
      for (const Operand& operand : *list) check_operand(operand);
    for (const Statement& statement : op_.statements) std::visit([&](const auto& one) { check_statement(one); }, statement);
    check_outcome();
  }

 private:
  void unknown(const std::string& what, const std::string& word, Position at, const std::vector<std::string>& candidates) {
    checker_.report(Errc::unknown_name, "N01 unknown " + what + " '" + word + "'", at, suggest(word, candidates));
  }

  void check_type(const std::string& type, Position at, bool variables) {
    if (is_format_word(type) || contains(family_words(), type)) return;
    const Named* named = names_.find(type).named;
    if (variables && named != nullptr && (named->role == Role::type_variable || named->role == Role::type_alias)) return;
    std::vector<std::string> candidates = strings(family_words());
    for (const FloatFormat& format : float_formats()) candidates.emplace_back(format.name);
    for (const char* word : {"i4", "i8", "i16", "i32", "i64", "u4", "u8", "u16", "u32", "u64", "bool"}) candidates.emplace_back(word);
    if (variables)
      for (const auto& [name, one] : names_.table)
        if (one.role == Role::type_variable) candidates.emplace_back(name);
    std::ranges::sort(candidates);
    checker_.report(Errc::unknown_name, "N01 unknown type '" + type + "'", at,
                    type.size() == 1 && variables ? "declare the type variable: types " + type + ": i8 u8" : suggest(type, candidates));
  }

  void check_operand(const Operand& operand) {
    for (const std::string& type : operand.types) check_type(type, operand.at, true);
    if (operand.quantized) {
      check_type(operand.quantized->first, operand.at, true);
      check_type(operand.quantized->second, operand.at, true);
    }
    for (const Index& index : operand.indices) {
      const bool attribute = std::ranges::any_of(op_.attributes, [&](const Operand& one) { return one.name == index.name; });
      if (index.name != "*" && !attribute && !contains(index_words(), index.name)) unknown("index", index.name, operand.at, strings(index_words()));
    }
  }

  void check_statement(const TypeVariables& types) {
    for (const auto& variable : types.variables)
      for (const std::string& type : variable.second) check_type(type, types.at, false);
  }

  void check_statement(const Structure& structure) {
    const auto [name, convention] = split_first(structure.path);
    if (structure_at_) checker_.report(Errc::syntax, "N03 a second structure", structure.at);
    structure_at_ = true;
    control_ = name == "control";
    if (!contains(structure_names(), name)) unknown("structure", std::string(name), structure.at, strings(structure_names()));
    const Words conventions = name == "move" ? structure_motions() : structure_conventions();
    if (!convention.empty() && !contains(conventions, convention)) unknown("convention", std::string(convention), structure.at, strings(conventions));
    for (const Argument& argument : structure.arguments) {
      if (argument.value) {
        if (!contains(structure_keys(), argument.name)) unknown("structure argument", argument.name, structure.at, strings(structure_keys()));
        continue;
      }
      const auto found = names_.table.find(argument.name);
      if (found != names_.table.end() && found->second.role != Role::definition && found->second.role != Role::choice) {
        if (found->second.let != nullptr) checker_.used.insert(found->second.let);
        continue;
      }
      std::vector<std::string> candidates;
      for (const auto& [known, named] : names_.table)
        if (named.role == Role::operand || named.role == Role::attribute || named.role == Role::region || named.role == Role::stage)
          candidates.emplace_back(known);
      std::ranges::sort(candidates);
      unknown("operand, attribute or region", argument.name, structure.at, candidates);
    }
  }

  void check_statement(const Constraint& constraint) {
    if (!labels_.insert(constraint.label).second) checker_.report(Errc::syntax, "N03 the label '" + constraint.label + "' is used twice", constraint.at);
  }

  void check_statement(const Stage& stage) {
    has_stage_ = true;
    const Op* applied = checker_.context.op ? checker_.context.op(stage.op) : nullptr;
    for (const Op& own : checker_.module.ops)
      if (own.path == stage.op) applied = &own;
    if (applied == nullptr) {
      if (checker_.context.op) checker_.report(Errc::unknown_name, "N01 unknown op '" + stage.op + "'", stage.at);
      return;
    }
    const auto count = [&](const char* what, std::size_t given, std::size_t most, bool exact) {
      if (given > most || (exact && given < most))
        checker_.report(Errc::syntax, "N02 '" + stage.op + "' has " + std::to_string(most) + " " + what + ", " + std::to_string(given) + " given", stage.at);
    };
    const bool variadic = std::ranges::any_of(applied->operands, [](const Operand& one) { return one.variadic; });
    if (!variadic) count("operands", stage.args.size(), applied->operands.size(), false);
    count("results", stage.targets.size(), applied->results.size(), true);
    std::vector<std::string> attributes;
    for (const Operand& attribute : applied->attributes) attributes.push_back(attribute.name);
    for (const auto& given : stage.attributes)
      if (std::ranges::find(attributes, given.first) == attributes.end()) unknown("attribute of '" + stage.op + "'", given.first, stage.at, attributes);
  }

  template <class Other>
  void check_statement(const Other&) {}

  /// Every result needs a formula or a stage, and formulas need a structure.
  void check_outcome() {
    bool has_formula = false;
    for (const Operand& result : op_.results) {
      const auto found = names_.table.find(result.name);
      if (found == names_.table.end() || found->second.operand != &result) continue;
      const bool given = found->second.let != nullptr || found->second.role == Role::stage;
      has_formula = has_formula || found->second.let != nullptr;
      if (!given && !control_)
        checker_.report(Errc::unknown_name, "N01 the result '" + result.name + "' has no formula", result.at, "write " + result.name + " = ...");
    }
    if (has_formula && !structure_at_ && !has_stage_)
      checker_.report(Errc::unknown_name, "N01 '" + op_.path + "' has no structure", op_.at, "write structure elementwise(...), rows(...), dot(...) ...");
  }

  Checker& checker_;
  const Op& op_;
  const Names& names_;
  std::set<std::string> labels_{};
  bool structure_at_ = false, has_stage_ = false, control_ = false;
};

void check_readings(Checker& checker, const Use& use, const Module& used) {
  std::vector<std::string> choices;
  for (const Choice& choice : used.choices) choices.push_back(choice.name);
  std::set<std::string> given;
  for (const auto& [name, alternative] : use.readings) {
    if (!given.insert(name).second) checker.report(Errc::syntax, "N03 a second reading of '" + name + "'", use.at);
    const auto choice = std::ranges::find(used.choices, name, &Choice::name);
    if (choice == used.choices.end()) {
      checker.report(Errc::unknown_name, "N01 '" + use.module + "' has no choice '" + name + "'", use.at, suggest(name, choices));
      continue;
    }
    std::vector<std::string> alternatives;
    for (const Alternative& one : choice->alternatives) alternatives.push_back(one.name);
    if (std::ranges::find(alternatives, alternative) == alternatives.end())
      checker.report(Errc::unknown_name, "N01 choice '" + name + "' of '" + use.module + "' has no alternative '" + alternative + "'", use.at,
                     suggest(alternative, alternatives));
  }
}

}  // namespace

void check_header(Checker& checker, const Op& op, const Names& names) { Header(checker, op, names).run(); }

void check_uses(Checker& checker) {
  std::set<std::string> aliases;
  for (const Use& use : checker.module.uses) {
    if (!aliases.insert(use.alias).second)
      checker.report(Errc::syntax, "N03 the alias '" + use.alias + "' is used twice", use.at, "write use " + use.module + " as another_name");
    if (use.module == checker.module.name) {
      checker.report(Errc::syntax, "N03 '" + use.module + "' uses itself", use.at);
      continue;
    }
    const Module* used = checker.context.module ? checker.context.module(use.module) : nullptr;
    if (used == nullptr) {
      checker.report(Errc::unknown_name, "N01 unknown module '" + use.module + "'", use.at, suggest(use.module, checker.context.module_names));
      continue;
    }
    checker.refer(use.module, use.at);
    check_readings(checker, use, *used);
  }
}

}  // namespace tiebreak::notation
