// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/candidates.hpp"

#include <algorithm>
#include <map>

#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_expansions = 16;  // of one profile's open choices

/// The page's own reading where no profile says anything: what its `use` line states, else the first alternative.
std::string own_reading(const Library& library, const std::string& op, const OpChoice& choice) {
  if (Result<Library::OpPlace> place = library.find_op(op); place && !choice.alias.empty()) {
    for (const notation::Use& use : place->page->module.uses) {
      if (use.alias != choice.alias) continue;
      for (const auto& [name, alternative] : use.readings)
        if (name == choice.own_name) return alternative;
    }
  }
  return choice.alternatives.empty() ? "" : choice.alternatives.front();
}

const ProfileValue* bound_value(const Profile& profile, const std::string& op, const OpChoice& choice) {
  return resolve_choice(profile, choice.module, op, choice.alias, choice.own_name);
}

/// One profile for each way to close its open choices, up to a limit.
std::vector<Candidate> closed_candidates(const Profile& profile, const std::vector<OpChoice>& choices) {
  std::vector<Candidate> all{{profile.name, {profile.name}, profile}};
  for (const OpChoice& choice : choices) {
    const ProfileValue* value = bound_value(profile, op_of(choice), choice);
    if (value == nullptr || value->any.empty()) continue;
    const std::vector<std::string> open = open_alternatives(*value, choice.alternatives);
    std::vector<Candidate> next;
    for (const Candidate& base : all) {
      for (const std::string& alternative : open) {
        if (next.size() >= most_expansions) break;
        Candidate one = changed(base, {{&choice, alternative}});
        one.name = base.name + (base.name == profile.name ? " with " : ", ") + choice.name + "=" + alternative;
        one.members = {one.name};
        next.push_back(std::move(one));
      }
    }
    all = std::move(next);
  }
  return all;
}

std::string key_of(const Semantics& semantics, const std::vector<OpChoice>& choices) {
  std::string key;
  for (const OpChoice& choice : choices) key += choice.key + "=" + bound_text(semantics, op_of(choice), choice) + "\n";
  return key;
}

using Visit = std::function<bool(const ChoiceChanges&)>;

void visit_singles(const std::vector<OpChoice>& choices, const Visit& visit) {
  for (const OpChoice& choice : choices)
    for (const std::string& alternative : choice.alternatives)
      if (!visit({{&choice, alternative}})) return;
}

void visit_pairs(const std::vector<OpChoice>& choices, const Visit& visit) {
  for (std::size_t i = 0; i < choices.size(); ++i)
    for (std::size_t j = i + 1; j < choices.size(); ++j)
      for (const std::string& one : choices[i].alternatives)
        for (const std::string& other : choices[j].alternatives)
          if (!visit({{&choices[i], one}, {&choices[j], other}})) return;
}

void visit_product(const std::vector<OpChoice>& choices, const Visit& visit) {
  std::vector<std::size_t> place(choices.size(), 0);
  for (;;) {
    ChoiceChanges changes;
    for (std::size_t i = 0; i < choices.size(); ++i) changes.push_back({&choices[i], choices[i].alternatives[place[i]]});
    if (!visit(changes)) return;
    std::size_t i = choices.size();
    while (i > 0 && ++place[i - 1] == choices[i - 1].alternatives.size()) place[--i] = 0;
    if (i == 0) return;
  }
}

/// The ops, and those that they apply before their formulas.
std::vector<std::string> with_stages(const Library& library, std::vector<std::string> ops) {
  for (std::size_t i = 0; i < ops.size(); ++i) {  // what a stage adds is looked at, too
    const Result<Library::OpPlace> place = library.find_op(ops[i]);
    if (!place) continue;
    for (const notation::Statement& statement : place->op->statements)
      if (const auto* stage = std::get_if<notation::Stage>(&statement); stage != nullptr && std::ranges::find(ops, stage->op) == ops.end())
        ops.push_back(stage->op);
  }
  return ops;
}

}  // namespace

std::string op_of(const OpChoice& choice) { return choice.key.substr(0, choice.key.find('/')); }

std::string bound_text(const Semantics& semantics, const std::string& op, const OpChoice& choice) {
  const ProfileValue* value = bound_value(semantics.profile, op, choice);
  if (value == nullptr) return own_reading(semantics.library, op, choice);
  if (value->condition) return value->then + " if " + notation::print(*value->condition) + ", else " + value->otherwise;
  if (value->any.empty()) return value->alternative;
  std::string text = "any of";
  for (const std::string& alternative : value->any) text += " " + alternative;
  return text;
}

std::size_t count_parting(const Library& library, const Profile& a, const Profile& b, const std::vector<OpChoice>& choices) {
  return static_cast<std::size_t>(std::ranges::count_if(choices, [&](const OpChoice& choice) {
    const std::string op = op_of(choice);
    return bound_text({library, a}, op, choice) != bound_text({library, b}, op, choice);
  }));
}

Profile with_choice(Profile profile, const OpChoice& choice, const std::string& alternative) {
  ProfileValue value;
  value.alternative = alternative;
  profile.choices[choice.key] = std::move(value);
  return profile;
}

std::vector<OpChoice> choices_of_ops(const Library& library, const std::vector<std::string>& ops) {
  std::vector<OpChoice> choices;
  for (const std::string& op : with_stages(library, ops))
    for (OpChoice& choice : choices_of(library, op))
      if (std::ranges::find(choices, choice.key, &OpChoice::key) == choices.end()) choices.push_back(std::move(choice));
  return choices;
}

ProfileCandidates profile_candidates(const Library& library, const std::vector<std::string>& ops) {
  std::vector<const Profile*> profiles;
  if (Result<const Profile*> reference = library.find_profile("reference")) profiles.push_back(*reference);
  for (const auto& [name, profile] : library.profiles())
    if (name != "reference") profiles.push_back(&profile);
  return candidates_among(library, ops, profiles);
}

ProfileCandidates candidates_among(const Library& library, const std::vector<std::string>& ops, const std::vector<const Profile*>& profiles) {
  ProfileCandidates found;
  std::vector<OpChoice> choices = choices_of_ops(library, ops);
  std::map<std::string, std::size_t> places;
  auto add = [&](Candidate candidate) {
    std::string key = key_of({library, candidate.profile}, choices);
    auto [place, is_new] = places.try_emplace(std::move(key), found.candidates.size());
    if (is_new) found.candidates.push_back(std::move(candidate));
    else found.candidates[place->second].members.push_back(candidate.name);
  };
  for (const Profile* profile : profiles) {
    bool speaks = std::ranges::any_of(choices, [&](const OpChoice& choice) { return bound_value(*profile, op_of(choice), choice) != nullptr; });
    if (!speaks && profile->name != "reference") {
      found.silent.push_back(profile->name);
      continue;
    }
    for (Candidate& candidate : closed_candidates(*profile, choices)) add(std::move(candidate));
  }
  return found;
}

std::string to_text(const ChoiceChanges& changes) {
  std::string text;
  for (const ChoiceChange& change : changes) text += (text.empty() ? "" : ", ") + change.choice->name + "=" + change.alternative;
  return text;
}

Candidate changed(const Candidate& base, const ChoiceChanges& changes) {
  Candidate candidate{base.name + " but " + to_text(changes), {}, base.profile};
  for (const ChoiceChange& change : changes) candidate.profile = with_choice(std::move(candidate.profile), *change.choice, change.alternative);
  candidate.profile.name = candidate.name;
  candidate.profile.hash.clear();
  candidate.members = {candidate.name};
  return candidate;
}

void visit_combinations(const std::vector<OpChoice>& choices, SearchLevel level, const Visit& visit) {
  if (level == SearchLevel::singles) visit_singles(choices, visit);
  if (level == SearchLevel::pairs) visit_pairs(choices, visit);
  if (level == SearchLevel::product && !choices.empty()) visit_product(choices, visit);
}

std::size_t product_of(const std::vector<OpChoice>& choices, std::size_t limit) {
  std::size_t product = 1;
  for (const OpChoice& choice : choices) {
    product *= std::max<std::size_t>(choice.alternatives.size(), 1);
    if (product > limit) return limit + 1;
  }
  return product;
}

}  // namespace tiebreak
