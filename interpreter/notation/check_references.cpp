// SPDX-License-Identifier: Apache-2.0
// Goes through every formula of a module with the names it sees, and keeps which formula names which.
#include <algorithm>

#include "interpreter/notation/references.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

void References::run() {
  const Module& module = checker_.module;
  frame_.names = &checker_.names;
  for (const Definition& one : module.definitions) definition(one, false);
  for (const Choice& one : module.choices) choice(one, false);
  for (const Claim& one : module.claims) claim(one);
  for (std::size_t i = 0; i < module.ops.size(); ++i) op(module.ops[i], checker_.ops[i]);
}

void References::op(const Op& op, const Names& names) {
  frame_ = {.names = &names};
  operands(op.operands);
  operands(op.attributes);
  operands(op.results);
  for (const Statement& one : op.statements) statement(one);
}

void References::operands(const std::vector<Operand>& operands) {
  for (const Operand& operand : operands) {
    for (const Index& index : operand.indices) expression(index.by);
    expression(operand.default_value);
  }
}

void References::statement(const Statement& statement) {
  if (const auto* one = std::get_if<Definition>(&statement)) return definition(*one, true);
  if (const auto* one = std::get_if<Choice>(&statement)) return choice(*one, true);
  if (const auto* one = std::get_if<Claim>(&statement)) return claim(*one);
  if (const auto* one = std::get_if<Let>(&statement)) return let(*one);
  if (const auto* one = std::get_if<Constraint>(&statement)) return expression(one->condition);
  if (const auto* one = std::get_if<TypeAlias>(&statement)) {
    enter(one, one->name, one->at, false);
    expression(one->value);
    return leave();
  }
  if (const auto* one = std::get_if<Structure>(&statement))
    for (const Argument& argument : one->arguments) {
      expression(argument.by);
      // What says where elements lie sees what the structure knows of a place.
      if (is_place_key(argument.name))
        for (std::string_view word : place_words()) frame_.locals.push_back({.name = word, .parameter = true});
      expression(argument.value);
      frame_.locals.clear();
    }
  if (const auto* one = std::get_if<Stage>(&statement)) {
    for (const ExprPtr& argument : one->args) expression(argument);
    for (const auto& attribute : one->attributes) expression(attribute.second);
  }
}

void References::definition(const Definition& definition, bool of_op) {
  enter(&definition, definition.name, definition.at, of_op);
  parameters(definition.parameters, definition.at);
  body(definition.body);
  leave();
}

void References::choice(const Choice& choice, bool of_op) {
  enter(&choice, choice.name, choice.at, of_op);
  parameters(choice.parameters, choice.at);
  std::set<std::string_view> alternatives;
  for (const Alternative& alternative : choice.alternatives) {
    if (!alternatives.insert(alternative.name).second)
      report(Errc::syntax, "N03 a second alternative '" + alternative.name + "' of choice '" + choice.name + "'", alternative.at);
    const ReportedIn page(checker_, alternative.file);
    body(alternative.body);
  }
  leave();
}

void References::claim(const Claim& claim) {
  std::vector<std::string> names;
  for (const auto& [name, type] : claim.parameters) {
    names.push_back(name);
    if (!is_format_word(type) && !contains(family_words(), type)) report(Errc::unknown_name, "N01 unknown type '" + type + "'", claim.at);
  }
  parameters(names, claim.at);
  // The frame keeps views: the names must be the claim's own.
  frame_.locals.clear();
  for (const auto& parameter : claim.parameters) frame_.locals.push_back({.name = parameter.first, .parameter = true});
  expression(claim.condition);
  leave();
}

void References::let(const Let& let) {
  const bool result = std::ranges::any_of(let.targets, [&](const std::string& target) {
    const Named* named = frame_.names->find(target).named;
    return named != nullptr && named->role == Role::result;
  });
  enter(&let, listed(let.targets), let.at, !result);
  body(let.body);
  leave();
}

void References::enter(const void* formula, std::string name, Position at, bool of_op) {
  formula_ = formula;
  checker_.formulas[formula] = {.name = std::move(name), .at = at, .of_op = of_op};
  checker_.formula_order.push_back(formula);
}

void References::leave() {
  formula_ = nullptr;
  frame_.locals.clear();
}

void References::parameters(const std::vector<std::string>& names, Position at) {
  frame_.locals.clear();
  for (const std::string& name : names) {
    if (frame_.local(name) != nullptr) report(Errc::syntax, "N03 a second parameter '" + name + "'", at);
    if (is_reserved(name)) report(Errc::syntax, "N03 '" + name + "' is a word of the notation and cannot be a parameter", at);
    frame_.locals.push_back({.name = name, .parameter = true});
  }
}

void References::body(const Body& body) {
  const std::size_t outer = frame_.locals.size();
  std::set<std::string_view> outer_names;
  for (const Local& local : frame_.locals) outer_names.insert(local.name);
  used_locals_.clear();
  for (const Binding& binding : body.where) pending_.insert(binding.targets.begin(), binding.targets.end());
  for (const Binding& binding : body.where) bind(binding, outer_names);
  expression(body.value);
  for (const Binding& binding : body.where)
    if (!checker_.context.allow_unused && std::ranges::none_of(binding.targets, [&](const std::string& target) { return used_locals_.contains(target); }))
      report(Errc::syntax, "N03 '" + listed(binding.targets) + "' is never used", binding.at);
  frame_.locals.resize(outer);
}

void References::bind(const Binding& binding, const std::set<std::string_view>& parameters) {
  expression(binding.value);
  for (const std::string& target : binding.targets) {
    const Local* first = frame_.local(target);
    if (first != nullptr)
      report(Errc::syntax, "N03 '" + target + "' is defined twice" + (parameters.contains(target) ? ", first as a parameter" : ""), binding.at);
    if (is_reserved(target)) report(Errc::syntax, "N03 '" + target + "' is a word of the notation and cannot be a name", binding.at);
    pending_.erase(target);
  }
  for (const std::string& target : binding.targets) frame_.locals.push_back({.name = target});
}

void References::expression(const ExprPtr& expression) {
  if (expression) this->expression(*expression);
}

void References::expression(const Expr& expression) {
  switch (expression.kind) {
    using enum ExprKind;
    case number:
    case string:
    case constant:
    case data: return;
    case name: return this->name(expression);
    case call: return this->call(expression);
    case aggregate: return this->aggregate(expression);
    case is:
      if (!contains(kind_words(), expression.text) && !is_format_word(expression.text)) {
        const std::vector<std::string> kinds(kind_words().begin(), kind_words().end());
        report(Errc::unknown_name, "N01 unknown kind '" + expression.text + "' after 'is'", expression.at, suggest(expression.text, kinds));
      }
      if (is_tensor_argument(*expression.args[0])) return;
      break;
    case unary:
    case binary:
    case conditional:
    case item:
    case tuple:
    case list: break;
  }
  for (const ExprPtr& part : expression.args) this->expression(*part);
}

void check_references(Checker& checker) { References(checker).run(); }

}  // namespace tiebreak::notation
