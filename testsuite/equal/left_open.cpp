// SPDX-License-Identifier: Apache-2.0
// Operations that may give this or that: one run says nothing of the other results.
#include <algorithm>
#include <set>

#include "interpreter/notation/walk.hpp"
#include "interpreter/orders/legal_results.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/equal/output_comparison.hpp"
#include "testsuite/equal/program_parts.hpp"
#include "testsuite/equal/value_facts.hpp"
#include "testsuite/prove/same_formula.hpp"

namespace tiebreak {
namespace {

/// `tie` of `onnx.QLinearConv/requantize.tie`, and its alias.
std::pair<std::string, std::string> name_and_alias(const std::string& key) {
  const std::string word = key.substr(key.find('/') + 1);
  const std::size_t dot = word.rfind('.');
  return dot == std::string::npos ? std::pair{word, std::string()} : std::pair{word.substr(dot + 1), word.substr(0, dot)};
}

Profile with_alternative(Profile profile, const std::string& key, const std::string& alternative) {
  ProfileValue value;
  value.alternative = alternative;
  profile.choices[key] = std::move(value);
  return profile;
}

/// Whether another alternative that the profile allows gives another formula.
bool matters(const Semantics& semantics, const OpCall& call, const std::string& key, const std::vector<std::string>& alternatives, bool staged) {
  if (alternatives.size() < 2) return false;
  const auto bound = staged ? fail(Errc::unsupported, "") : BoundCall::bind(semantics, call);
  if (!bound) return true;
  for (const std::string& alternative : alternatives) {
    const Profile other = with_alternative(semantics.profile, key, alternative);
    const auto likeness = (*bound)->likeness({semantics.library, other});
    if (!likeness || *likeness == Likeness::unknown) return true;
  }
  return false;
}

LeftOpen open_reading(const Semantics& semantics, const OpCall& call, const Formula& formula) {
  for (const auto& [key, alternative] : formula.readings) {
    const auto place = find_choice(semantics.library, key);
    if (!place || place->choice == nullptr) return {key};
    const auto taken = std::ranges::find(place->choice->alternatives, alternative, &notation::Alternative::name);
    bool any_order = false;
    if (taken != place->choice->alternatives.end())
      notation::walk(*taken->body.value, [&](const notation::Expr& one) {
        any_order |= std::ranges::find(one.modifiers, "any", &notation::Modifier::name) != one.modifiers.end();
      });
    if (any_order) return {key + "=" + alternative};
    const auto [name, alias] = name_and_alias(key);
    const ProfileValue* bound = resolve_choice(semantics.profile, place->module->name, call.op, alias, name);
    if (bound == nullptr || bound->any.empty()) continue;
    const std::vector<std::string> alternatives = open_alternatives(*bound, alternative_names(*place->choice));
    if (matters(semantics, call, key, alternatives, !formula.stages.empty())) return {key, alternatives};
  }
  return {};
}

void collect_ops(const Program& program, std::set<std::string>& ops) {
  for (const Operation& operation : program.operations) {
    ops.insert(operation.op);
    for (const Region& region : operation.regions) collect_ops(region.program, ops);
  }
}

/// Without a formula: every choice counts that the profile leaves open, and every order that the page does.
std::string open_without_formula(const Semantics& semantics, const Operation& operation, const OpCall& call) {
  std::set<std::string> ops{operation.op};
  for (const Region& region : operation.regions) collect_ops(region.program, ops);
  for (const std::string& op : ops)
    for (const OpChoice& choice : choices_of(semantics.library, op)) {
      const ProfileValue* bound = resolve_choice(semantics.profile, choice.module, op, choice.alias, choice.own_name);
      if (bound != nullptr && !bound->any.empty() && open_alternatives(*bound, choice.alternatives).size() > 1) return choice.key;
    }
  const auto legal = legal_results(semantics, call);
  return legal && legal->empty() ? "" : operation.op;
}

}  // namespace

LeftOpen left_open(const Semantics& semantics, const ProgramFormulas& formulas, std::size_t number) {
  const ProgramFormulas::Parts& parts = formulas.parts();
  const Operation& operation = parts.program->operations[number];
  const ProgramFormulas::Parts::BoundOperation& bound = parts.operations[number];
  if (bound.formulas.empty()) return {open_without_formula(semantics, operation, parts.reached[number].call)};
  for (std::size_t f = 0; f < bound.formulas.size(); ++f) {
    const Formula& formula = bound.formulas[f];
    if (std::ranges::any_of(formula.nodes, [](const Node& node) { return node.set_end >= 0; })) return {operation.op};
    if (LeftOpen open = open_reading(semantics, bound.calls[f], formula); !open.why.empty()) return open;
  }
  return {};
}

Result<bool> settled_in_program(const Semantics& semantics, const ProgramFormulas& formulas, const ProgramInputs& inputs, std::size_t operation,
                                const LeftOpen& open) {
  const Program& program = *formulas.parts().program;
  ElementQuestion limits;
  limits.samples = 0;
  const ProgramSide one{semantics.library, semantics.profile, program, program.file};
  for (const std::string& alternative : open.alternatives) {
    const Profile other = with_alternative(semantics.profile, open.why, alternative);
    const ProgramSide two{semantics.library, other, program, program.file};
    const auto bound = ProgramFormulas::bind(two.semantics(), program, inputs.tensors, inputs.roles);
    if (!bound || !left_open(two.semantics(), *bound, operation).why.empty()) return false;  // or something else is open, too
    const ComparedPrograms programs{one, two, formulas, *bound, inputs, limits};
    for (const ValueId id : program.operations[operation].results) {
      if (id < 0) continue;
      const auto classes = compare_by_elements(programs, id, id, nullptr, limits);
      TIEBREAK_CHECK(semantics.library.stop().check());
      if (!classes ||
          !std::ranges::all_of(*classes, [](const ElementClass& found) { return found.verdict.verdict == Verdict::equal && found.verdict.undefined == 0; }))
        return false;
    }
  }
  return !open.alternatives.empty();
}

}  // namespace tiebreak
