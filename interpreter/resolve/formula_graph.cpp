// SPDX-License-Identifier: Apache-2.0
#include "interpreter/resolve/formula_graph.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

using notation::Expr;
using notation::ExprKind;
using notation::ExprPtr;

struct StatementTrees {
  const OnExpression& on;
  void some(ExprPtr& tree) const {
    if (tree) on(tree);
  }
  void operator()(notation::TypeAlias& alias) const { some(alias.value); }
  void operator()(notation::Constraint& constraint) const { some(constraint.condition); }
  void operator()(notation::Structure& structure) const {
    for (notation::Argument& argument : structure.arguments) {
      some(argument.by);
      some(argument.value);
    }
  }
  void operator()(notation::Stage& stage) const {
    for (ExprPtr& argument : stage.args) some(argument);
    for (auto& [name, value] : stage.attributes) some(value);
  }
  template <class Other>
  void operator()(Other&) const {}  // formulas are in the graph
};

/// The parts of a tree, replaced by `change`; nullptr from it makes the whole nullptr.
ExprPtr with_parts(const ExprPtr& tree, const std::function<ExprPtr(const ExprPtr&)>& change) {
  auto copy = std::make_shared<Expr>(*tree);
  for (ExprPtr& part : copy->args)
    if (!(part = change(part))) return nullptr;
  for (notation::Modifier& modifier : copy->modifiers)
    for (ExprPtr& part : modifier.args)
      if (!(part = change(part))) return nullptr;
  return copy;
}

std::string with_token(const std::string& text, const TokenPlace& token, const std::string& word) {
  return text.substr(0, token.begin) + word + text.substr(token.end);
}

/// Puts a value's name into a word that has a token; false where the value has none that fits.
bool put_name(std::string& text, const std::map<int, ExprPtr>& values) {
  const auto token = find_token(text);
  const auto found = token ? values.find(token->symbol) : values.end();
  if (found == values.end()) return true;
  if (found->second->kind != ExprKind::name || found->second->text.find('.') != std::string::npos) return false;
  text = with_token(text, *token, found->second->text);
  return true;
}

}  // namespace

std::string token_of(int symbol) { return "$" + std::to_string(symbol); }

std::optional<TokenPlace> find_token(const std::string& text) {
  const std::size_t begin = text.find('$');
  if (begin == std::string::npos) return std::nullopt;
  std::size_t end = begin + 1;
  int symbol = 0;
  for (; end < text.size() && text[end] >= '0' && text[end] <= '9'; ++end) symbol = symbol * 10 + (text[end] - '0');
  return TokenPlace{begin, end, symbol};
}

void for_trees(GraphFormula& formula, const OnExpression& on) {
  const auto body = [&](GraphBody& one) {
    for (GraphBinding& binding : one.where) on(binding.value);
    if (one.value) on(one.value);
  };
  body(formula.body);
  for (OpenAlternative& alternative : formula.open) body(alternative.body);
}

void for_trees(notation::Op& op, const OnExpression& on) {
  for (auto* list : {&op.operands, &op.attributes, &op.results})
    for (notation::Operand& operand : *list) {
      for (notation::Index& index : operand.indices)
        if (index.by) on(index.by);
      if (operand.default_value) on(operand.default_value);
    }
  for (notation::Statement& statement : op.statements) std::visit(StatementTrees{on}, statement);
}

void for_tokens(const Expr& tree, const std::function<void(int)>& on) {
  notation::walk(tree, [&](const Expr& one) {
    if (one.kind == ExprKind::name || one.kind == ExprKind::call)
      if (const auto token = find_token(one.text)) on(token->symbol);
    for (const notation::Modifier& modifier : one.modifiers)
      if (const auto token = find_token(modifier.name)) on(token->symbol);
  });
}

std::map<int, int> count_uses(FormulaGraph& graph) {
  std::map<int, int> uses;
  std::set<int> reached;
  std::vector<int> open;
  const auto use = [&](int symbol) {
    ++uses[symbol];
    const int formula = graph.symbols[static_cast<std::size_t>(symbol)].formula;
    if (formula >= 0 && reached.insert(formula).second) open.push_back(formula);
  };
  const OnExpression tree = [&](ExprPtr& one) { for_tokens(*one, use); };
  for (const int result : graph.results) use(result);
  for_trees(graph.op, tree);
  while (!open.empty()) {
    GraphFormula& formula = graph.formulas[static_cast<std::size_t>(open.back())];
    open.pop_back();
    for_trees(formula, tree);
  }
  return uses;
}

ExprPtr rename_tokens(const ExprPtr& tree, const std::function<std::string(int)>& name) {
  if (!tree) return tree;
  const ExprPtr changed = with_parts(tree, [&](const ExprPtr& part) { return rename_tokens(part, name); });
  auto copy = std::make_shared<Expr>(*changed);
  if (const auto token = find_token(copy->text); token && copy->kind != ExprKind::string) copy->text = with_token(copy->text, *token, name(token->symbol));
  for (notation::Modifier& modifier : copy->modifiers)
    if (const auto token = find_token(modifier.name)) modifier.name = with_token(modifier.name, *token, name(token->symbol));
  return copy;
}

ExprPtr substitute(const ExprPtr& tree, const std::map<int, ExprPtr>& values) {
  const auto token = tree->kind == ExprKind::name || tree->kind == ExprKind::call ? find_token(tree->text) : std::nullopt;
  if (token && tree->kind == ExprKind::name && token->begin == 0 && token->end == tree->text.size())
    if (const auto found = values.find(token->symbol); found != values.end()) return found->second;
  const ExprPtr changed = with_parts(tree, [&](const ExprPtr& part) { return substitute(part, values); });
  if (!changed) return nullptr;
  auto copy = std::make_shared<Expr>(*changed);
  if (token && !put_name(copy->text, values)) return nullptr;
  for (notation::Modifier& modifier : copy->modifiers)
    if (!put_name(modifier.name, values)) return nullptr;
  return copy;
}

}  // namespace tiebreak
