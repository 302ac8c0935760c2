// SPDX-License-Identifier: Apache-2.0
// Mutants of rounding words, float formats and integer conversions.
#include <array>

#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {
namespace {

constexpr std::array narrower_table{std::pair{"f64", "f32"}, std::pair{"f32", "tf32"}, std::pair{"tf32", "f16"}, std::pair{"f16", "f8e4m3fn"},
                                    std::pair{"bf16", "f8e5m2"}};

/// One format narrower; a format that only the call knows is entered through bf16.
ExprPtr narrower(const std::string& target, const ExprPtr& argument, Position at) {
  for (const auto& [wide, narrow] : narrower_table)
    if (target == wide) return make_call(narrow, {argument}, at);
  return is_format_word(target) ? nullptr : make_call(target, {make_call("bf16", {argument}, at)}, at);
}

void mutate_rounding_word(const Expr& e, const Emit& emit) {
  for (std::string_view word : rounding_words())
    if (word != e.text) emit("rounding word", make_call(std::string(word), e.args, e.at));
}

void mutate_float(const Expr& e, const Conversion& conversion, const Emit& emit) {
  const std::string target(conversion.target);
  const std::string verb = conversion.verb == ConversionVerb::sat ? "sat." : "";
  emit("format dropped", e.args[0]);
  if (ExprPtr narrow = narrower(target, e.args[0], e.at)) {
    if (verb.empty()) emit("narrower format", narrow);
    else emit("narrower format", make_call(e.text, {narrow->text == target ? narrow->args[0] : narrow}, e.at));
  }
  for (const char* word : {"rtz", "floor", "ceil"}) {
    const std::string directed = verb + word + "." + target;
    if (directed != e.text) emit("directed rounding", make_call(directed, e.args, e.at));
  }
  if (conversion.rounding != nullptr) emit("directed rounding", make_call(verb + target, e.args, e.at));
}

void mutate_integer(const ExprPtr& expression, const Conversion& conversion, const Emit& emit) {
  const Expr& e = *expression;
  const std::string target(conversion.target);
  const std::array<std::pair<ConversionVerb, const char*>, 3> verbs{
      {{ConversionVerb::sat, "sat."}, {ConversionVerb::wrap, "wrap."}, {ConversionVerb::trap, "trap."}}};
  for (const auto& [verb, word] : verbs)
    if (verb != conversion.verb) emit("overflow", make_call(word + target, e.args, e.at));
  if (conversion.verb != ConversionVerb::sat) return;
  const ExprPtr one = make_number(1, e.at);
  emit("narrow range", make_call("max", {expression, make_binary("+", make_name(target + ".min", e.at), one)}, e.at));
  emit("narrow range", make_call("min", {expression, make_binary("-", make_name(target + ".max", e.at), one)}, e.at));
  const Expr& inner = *e.args[0];
  if (!is_operation(inner, "+-")) return;
  const ExprPtr early = make_call(e.text, {inner.args[0]}, e.at);
  emit("saturation before the zero point", make_call(e.text, {make_binary(inner.text.c_str(), early, inner.args[1])}, e.at));
}

}  // namespace

void mutate_conversion(const Site& site, const Emit& emit) {
  const Expr& e = *site.at;
  if (e.kind == ExprKind::call && e.args.size() == 1 && contains(rounding_words(), e.text)) return mutate_rounding_word(e, emit);
  if (e.kind == ExprKind::call && e.text == "clamp" && e.args.size() == 3 && is_operation(*e.args[0], "+-")) {
    const Expr& inner = *e.args[0];
    const ExprPtr early = make_call("clamp", {inner.args[0], e.args[1], e.args[2]}, e.at);
    emit("saturation before the zero point", make_call("clamp", {make_binary(inner.text.c_str(), early, inner.args[1]), e.args[1], e.args[2]}, e.at));
  }
  if (is_operation(e, "+-*/^") && (site.parent == nullptr || !conversion_of(*site.parent, site.names))) {
    for (const char* format : {"f32", "f64"}) emit("format added", make_call(format, {site.at}, e.at));
  }
  const std::optional<Conversion> conversion = conversion_of(e, site.names);
  if (!conversion || conversion->verb == ConversionVerb::each || conversion->verb == ConversionVerb::any) return;
  const std::string target(conversion->target);
  const bool is_float = is_format_word(target) ? !is_integer_word(target) : conversion->verb == ConversionVerb::none || conversion->rounding != nullptr;
  is_float ? mutate_float(e, *conversion, emit) : mutate_integer(site.at, *conversion, emit);
}

}  // namespace tiebreak::notation
