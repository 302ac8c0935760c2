// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/legal_outputs.hpp"

#include <algorithm>

#include "interpreter/notation/walk.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/candidates/behind_open.hpp"
#include "testsuite/candidates/candidates.hpp"
#include "testsuite/candidates/open_values.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_variants = 16;
constexpr std::size_t most_listed = 16;  // members of a set in a text

/// What an open choice may be; nothing where it is bound.
std::vector<std::string> open_alternatives(const Profile& profile, const OpChoice& choice) {
  const ProfileValue* value = resolve_choice(profile, choice.module, op_of(choice), choice.alias, choice.own_name);
  return value == nullptr ? std::vector<std::string>() : tiebreak::open_alternatives(*value, choice.alternatives);
}

bool has_set(const std::vector<std::string>& open) { return std::ranges::find(open, "any") != open.end(); }

/// The profile with each open choice bound to its set, where the page has one among what is open.
Profile with_sets(const Library& library, Profile profile, const Program& program) {
  for (const OpChoice& choice : choices_of_ops(library, ops_of(program)))
    if (has_set(open_alternatives(profile, choice))) profile = with_choice(std::move(profile), choice, "any");
  return profile;
}

/// Whether each open choice has a set.
bool are_sets(const Semantics& semantics, const Program& program) {
  return std::ranges::all_of(choices_of_ops(semantics.library, ops_of(program)), [&](const OpChoice& choice) {
    const auto open = open_alternatives(semantics.profile, choice);
    return open.empty() || has_set(open);
  });
}

/// The profile with open choices bound, one for each way but the first.
std::vector<Profile> variants_of(const Semantics& semantics, const Program& program) {
  std::vector<Profile> all{semantics.profile};
  for (const OpChoice& choice : choices_of_ops(semantics.library, ops_of(program))) {
    const std::vector<std::string> open = open_alternatives(semantics.profile, choice);
    if (open.empty()) continue;
    std::vector<Profile> next;
    for (const Profile& base : all)
      for (const std::string& alternative : open)
        if (next.size() < most_variants) next.push_back(with_choice(base, choice, alternative));
    all = std::move(next);
  }
  all.erase(all.begin());
  return all;
}

bool states_set(const notation::Op& op) {
  bool found = false;
  notation::walk(op, [&](const notation::Expr& one) { found |= one.kind == notation::ExprKind::call && one.text.starts_with("any."); });
  return found;
}

/// A page has an alternative that leaves an order open, a set any.F(a, b), or regions.
bool may_be_open(const Library& library, const std::string& op) {
  const auto place = library.op_place(op);
  if (!place) return false;
  return !place->op->regions.empty() || states_set(*place->op) || std::ranges::any_of(choices_of_ops(library, {op}), [](const OpChoice& choice) {
    return std::ranges::find(choice.alternatives, "any") != choice.alternatives.end();
  });
}

/// Whether the profile takes a set for some of it: an order, or what the page states.
bool takes_set(const Semantics& semantics, const std::string& op, bool any_order) {
  const auto place = semantics.library.op_place(op);
  if (!place) return false;
  if (states_set(*place->op) || (any_order && may_be_open(semantics.library, op))) return true;
  return std::ranges::any_of(choices_of_ops(semantics.library, {op}), [&](const OpChoice& choice) {
    const ProfileValue* value = resolve_choice(semantics.profile, choice.module, op_of(choice), choice.alias, choice.own_name);
    if (value == nullptr) return false;
    return value->alternative == "any" || value->then == "any" || value->otherwise == "any" ||
           has_set(tiebreak::open_alternatives(*value, choice.alternatives));
  });
}

bool same_value(const Tensor& a, const Tensor& b, std::int64_t i) {
  return a.code(i) == b.code(i) || (a.element().is_float() && a.value(i).is_nan() && b.value(i).is_nan());
}

/// What follows from open results, through the program.
Result<std::vector<std::optional<LegalOutput>>> followed(const Semantics& semantics, const Case& test, bool any_order) {
  const Program& program = test.program;
  const Profile profile = with_sets(semantics.library, semantics.profile, program);
  const auto is_candidate = [&](const std::string& op) { return may_be_open(semantics.library, op); };
  TIEBREAK_TRY(open, open_outputs({{semantics.library, profile}, program, test.inputs, is_candidate, any_order}));
  std::vector<std::optional<LegalOutput>> legal(program.outputs.size());
  for (std::size_t o = 0; o < program.outputs.size(); ++o)
    if (open[o].legal) legal[o] = LegalOutput{.orders = open[o].legal, .result = open[o].result, .why = open[o].legal->why};
  return legal;
}

/// What each way of the open choices gives.
Status add_ways(const Semantics& semantics, const Case& test, std::vector<std::optional<LegalOutput>>& legal) {
  for (const Profile& variant : variants_of(semantics, test.program)) {
    TIEBREAK_TRY(outputs, evaluate({semantics.library, variant}, test.program, test.inputs));
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      if (!legal[o]) legal[o] = LegalOutput{};
      legal[o]->alternatives.push_back(std::make_shared<const ResultTensor>(std::move(outputs[o])));
    }
  }
  return {};
}

/// Of a single operation with one large result, where that is a set that the page states.
Result<std::shared_ptr<StatedSet>> large_set(const Semantics& semantics, const Case& test) {
  constexpr std::int64_t large = std::int64_t{1} << 18;
  const Program& program = test.program;
  if (program.operations.size() != 1 || program.outputs.size() != 1 || program.operations.front().results != program.outputs)
    return std::shared_ptr<StatedSet>();
  const auto& type = program.values[static_cast<std::size_t>(program.outputs.front())].type;
  if (!type || is_open(type->shape) || element_count(type->shape).value_or(0) < large) return std::shared_ptr<StatedSet>();
  const auto place = semantics.library.op_place(program.operations.front().op);
  if (!place || !states_set(*place->op)) return std::shared_ptr<StatedSet>();
  TIEBREAK_TRY(call, reach_call(semantics, program, 0, test.inputs));
  return StatedSet::of(semantics, std::move(call));
}

std::string braced(std::vector<std::string> texts) {
  if (texts.size() == 1) return texts.front();
  const std::size_t left_out = texts.size() > most_listed ? texts.size() - most_listed : 0;
  texts.resize(texts.size() - left_out);
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "{" : ", ") + one;
  return text + (left_out > 0 ? ", ... " + std::to_string(left_out) + " more}" : "}");
}

}  // namespace

std::optional<LegalElement> LegalOutput::element(std::int64_t index) const {
  if (set) return set->at(index);
  return orders ? std::optional(orders->elements[static_cast<std::size_t>(index)]) : std::nullopt;
}

std::string LegalOutput::text(std::int64_t index, const ResultTensor& computed) const {
  const ElementType& type = computed.tensor.element();
  std::vector<std::string> texts;
  const auto add = [&](std::string one) {
    if (std::ranges::find(texts, one) == texts.end()) texts.push_back(std::move(one));
  };
  if (const auto own = element(index)) {
    if (own->kind == LegalElement::Kind::unknown) return "?";
    if (own->kind == LegalElement::Kind::interval) return value_text(own->low) + " .. " + value_text(own->high);
    for (const auto& member : own->members) add(value_text(type.decode(member[result])));
    if (own->may_be_undefined) add("undefined");
  }
  if (texts.empty()) add(computed.is_undefined(index) ? "undefined" : value_text(computed.tensor.value(index)));
  for (const auto& other : alternatives) add(other->is_undefined(index) ? "undefined" : value_text(other->tensor.value(index)));
  return braced(std::move(texts));
}

Result<std::vector<std::optional<LegalOutput>>> legal_outputs(const Semantics& semantics, const Case& test, bool any_order) {
  const Program& program = test.program;
  if (!any_order && are_sets(semantics, program)) {
    TIEBREAK_TRY(set, large_set({semantics.library, with_sets(semantics.library, semantics.profile, program)}, test));
    if (set) return std::vector{std::optional(LegalOutput{.set = std::move(set), .why = "a set that the text states"})};
  }
  const bool is_large = is_too_large_to_follow(program);
  const auto takes = [&](const std::string& op) { return takes_set(semantics, op, any_order); };
  TIEBREAK_TRY(legal, is_large ? unknown_behind_open(program, takes) : followed(semantics, test, any_order));
  const bool are_known = std::ranges::all_of(legal, [](const auto& output) { return output && !output->orders->elements.any_unknown(); });
  if ((is_large || are_known) && are_sets(semantics, program)) return std::move(legal);  // the sets hold what each way gives
  TIEBREAK_CHECK(add_ways(semantics, test, legal));
  return std::move(legal);
}

Standings::Standings(const std::vector<std::optional<LegalOutput>>& legal, const std::vector<const Tensor*>& answers, std::size_t output)
    : own_(*legal[output]), answer_(*answers[output]), results_(own_.orders ? own_.orders->computed.size() : 1, nullptr) {
  for (std::size_t o = 0; o < legal.size(); ++o)
    if (legal[o] && legal[o]->orders == own_.orders) results_[legal[o]->result] = answers[o];
}

Standing Standings::at(std::int64_t index) const {
  for (const auto& other : own_.alternatives) {
    if (other->is_undefined(index) || same_value(other->tensor, answer_, index)) return Standing::right;
  }
  if (own_.orders && results_.front() != nullptr)
    if (const auto holds = own_.orders->elements.holds(*results_.front(), static_cast<std::size_t>(index))) return *holds ? Standing::right : Standing::wrong;
  if (own_.set)
    if (const auto holds = own_.set->holds(answer_, index)) return *holds ? Standing::right : Standing::wrong;
  if (const auto element = own_.element(index)) {
    if (is_legal(*element, results_, index)) return Standing::right;
    if (element->kind == LegalElement::Kind::unknown) return Standing::open;
  }
  return Standing::wrong;
}

std::string legal_text(const LegalOutput& legal, const ResultTensor& computed) {
  return nested_text(computed.tensor.shape(), [&](std::int64_t i) { return legal.text(i, computed); });
}

}  // namespace tiebreak
