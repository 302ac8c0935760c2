// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/rewrite.hpp"

#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

bool rewrite_all(std::vector<ExprPtr>& parts, const Replace& replace) {
  bool changed = false;
  for (ExprPtr& part : parts) {
    ExprPtr other = rewrite(part, replace);
    changed |= other != part;
    part = std::move(other);
  }
  return changed;
}

void rewrite_body(Body& body, const Replace& replace) {
  body.value = rewrite(body.value, replace);
  for (Binding& binding : body.where) binding.value = rewrite(binding.value, replace);
}

struct StatementRewrite {
  const Replace& replace;
  void operator()(Let& let) const { rewrite_body(let.body, replace); }
  void operator()(Definition& definition) const { rewrite_body(definition.body, replace); }
  void operator()(Choice& choice) const {
    for (Alternative& alternative : choice.alternatives) rewrite_body(alternative.body, replace);
  }
  void operator()(Structure& structure) const {
    for (Argument& argument : structure.arguments) argument.value = rewrite(argument.value, replace);
  }
  void operator()(TypeAlias& alias) const { alias.value = rewrite(alias.value, replace); }
  void operator()(TypeVariables&) const {}
  void operator()(Constraint&) const {}
  void operator()(Stage& stage) const {
    for (ExprPtr& argument : stage.args) argument = rewrite(argument, replace);
  }
  void operator()(Claim&) const {}
};

/// each.F(e), one level: what F goes around and what it goes through.
class Each {
 public:
  explicit Each(std::string format) : format_(std::move(format)) {}

  ExprPtr expand(const ExprPtr& expression) const {
    const Expr& e = *expression;
    switch (e.kind) {
      using enum ExprKind;
      case number:
      case name:
      case aggregate: return rounded(expression);
      case unary: return e.text == "not" ? expression : through(e, 0);
      case binary: return e.text == "^" ? rounded(expression) : is_arithmetic(e.text) ? rounded(through(e, 0)) : expression;
      case conditional: return through(e, 1);
      case call: return call_of(expression);
      case constant: return e.text == "count" || e.text == "index" ? rounded(expression) : expression;
      case item:
      case string:
      case is:
      case tuple:
      case list:
      case data: return expression;
    }
    return expression;
  }

 private:
  static bool is_arithmetic(const std::string& text) { return text == "+" || text == "-" || text == "*" || text == "/"; }

  ExprPtr call_of(const ExprPtr& expression) const {
    const Expr& e = *expression;
    if (e.text == "min" || e.text == "max" || e.text == "abs" || e.text == "clamp" || contains(rounding_words(), e.text)) return through(e, 0);
    const FunctionWord* function = find_function(e.text);
    if (function == nullptr) return rounded(expression);
    return function->real ? rounded(through(e, 0)) : expression;
  }

  ExprPtr through(const Expr& e, std::size_t first) const {
    Expr copy = e;
    for (std::size_t i = first; i < copy.args.size(); ++i) copy.args[i] = expand(copy.args[i]);
    return std::make_shared<const Expr>(std::move(copy));
  }

  ExprPtr rounded(const ExprPtr& expression) const {
    if (expression->kind == ExprKind::call && expression->text == format_) return expression;
    Expr call;
    call.kind = ExprKind::call;
    call.at = expression->at;
    call.text = format_;
    call.args = {expression};
    return std::make_shared<const Expr>(std::move(call));
  }

  std::string format_;
};

}  // namespace

ExprPtr rewrite(const ExprPtr& expression, const Replace& replace) {
  if (!expression) return expression;
  if (ExprPtr other = replace(expression)) return other;
  Expr copy = *expression;
  bool changed = rewrite_all(copy.args, replace);
  for (Modifier& modifier : copy.modifiers) changed |= rewrite_all(modifier.args, replace);
  return changed ? std::make_shared<const Expr>(std::move(copy)) : expression;
}

Module rewrite(Module module, const Replace& replace) {
  const StatementRewrite statement{replace};
  for (Definition& definition : module.definitions) statement(definition);
  for (Choice& choice : module.choices) statement(choice);
  for (Op& op : module.ops) {
    for (Operand& operand : op.operands) operand.default_value = rewrite(operand.default_value, replace);
    for (Statement& one : op.statements) std::visit(statement, one);
  }
  return module;
}

Module expand_each(Module module) {
  const Replace replace = [&](const ExprPtr& e) -> ExprPtr {
    if (e->kind != ExprKind::call || !e->text.starts_with("each.") || e->args.size() != 1) return nullptr;
    return Each(e->text.substr(5)).expand(rewrite(e->args[0], replace));
  };
  return rewrite(std::move(module), replace);
}

}  // namespace tiebreak::notation
