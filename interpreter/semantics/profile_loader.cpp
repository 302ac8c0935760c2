// SPDX-License-Identifier: Apache-2.0
// Profiles against the pages: keys, alternatives, conditions, sources; then inheritance and hashes.
#include "interpreter/semantics/profile_loader.hpp"

#include <algorithm>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/semantics/profile_condition.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "interpreter/sha256.hpp"

namespace tiebreak {
namespace {

std::string hint_for(const std::string& word, const std::vector<std::string>& names) {
  const std::string near = nearest(word, names);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

/// A module's condition does not hold in an op that lacks what it names; what no op has is a slip of the pen.
bool speaks_of_some(const notation::Expr& condition, const Library& library) {
  return std::ranges::any_of(library.ops(), [&](const auto& entry) { return speaks_of(condition, *entry.second.op); });
}

void check_value(const std::string& key, const ProfileValue& value, const ChoicePlace& place, const Library& library, const std::string& file,
                 std::vector<Error>& findings) {
  const std::vector<std::string> alternatives = alternative_names(*place.choice);
  const std::string where = choice_place(file, key);
  const auto check = [&](const std::string& word, const std::string& pointer) {
    if (word.empty() || std::ranges::find(alternatives, word) != alternatives.end()) return;
    findings.push_back(
        {Errc::unknown_name, "N11 choice '" + place.choice->name + "' has no alternative '" + word + "'", where + pointer, hint_for(word, alternatives)});
  };
  check(value.alternative, "");
  check(value.then, "/then");
  check(value.otherwise, "/else");
  if (value.any != std::vector<std::string>{"*"})
    for (std::size_t i = 0; i < value.any.size(); ++i) check(value.any[i], "/any/" + std::to_string(i));
  if (!value.condition) return;
  check_condition(*value.condition, place.op, where + "/if", findings);
  if (place.op == nullptr && !speaks_of_some(*value.condition, library))
    findings.push_back({Errc::unknown_name, "N01 no op has all that the condition '" + notation::print(*value.condition) + "' names", where + "/if",
                        "operands, results, attributes and types of an op that uses '" + place.module->name + "'"});
}

std::string canonical(const ProfileValue& value) {
  if (value.condition) return "if " + notation::print(*value.condition) + " then " + value.then + " else " + value.otherwise;
  if (value.any.empty()) return value.alternative;
  std::string text = "any";
  for (const std::string& one : value.any) text += " " + one;
  return text;
}

std::string hash_of(const Profile& profile) {
  std::string text = "name " + profile.name + "\nsystem " + profile.system + "\nversions " + profile.versions + "\n";
  for (const std::string& one : profile.isa) text += "isa " + one + "\n";
  for (const auto& [key, value] : profile.choices) text += key + " = " + canonical(value) + "\n";
  return short_hash(text);
}

/// From a profile up its chain; stops before `reference`, at an unknown name or where the chain comes back.
std::vector<const Profile*> chain_of(const Profile& first, const std::map<std::string, Profile>& profiles, std::vector<Error>& findings) {
  std::vector<const Profile*> chain{&first};
  while (!chain.back()->extends.empty() && chain.back()->extends != "reference") {
    const std::string& next = chain.back()->extends;
    const auto found = profiles.find(next);
    if (found == profiles.end()) {
      std::vector<std::string> names;
      for (const auto& entry : profiles)
        if (entry.first != first.name) names.push_back(entry.first);
      if (chain.size() == 1) findings.push_back({Errc::unknown_name, "N11 unknown profile '" + next + "'", first.file + ":/extends", hint_for(next, names)});
      return chain;
    }
    if (std::ranges::find(chain, &found->second) != chain.end()) {
      std::string path;
      for (const Profile* one : chain) path += one->name + " -> ";
      findings.push_back({Errc::syntax, "N11 profiles extend each other in a circle: " + path + next, first.file + ":/extends", {}});
      return chain;
    }
    chain.push_back(&found->second);
  }
  return chain;
}

}  // namespace

void check_profile(const Profile& profile, const Library& library, const SourceIds& sources, std::vector<Error>& findings) {
  for (const auto& [key, value] : profile.choices) {
    const Result<ChoicePlace> place = find_choice(library, key);
    if (place) check_value(key, value, *place, library, profile.file, findings);
    else findings.push_back({place.error().code, place.error().what, choice_place(profile.file, key), place.error().hint});
  }
  if (!sources) return;
  for (std::size_t i = 0; i < profile.sources.size(); ++i)
    if (const std::string& id = profile.sources[i]; !sources->contains(id))
      findings.push_back({Errc::unknown_name, "unknown source '" + id + "'", profile.file + ":/sources/" + std::to_string(i),
                          hint_for(id, {sources->begin(), sources->end()})});
}

void extend(Profile& profile, const Profile& parent) {
  profile.choices.insert(parent.choices.begin(), parent.choices.end());
  profile.hash = hash_of(profile);
}

std::map<std::string, Profile> inherit(std::vector<Profile> profiles, std::vector<Error>& findings) {
  std::map<std::string, Profile> written;
  written["reference"] = Profile{.name = "reference",
                                 .extends = {},
                                 .file = {},
                                 .system = {},
                                 .versions = {},
                                 .title = "The pages' own readings",
                                 .isa = {},
                                 .sources = {},
                                 .choices = {},
                                 .hash = {},
                                 .is_text = true};
  for (Profile& profile : profiles) {
    const std::string name = profile.name, file = profile.file;
    if (name.empty()) continue;
    const auto [first, fresh] = written.emplace(name, std::move(profile));
    if (!fresh)
      findings.push_back(
          {Errc::syntax,
           name == "reference" ? "N11 the profile 'reference' is built in" : "N11 a second profile '" + name + "', the first is " + first->second.file,
           file + ":/name",
           {}});
  }
  std::map<std::string, Profile> complete = written;
  for (auto& [name, profile] : complete) {
    for (const Profile* ancestor : chain_of(written.at(name), written, findings)) profile.choices.insert(ancestor->choices.begin(), ancestor->choices.end());
    profile.hash = hash_of(profile);
  }
  return complete;
}

}  // namespace tiebreak
