// SPDX-License-Identifier: Apache-2.0
// A profile's condition sees facts: types, scales per tensor or channel, shapes, attributes, the version. What depends on values stands in
// the page.
#include "interpreter/semantics/profile_condition.hpp"

#include <algorithm>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak {
namespace {

using notation::Expr;
using notation::ExprKind;

/// Operands, results, attributes and types of the op, and what its stages give.
std::vector<std::string> names_of(const notation::Op& op) {
  std::vector<std::string> names;
  for (const auto* list : {&op.operands, &op.results, &op.attributes})
    for (const notation::Operand& one : *list) names.push_back(one.name);
  for (const notation::Statement& statement : op.statements) {
    if (const auto* types = std::get_if<notation::TypeVariables>(&statement))
      for (const auto& variable : types->variables) names.push_back(variable.first);
    if (const auto* alias = std::get_if<notation::TypeAlias>(&statement)) names.push_back(alias->name);
    if (const auto* stage = std::get_if<notation::Stage>(&statement)) names.insert(names.end(), stage->targets.begin(), stage->targets.end());
  }
  return names;
}

class Condition {
 public:
  Condition(const notation::Op* op, const std::string& where, std::vector<Error>& findings) : op_(op), where_(where), findings_(findings) {}

  void check(const Expr& expression) {
    switch (expression.kind) {
      using enum ExprKind;
      case number:
      case string: return;
      case constant:
        if (expression.text == "count" || expression.text == "index" || expression.text == "undefined") dynamic(expression);
        return;
      case name: return check_name(expression);
      case call:
        if (expression.text == "scalar" && expression.args.size() == 1 && expression.args[0]->kind == name) return check_head(expression.args[0]->text);
        if (!notation::contains(notation::rounding_words(), expression.text)) return dynamic(expression);
        break;  // the whole part of a fact is a fact
      case is:
        if (expression.args[0]->kind == name) return check_head(expression.args[0]->text);
        break;
      case aggregate:
      case data:
      case tuple: return dynamic(expression);
      case unary:
      case binary:
      case conditional:
      case item:
      case list: break;
    }
    for (const notation::ExprPtr& part : expression.args) check(*part);
  }

 private:
  void dynamic(const Expr& expression) {
    findings_.push_back({Errc::type, "N11 a condition that is not static: '" + notation::print(expression) + "' depends on values", where_,
                         "a condition sees facts: x.type, y.bits, scalar(s), attributes, version"});
  }

  void check_name(const Expr& expression) {
    const auto [head, fact] = notation::split_first(expression.text);
    if (!fact.empty()) {
      check_head(std::string(head));
      if (notation::contains(notation::facts(), fact)) return;
      const std::vector<std::string> facts(notation::facts().begin(), notation::facts().end());
      const std::string near = nearest(std::string(fact), facts);
      findings_.push_back({Errc::unknown_name, "N01 unknown fact '" + std::string(fact) + "'", where_, near.empty() ? "" : "did you mean '" + near + "'?"});
      return;
    }
    if (notation::is_format_word(head) || notation::contains(notation::op_facts(), head) || op_ == nullptr) return;
    if (is_tensor(expression.text)) return dynamic(expression);
    check_head(expression.text);
  }

  bool is_tensor(const std::string& name) const {
    const auto named = [&](const notation::Operand& one) { return one.name == name; };
    return std::ranges::any_of(op_->operands, named) || std::ranges::any_of(op_->results, named);
  }

  /// An operand, result, attribute or type of the op; without an op anything may be meant.
  void check_head(const std::string& path) {
    const std::string name(notation::split_first(path).first);
    if (op_ == nullptr || notation::is_format_word(name)) return;
    const std::vector<std::string> names = names_of(*op_);
    if (std::ranges::find(names, name) != names.end()) return;
    const std::string near = nearest(name, names);
    findings_.push_back({Errc::unknown_name, "N01 unknown name '" + name + "' in a condition on '" + op_->path + "'", where_,
                         near.empty() ? "" : "did you mean '" + near + "'?"});
  }

  const notation::Op* op_;
  const std::string& where_;
  std::vector<Error>& findings_;
};

}  // namespace

void check_condition(const Expr& condition, const notation::Op* op, const std::string& where, std::vector<Error>& findings) {
  Condition(op, where, findings).check(condition);
}

bool speaks_of(const Expr& condition, const notation::Op& op) {
  const std::vector<std::string> names = names_of(op);
  bool all = true;
  notation::walk(condition, [&](const Expr& one) {
    if (one.kind != ExprKind::name) return;
    const std::string head(notation::split_first(one.text).first);
    all = all && (notation::is_format_word(head) || notation::contains(notation::op_facts(), head) || std::ranges::find(names, head) != names.end());
  });
  return all;
}

}  // namespace tiebreak
