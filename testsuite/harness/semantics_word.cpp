// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/semantics_word.hpp"

#include <algorithm>

#include "testsuite/harness/request.hpp"

namespace tiebreak {

Profile with_choice(const Profile& profile, const std::string& key, const std::string& alternative) {
  Profile changed = profile;
  changed.choices[key] = ProfileValue{.alternative = alternative};
  return changed;
}

Result<Profile> parse_semantics(const Library& library, const std::string& op, const std::string& word) {
  const std::size_t colon = word.find(':');
  TIEBREAK_TRY(base, library.find_profile(word.substr(0, colon)));
  Profile profile = *base;
  if (colon == std::string::npos) return profile;
  const std::vector<OpChoice> choices = choices_of(library, op);
  std::vector<std::string> names;
  for (const OpChoice& choice : choices) names.push_back(choice.name);
  std::size_t begin = colon + 1;
  while (begin <= word.size()) {
    const std::size_t comma = std::min(word.find(',', begin), word.size());
    const std::string part = word.substr(begin, comma - begin);
    begin = comma + 1;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return fail(Errc::usage, "'" + part + "' is no choice=alternative", word);
    const std::string name = part.substr(0, equals), alternative = part.substr(equals + 1);
    auto choice = std::ranges::find(choices, name, &OpChoice::name);
    if (choice == choices.end()) choice = std::ranges::find(choices, name, &OpChoice::own_name);
    if (choice == choices.end()) return fail(Errc::unknown_name, op + " has no choice '" + name + "'", word, "nearest: " + nearest(name, names));
    if (std::ranges::find(choice->alternatives, alternative) == choice->alternatives.end())
      return fail(Errc::unknown_name, "choice " + name + " has no alternative '" + alternative + "'", word, "nearest: " + nearest(alternative, choice->alternatives));
    profile.choices[choice->key] = ProfileValue{.alternative = alternative};
  }
  profile.name = word;
  return profile;
}

}  // namespace tiebreak
