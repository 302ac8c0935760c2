// SPDX-License-Identifier: Apache-2.0
#include "testsuite/causes/cause_words.hpp"

#include <algorithm>
#include <optional>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/same_tree.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

using notation::Conversion;
using notation::ConversionVerb;
using notation::Expr;
using notation::ExprKind;

constexpr std::size_t longest_formula = 90;

/// The first place where two trees part.
struct Parting {
  const Expr* expected = nullptr;
  const Expr* found = nullptr;
};

bool same_node(const Expr& a, const Expr& b) {
  const auto same_modifier = [](const notation::Modifier& x, const notation::Modifier& y) {
    const auto same = [](const notation::ExprPtr& p, const notation::ExprPtr& q) { return notation::same_tree(*p, *q); };
    return x.name == y.name && std::ranges::equal(x.args, y.args, same);
  };
  return a.kind == b.kind && a.text == b.text && a.args.size() == b.args.size() && a.kind != ExprKind::number &&
         std::ranges::equal(a.modifiers, b.modifiers, same_modifier);
}

/// Down to the smallest parts that differ; nothing where the trees differ in several places.
Parting parting_of(const Expr& expected, const Expr& found) {
  if (!same_node(expected, found)) return {&expected, &found};
  Parting only{&expected, &found};
  std::size_t differing = 0;
  for (std::size_t i = 0; i < expected.args.size(); ++i) {
    if (notation::same_tree(*expected.args[i], *found.args[i])) continue;
    only = {expected.args[i].get(), found.args[i].get()};
    ++differing;
  }
  return differing == 1 ? parting_of(*only.expected, *only.found) : Parting{&expected, &found};
}

bool is_nearest(Rounding rounding) { return rounding <= Rounding::nearest_zero; }

/// Of the halves where the nearest is taken, of everything else.
const char* direction(Rounding rounding) {
  switch (rounding) {
    using enum Rounding;
    case nearest_even: return "to even";
    case nearest_away: return "away from zero";
    case nearest_up:
    case up: return "up";
    case nearest_down:
    case down: return "down";
    case nearest_zero:
    case toward_zero: return "toward zero";
    case to_odd: return "to odd";
  }
  return "";
}

std::string rounding_words(Rounding expected, Rounding found) {
  const std::string ours = direction(found), theirs = direction(expected);
  if (is_nearest(expected) && is_nearest(found)) return "rounds halves " + ours + " where the profile rounds them " + theirs;
  const auto whole = [](Rounding rounding, const std::string& way) { return is_nearest(rounding) ? "to the nearest, halves " + way : way; };
  return "rounds " + whole(found, ours) + " where the profile rounds " + whole(expected, theirs);
}

/// A call of one argument that rounds to a whole number, or converts.
struct Step {
  const Rounding* whole = nullptr;
  std::optional<Conversion> conversion{};
  const Expr* argument = nullptr;
  explicit operator bool() const { return whole != nullptr || conversion; }
};

/// A name that the page defines is no conversion, though it may look like one.
Step conversion_step(const Expr& expression) {
  if (expression.kind != ExprKind::call || expression.args.size() != 1) return {};
  Step step;
  step.argument = expression.args.front().get();
  step.whole = find_rounding(expression.text);
  if (step.whole != nullptr) return step;
  step.conversion = notation::split_conversion(expression.text);
  const bool is_one = step.conversion && (notation::is_format_word(step.conversion->target) || step.conversion->verb != ConversionVerb::none);
  return is_one ? step : Step{};
}

std::string short_text(const Expr& expression) {
  std::string text = notation::print(expression);
  return text.size() <= longest_formula ? text : text.substr(0, longest_formula) + " ...";
}

/// `rounds acc * M to f32`, `wraps it to i32`.
std::string step_words(const Step& step, const std::string& what) {
  if (step.whole != nullptr)
    return "rounds " + what + (is_nearest(*step.whole) ? " to the nearest whole number, halves " : " to a whole number ") + direction(*step.whole);
  const std::string target(step.conversion->target);
  std::string way;
  if (step.conversion->rounding != nullptr)
    way = std::string(is_nearest(*step.conversion->rounding) ? ", halves " : ", ") + direction(*step.conversion->rounding);
  switch (step.conversion->verb) {
    case ConversionVerb::none: return "rounds " + what + " to " + target + way;
    case ConversionVerb::sat: return "saturates " + what + " to " + target + way;
    case ConversionVerb::wrap: return "wraps " + what + " to " + target;
    case ConversionVerb::trap: return "leaves " + what + " undefined beyond " + target;
    case ConversionVerb::each: return "computes " + what + " in " + target + " step by step";
    case ConversionVerb::any: return "has any value of " + target + " for " + what;
  }
  return "";
}

bool is_undefined(const Expr& expression) { return expression.kind == ExprKind::constant && expression.text == "undefined"; }

/// "" where the difference is none of those that have words.
std::string difference_words(const Expr& expected, const Expr& found) {
  const Parting parting = parting_of(expected, found);
  const Expr &theirs = *parting.expected, &ours = *parting.found;
  const Step before = conversion_step(theirs), after = conversion_step(ours);
  if (before && after && notation::same_tree(*before.argument, *after.argument)) {
    if (before.whole != nullptr && after.whole != nullptr) return rounding_words(*before.whole, *after.whole);
    return step_words(after, short_text(*after.argument)) + " where the profile " + step_words(before, "it");
  }
  if (after && notation::same_tree(*after.argument, theirs)) return step_words(after, short_text(theirs)) + " where the profile keeps it exact";
  if (before && notation::same_tree(*before.argument, ours)) return "keeps " + short_text(ours) + " exact where the profile " + step_words(before, "it");
  if (is_undefined(theirs)) return "gives " + short_text(ours) + " where the profile leaves the result undefined";
  return "";
}

const notation::Body* body_of(const notation::Choice& choice, const std::string& alternative) {
  const auto found = std::ranges::find(choice.alternatives, alternative, &notation::Alternative::name);
  return found == choice.alternatives.end() ? nullptr : &found->body;
}

bool same_where(const notation::Body& a, const notation::Body& b) {
  return std::ranges::equal(a.where, b.where, [](const notation::Binding& x, const notation::Binding& y) {
    return x.targets == y.targets && notation::same_tree(*x.value, *y.value);
  });
}

/// `requantize.tie=up, floor(v + 0.5)`.
std::string named(const std::string& choice, const std::string& alternative, const notation::Body* body) {
  return choice + "=" + alternative + (body == nullptr ? "" : ", " + short_text(*body->value));
}

}  // namespace

std::string clause_words(const Library& library, const std::string& key, const std::string& expected, const std::string& found) {
  const std::string choice = key.substr(key.find('/') + 1);
  const Result<ChoicePlace> place = find_choice(library, key);
  const notation::Body* theirs = place ? body_of(*place->choice, expected) : nullptr;
  const notation::Body* ours = place ? body_of(*place->choice, found) : nullptr;
  if (theirs != nullptr && ours != nullptr && same_where(*theirs, *ours))
    if (std::string words = difference_words(*theirs->value, *ours->value); !words.empty()) return words;
  return "takes " + named(choice, found, ours) + ", where the profile takes " + named(choice, expected, theirs);
}

}  // namespace tiebreak
