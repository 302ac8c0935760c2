// SPDX-License-Identifier: Apache-2.0
// Mutants of aggregates: what accumulators of other widths and orders make of a sum.
#include <algorithm>

#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {
namespace {

ExprPtr with_modifiers(const Expr& e, std::vector<Modifier> modifiers) {
  Expr copy = e;
  copy.modifiers = std::move(modifiers);
  return std::make_shared<const Expr>(std::move(copy));
}

ExprPtr with_modifier(const Expr& e, const char* name) {
  std::vector<Modifier> modifiers = e.modifiers;
  modifiers.push_back({name, {}, e.at});
  return with_modifiers(e, std::move(modifiers));
}

/// sum(e) as an instruction that adds neighbours in int16, with saturation, makes it.
ExprPtr in_pairs(const Expr& e) {
  Expr pair{.kind = ExprKind::aggregate, .at = e.at, .text = "sum", .args = {e.args[0]}, .modifiers = {{"blocks", {make_number(2, e.at)}, e.at}}};
  Expr outer = e;
  outer.args[0] = make_call("sat.i16", {std::make_shared<const Expr>(std::move(pair))}, e.at);
  return std::make_shared<const Expr>(std::move(outer));
}

bool is_order(const Modifier& modifier) { return contains(modifier_words(), modifier.name); }

constexpr const char* another_order = "another order of the fold";

/// fold[body](fold[body, lanes(2)](items, start)).
ExprPtr in_lanes(const Expr& e) {
  Expr inner = e, outer = e;
  inner.modifiers = {e.modifiers[0], {"lanes", {make_number(2, e.at)}, e.at}};
  outer.modifiers = {e.modifiers[0]};
  outer.args = {std::make_shared<const Expr>(std::move(inner))};
  return std::make_shared<const Expr>(std::move(outer));
}

/// fold[body, order](items, start): other orders, and the start value left out or taken in twice. Where the page leaves the order open only what is
/// outside of that: another order of the items for trees, trees for items that come one after another.
void mutate_fold(const Expr& e, const Emit& emit) {
  const std::string order = e.modifiers.size() > 1 ? e.modifiers[1].name : "";
  const bool trees = order == "any", permuted = order == "permuted";
  for (const char* word : {"backward", "reversed", "start_last", "pairwise"}) {
    const bool is_right = (trees && std::string_view(word) != "reversed") || (permuted && std::string_view(word) == "reversed");
    if (is_right || order == word) continue;
    emit(another_order, with_modifiers(e, {e.modifiers[0], {word, {}, e.at}}));
  }
  if (!permuted) emit(another_order, in_lanes(e));
  if (order != "" && !trees && !permuted) emit(another_order, with_modifiers(e, {e.modifiers[0]}));
  if (trees) return;
  Expr without = e;
  without.modifiers = {e.modifiers[0]};
  without.args.pop_back();
  emit("start value left out", std::make_shared<const Expr>(std::move(without)));
  emit("start value taken twice", with_modifiers(e, {e.modifiers[0], {"start_both", {}, e.at}}));
}

}  // namespace

void mutate_aggregate(const Site& site, const Emit& emit) {
  const Expr& e = *site.at;
  if (e.kind != ExprKind::aggregate) return;
  const bool by_names = !e.modifiers.empty() && e.args.size() == 2 && e.args[0]->kind == ExprKind::name && e.args[1]->kind == ExprKind::name;
  if (e.text == "fold" && by_names) return mutate_fold(e, emit);
  for (std::size_t i = 0; i < e.modifiers.size(); ++i) {
    std::vector<Modifier> others = e.modifiers;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    emit(is_order(e.modifiers[i]) ? "order of the sum" : "step dropped", with_modifiers(e, std::move(others)));
  }
  const auto step = std::ranges::find_if_not(e.modifiers, is_order);
  const bool has_step = step != e.modifiers.end();
  const bool has_blocks = std::ranges::any_of(e.modifiers, [](const Modifier& one) { return one.name == "blocks"; });
  if (e.text != "sum" && e.text != "product") return;
  for (const char* format : {"f32", "f16"}) {
    if (!has_step) emit("step added", with_modifier(e, format));
    if (!has_step || step->name == format) continue;
    std::vector<Modifier> others = e.modifiers;
    others[static_cast<std::size_t>(step - e.modifiers.begin())].name = format;
    emit("another step", with_modifiers(e, std::move(others)));
  }
  if (has_step && !has_blocks && std::ranges::none_of(e.modifiers, is_order)) emit("order of the sum", with_modifier(e, "pairwise"));
  if (e.text == "sum" && !has_blocks) emit("int16 pairs", in_pairs(e));
}

}  // namespace tiebreak::notation
