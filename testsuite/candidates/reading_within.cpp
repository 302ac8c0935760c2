// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/reading_within.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "interpreter/semantics/profile_condition.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/candidates/candidates.hpp"

namespace tiebreak {
namespace {

/// The same choice as another op calls it; a page of that name has its own choices under no alias.
const OpChoice* same_choice(const std::vector<OpChoice>& choices, const OpChoice& wanted) {
  if (wanted.module.empty()) return nullptr;  // the op's own
  const auto found = std::ranges::find_if(choices, [&](const OpChoice& one) { return one.module == wanted.module && one.own_name == wanted.own_name; });
  return found == choices.end() ? nullptr : &*found;
}

/// A condition that the step cannot decide is left open.
ProfileValue as_step_reads(const ProfileValue& value, const notation::Op& step) {
  if (!value.condition || speaks_of(*value.condition, step)) return value;
  return value.then == value.otherwise ? ProfileValue{.alternative = value.then} : ProfileValue{.alternative = "", .any = {value.then, value.otherwise}};
}

std::string bound_choices(const Semantics& semantics, const std::string& step, const std::vector<OpChoice>& choices) {
  std::string text;
  for (const OpChoice& choice : choices) text += bound_text(semantics, step, choice) + "\n";
  return text;
}

bool binds_itself(const Profile& profile, const std::vector<OpChoice>& choices) {
  return std::ranges::any_of(choices, [&](const OpChoice& choice) { return profile.choices.contains(choice.key); });
}

}  // namespace

Profile reading_within(const Semantics& semantics, const std::string& step, const std::string& op) {
  Profile reading = semantics.profile;
  reading.name = semantics.profile.name + " in " + op;
  reading.hash.clear();
  const Result<Library::OpPlace> place = semantics.library.find_op(step);
  if (!place) return reading;
  const std::vector<OpChoice> inside = choices_of(semantics.library, op);
  for (const OpChoice& choice : choices_of(semantics.library, step)) {
    const OpChoice* other = same_choice(inside, choice);
    if (other == nullptr) continue;
    const ProfileValue* value = resolve_choice(semantics.profile, other->module, op, other->alias, other->own_name);
    reading.choices.erase(choice.key);
    if (value != nullptr) reading.choices[choice.key] = as_step_reads(*value, *place->op);
  }
  return reading;
}

bool uses_step(const Library& library, const std::string& op, const std::string& step) {
  const std::vector<OpChoice> inside = choices_of(library, op);
  return op != step && std::ranges::any_of(choices_of(library, step),
                                           [&](const OpChoice& choice) { return choice.module == step && same_choice(inside, choice) != nullptr; });
}

std::vector<Profile> readings_of_step(const Library& library, const std::string& step, const std::string& op) {
  std::vector<Profile> readings;
  if (Result<const Profile*> reference = library.find_profile("reference")) readings.push_back(**reference);
  for (const auto& [name, profile] : library.profiles())
    if (name != "reference") readings.push_back(op.empty() ? profile : reading_within({library, profile}, step, op));
  if (!op.empty()) return readings;
  const std::vector<OpChoice> choices = choices_of(library, step);
  std::map<std::string, std::set<std::string>> known;  // of each profile
  for (const auto& [name, profile] : library.profiles()) known[name].insert(bound_choices({library, profile}, step, choices));
  for (const std::string& other : library.op_paths()) {
    if (!uses_step(library, other, step)) continue;
    const std::vector<OpChoice> inside = choices_of(library, other);
    for (const auto& [name, profile] : library.profiles()) {
      if (!binds_itself(profile, inside)) continue;
      Profile reading = reading_within({library, profile}, step, other);
      if (known[name].insert(bound_choices({library, reading}, step, choices)).second) readings.push_back(std::move(reading));
    }
  }
  return readings;
}

}  // namespace tiebreak
