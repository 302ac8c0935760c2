// SPDX-License-Identifier: Apache-2.0
// Mutants of a truth that is the whole result: negated, another function of the same operands, one operand ignored. Conditions inside a formula are left
// to the rule for branches.
#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {
namespace {

ExprPtr make_not(const ExprPtr& e) { return std::make_shared<const Expr>(Expr{.kind = ExprKind::unary, .at = e->at, .text = "not", .args = {e}}); }

void mutate_both(const Expr& e, const Emit& emit) {
  const ExprPtr &a = e.args[0], &b = e.args[1];
  emit("operand ignored", a);
  emit("operand ignored", b);
  emit("operand negated", make_binary(e.text.c_str(), make_not(a), b));
  emit("operand negated", make_binary(e.text.c_str(), a, make_not(b)));
  emit("another function", make_binary(e.text == "and" ? "or" : "and", a, b));
}

void mutate_equality(const Expr& e, const Emit& emit) {
  const ExprPtr &a = e.args[0], &b = e.args[1];
  emit("operand ignored", make_binary(e.text.c_str(), a, a));
  emit("operand ignored", make_binary(e.text.c_str(), b, b));
  const bool equal = e.text == "==";
  for (const char* word : {equal ? "<=" : "<", equal ? ">=" : ">", equal ? "and" : "or"}) emit("another function", make_binary(word, a, b));
}

}  // namespace

void mutate_truth(const ExprPtr& root, const Emit& emit) {
  const Expr& e = *root;
  if (e.kind == ExprKind::unary && e.text == "not") return emit("negated", e.args[0]);
  if (e.kind != ExprKind::binary) return;
  const bool joins = e.text == "and" || e.text == "or", equates = e.text == "==" || e.text == "!=";
  if (!joins && !equates) return;
  emit("negated", make_not(root));
  if (joins) mutate_both(e, emit);
  if (equates) mutate_equality(e, emit);
}

}  // namespace tiebreak::notation
