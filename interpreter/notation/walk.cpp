// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/walk.hpp"

namespace tiebreak::notation {
namespace {

void walk_pointer(const ExprPtr& expression, const Visitor& visit) {
  if (expression) walk(*expression, visit);
}

void walk_operands(const std::vector<Operand>& operands, const Visitor& visit) {
  for (const Operand& operand : operands) {
    for (const Index& index : operand.indices) walk_pointer(index.by, visit);
    walk_pointer(operand.default_value, visit);
  }
}

struct StatementWalk {
  const Visitor& visit;
  void operator()(const TypeVariables&) const {}
  void operator()(const TypeAlias& alias) const { walk_pointer(alias.value, visit); }
  void operator()(const Structure& structure) const {
    for (const Argument& argument : structure.arguments) {
      walk_pointer(argument.by, visit);
      walk_pointer(argument.value, visit);
    }
  }
  void operator()(const Constraint& constraint) const { walk_pointer(constraint.condition, visit); }
  void operator()(const Stage& stage) const {
    for (const ExprPtr& argument : stage.args) walk_pointer(argument, visit);
    for (const auto& attribute : stage.attributes) walk_pointer(attribute.second, visit);
  }
  void operator()(const Let& let) const { walk(let.body, visit); }
  void operator()(const Definition& definition) const { walk(definition.body, visit); }
  void operator()(const Choice& choice) const {
    for (const Alternative& alternative : choice.alternatives) walk(alternative.body, visit);
  }
  void operator()(const Claim& claim) const { walk_pointer(claim.condition, visit); }
};

}  // namespace

void walk(const Expr& expression, const Visitor& visit) {
  visit(expression);
  for (const ExprPtr& part : expression.args) walk_pointer(part, visit);
  for (const Modifier& modifier : expression.modifiers)
    for (const ExprPtr& argument : modifier.args) walk_pointer(argument, visit);
}

void walk(const Body& body, const Visitor& visit) {
  walk_pointer(body.value, visit);
  for (const Binding& binding : body.where) walk_pointer(binding.value, visit);
}

void walk(const Op& op, const Visitor& visit) {
  walk_operands(op.operands, visit);
  walk_operands(op.attributes, visit);
  walk_operands(op.results, visit);
  for (const Statement& statement : op.statements) std::visit(StatementWalk{visit}, statement);
}

void walk(const Module& module, const Visitor& visit) {
  const StatementWalk statement{visit};
  for (const Definition& definition : module.definitions) statement(definition);
  for (const Choice& choice : module.choices) statement(choice);
  for (const Addition& addition : module.additions)
    for (const Alternative& alternative : addition.alternatives) walk(alternative.body, visit);
  for (const Claim& claim : module.claims) statement(claim);
  for (const Op& op : module.ops) walk(op, visit);
}

const Structure* structure_of(const Op& op) {
  for (const Statement& statement : op.statements)
    if (const auto* structure = std::get_if<Structure>(&statement)) return structure;
  return nullptr;
}

bool is_run(const Op& op) {
  const Structure* structure = structure_of(op);
  return !op.regions.empty() || (structure != nullptr && structure->path.starts_with("control."));
}

}  // namespace tiebreak::notation
