// SPDX-License-Identifier: Apache-2.0
// Mutants of names: a multiplier that was stored in fewer bits, the first channel's value for all channels.
#include "testsuite/score/mutate.hpp"
#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {
namespace {

constexpr const char* fewer_bits = "multiplier in fewer bits";

/// The value cut to `bits` significant bits: floor(v / 2^k) * 2^k with k the place of the last bit that stays. 0, inf and nan stay.
ExprPtr cut_to(const ExprPtr& v, int bits) {
  const Position at = v->at;
  const ExprPtr last = make_binary("-", make_call("exponent", {v}, at), make_number(bits - 1, at));
  const ExprPtr unit = make_binary("^", make_number(2, at), last);
  const ExprPtr cut = make_binary("*", make_call("rtz", {make_binary("/", v, unit)}, at), unit);
  const ExprPtr magnitude = make_call("abs", {v}, at);
  Expr infinity{.kind = ExprKind::constant, .at = at, .text = "inf"};
  const ExprPtr above = make_binary(">", magnitude, make_number(0, at));
  const ExprPtr below = make_binary("<", magnitude, std::make_shared<const Expr>(std::move(infinity)));
  Expr choice{.kind = ExprKind::conditional, .at = at, .args = {make_binary("and", above, below), cut, v}};
  return std::make_shared<const Expr>(std::move(choice));
}

bool is_multiplier(const Site& site) {
  if (site.parent == nullptr || !is_operation(*site.parent, "*/")) return false;
  const auto [owner, fact] = split_last(site.at->text);
  return owner.empty() ? !site.names.elements.contains(site.at->text) : fact == "scale";
}

}  // namespace

void mutate_name(const Site& site, const Emit& emit) {
  const Expr& e = *site.at;
  if (e.kind != ExprKind::name) return;
  if (is_multiplier(site)) {
    for (int bits : {24, 16, 8}) emit(fewer_bits, cut_to(site.at, bits));
    emit(fewer_bits, make_call("f32", {site.at}, e.at));
  }
  const std::string_view fact = split_last(e.text).second;
  if (site.names.indexed.contains(e.text) || (e.text.find('.') != std::string::npos && (fact == "scale" || fact == "zero_point"))) {
    Expr first{.kind = ExprKind::item, .at = e.at, .args = {site.at, make_number(0, e.at)}};
    emit(rule_first_channel, std::make_shared<const Expr>(std::move(first)));
  }
}

}  // namespace tiebreak::notation
