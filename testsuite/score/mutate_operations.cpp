// SPDX-License-Identifier: Apache-2.0
// Mutants of operations: what a slip of the pen makes of them.
#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {
namespace {

void mutate_binary(const Expr& e, const Emit& emit) {
  const ExprPtr &a = e.args[0], &b = e.args[1];
  if (e.text == "+" || e.text == "-") {
    emit("term dropped", a);
    if (e.text == "+") {
      emit("term dropped", b);
    } else {
      Expr minus{.kind = ExprKind::unary, .at = e.at, .text = "-", .args = {b}};
      emit("term dropped", std::make_shared<const Expr>(std::move(minus)));
    }
    emit("sign", make_binary(e.text == "+" ? "-" : "+", a, b));
  }
  if (e.text == "*") {
    emit("factor dropped", a);
    emit("factor dropped", b);
  }
  if (e.text == "/") emit("factor dropped", a);
  const std::pair<const char*, const char*> strictness[] = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
  for (const auto& [word, other] : strictness)
    if (e.text == word) emit("strictness", make_binary(other, a, b));
}

void mutate_number(const Expr& e, const Emit& emit) {
  if (!is_integer_literal(e)) return;
  for (int step : {1, -1}) {
    Expr other{.kind = ExprKind::number, .at = e.at, .value = e.value + Real(step)};
    emit("constant", std::make_shared<const Expr>(std::move(other)));
  }
}

/// t.min and t.max as ends of a range.
void mutate_range_end(const Site& site, const Emit& emit) {
  const auto [owner, fact] = split_last(site.at->text);
  if (owner.empty() || (fact != "min" && fact != "max")) return;
  emit("narrow range", make_binary(fact == "min" ? "+" : "-", site.at, make_number(1, site.at->at)));
}

}  // namespace

void mutate_operation(const Site& site, const Emit& emit) {
  const Expr& e = *site.at;
  switch (e.kind) {
    using enum ExprKind;
    case binary: return mutate_binary(e, emit);
    case unary:
      if (e.text == "-") emit("sign", e.args[0]);
      return;
    case number: return mutate_number(e, emit);
    case conditional:
      emit("one branch", e.args[1]);
      emit("one branch", e.args[2]);
      return;
    case name: return mutate_range_end(site, emit);
    default: return;
  }
}

}  // namespace tiebreak::notation
