// SPDX-License-Identifier: Apache-2.0
// Mutants that keep the value over the reals, or nearly: a reciprocal for a quotient, the zero point before or after the rounding,
// another grouping of what a format rounds.
#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {
namespace {

constexpr const char* reciprocal = "reciprocal";
constexpr const char* order = "order of rounding and sum";
constexpr const char* grouping = "grouping";

/// The float format that e is rounded to, else f32: what an implementation would compute in.
std::string format_of(const Expr& e, const RuleNames& names) { return rounds_to_float(e, names) ? e.text : "f32"; }

/// R(e) + z becomes R(e + z), the inner sum rounded and not.
void rounding_after(const Expr& sum, std::size_t rounded_at, const RuleNames& names, const Emit& emit) {
  const Expr& rounding = *sum.args[rounded_at];
  const ExprPtr& inner = rounding.args[0];
  const ExprPtr joined = rounded_at == 0 ? make_binary(sum.text.c_str(), inner, sum.args[1]) : make_binary(sum.text.c_str(), sum.args[0], inner);
  emit(order, make_call(rounding.text, {joined}, sum.at));
  emit(order, make_call(rounding.text, {make_call(format_of(*inner, names), {joined}, sum.at)}, sum.at));
}

/// R(a + z), R(F(a + z)) become R(a) + z, a rounded and not.
void rounding_before(const Expr& rounding, const RuleNames& names, const Emit& emit) {
  const bool formatted = rounds_to_float(*rounding.args[0], names);
  const Expr& sum = formatted ? *rounding.args[0]->args[0] : *rounding.args[0];
  if (!is_operation(sum, "+-")) return;
  const ExprPtr first = make_call(rounding.text, {sum.args[0]}, rounding.at);
  emit(order, make_binary(sum.text.c_str(), first, sum.args[1]));
  const std::string format = formatted ? rounding.args[0]->text : "f32";
  const ExprPtr in_format = make_call(rounding.text, {make_call(format, {sum.args[0]}, rounding.at)}, rounding.at);
  emit(order, make_binary(sum.text.c_str(), in_format, sum.args[1]));
}

void early_saturation(const Expr& sum, std::size_t rounded_at, const Emit& emit) {
  for (const char* word : {"sat.i8", "sat.u8"}) {
    std::vector<ExprPtr> args = sum.args;
    args[rounded_at] = make_call(word, {args[rounded_at]}, sum.at);
    emit("saturation before the zero point", make_binary(sum.text.c_str(), args[0], args[1]));
  }
}

/// F(G(a b) c): the other orders of the three.
void regroup(const Expr& outer, const Emit& emit, const RuleNames& names) {
  const Expr& last = *outer.args[0];
  if (!is_operation(last, "+*/") || !rounds_to_float(*last.args[0], names)) return;
  const Expr& inner_rounding = *last.args[0];
  const Expr& inner = *inner_rounding.args[0];
  if (!is_operation(inner, "+*/") || (last.text == "+") != (inner.text == "+")) return;
  const auto rounded = [&](ExprPtr e) { return make_call(inner_rounding.text, {std::move(e)}, outer.at); };
  const auto whole = [&](ExprPtr e) { emit(grouping, make_call(outer.text, {std::move(e)}, outer.at)); };
  const ExprPtr &a = inner.args[0], &b = inner.args[1], &c = last.args[1];
  if (last.text == inner.text && last.text != "/") {
    whole(make_binary(last.text.c_str(), a, rounded(make_binary(last.text.c_str(), b, c))));
    whole(make_binary(last.text.c_str(), rounded(make_binary(last.text.c_str(), a, c)), b));
  } else if (inner.text == "*") {
    whole(make_binary("*", a, rounded(make_binary("/", b, c))));
    whole(make_binary("*", rounded(make_binary("/", a, c)), b));
  } else if (last.text == "*") {
    whole(make_binary("/", rounded(make_binary("*", a, c)), b));
    whole(make_binary("*", a, rounded(make_binary("/", c, b))));
  } else {
    whole(make_binary("/", a, rounded(make_binary("*", b, c))));
  }
}

}  // namespace

void mutate_quotient(const Site& site, const Emit& emit) {
  const Expr& e = *site.at;
  if (is_operation(e, "/")) {
    const std::string format = site.parent != nullptr ? format_of(*site.parent, site.names) : "f32";
    const ExprPtr one_over = make_binary("/", make_number(1, e.at), e.args[1]);
    emit(reciprocal, make_binary("*", e.args[0], make_call(format, {one_over}, e.at)));
  }
  if (is_operation(e, "+-")) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (!rounds_to_whole(*e.args[i], site.names) || (i == 1 && e.text == "-")) continue;
      rounding_after(e, i, site.names, emit);
      early_saturation(e, i, emit);
    }
  }
  if (rounds_to_whole(e, site.names)) rounding_before(e, site.names, emit);
  if (rounds_to_float(e, site.names)) regroup(e, emit, site.names);
}

}  // namespace tiebreak::notation
