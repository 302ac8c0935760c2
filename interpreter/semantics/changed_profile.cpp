// SPDX-License-Identifier: Apache-2.0
#include "interpreter/semantics/changed_profile.hpp"

#include <algorithm>
#include <vector>

#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

std::string base_name(const std::string& text) { return text.substr(0, text.find(':')); }

bool is_alternative(const ProfileValue& value, const std::string& alternative) {
  return value.alternative == alternative && value.any.empty() && !value.condition;
}

/// KEY=ALTERNATIVE
Status change(const Library& library, const std::string& part, const std::string& text, Profile& profile) {
  const std::size_t equals = part.find('=');
  if (equals == std::string::npos) return fail(Errc::syntax, "'" + part + "' is no choice=alternative", text);
  const std::string key = part.substr(0, equals), alternative = part.substr(equals + 1);
  TIEBREAK_TRY(place, find_choice(library, key));
  const std::vector<std::string> names = alternative_names(*place.choice);
  if (std::ranges::find(names, alternative) == names.end()) {
    const std::string near = nearest(alternative, names);
    return fail(Errc::unknown_name, "choice " + key + " has no alternative '" + alternative + "'", text, near.empty() ? "" : "did you mean '" + near + "'?");
  }
  profile.choices[key] = ProfileValue{.alternative = alternative};
  return {};
}

}  // namespace

std::string changed_profile_text(const Semantics& semantics) {
  const Result<const Profile*> base = semantics.library.find_profile(base_name(semantics.profile.name));
  if (!base || semantics.profile.name.find(':') == std::string::npos) return semantics.profile.name;
  std::string text;
  for (const auto& [key, value] : semantics.profile.choices) {
    const auto known = (*base)->choices.find(key);
    if (value.alternative.empty() || (known != (*base)->choices.end() && is_alternative(known->second, value.alternative))) continue;
    text += (text.empty() ? ":" : ",") + key + "=" + value.alternative;
  }
  return (*base)->name + text;
}

Result<Profile> read_changed_profile(const Library& library, const std::string& text) {
  TIEBREAK_TRY(base, library.find_profile(base_name(text)));
  Profile profile = *base;
  for (std::size_t begin = base_name(text).size() + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    TIEBREAK_CHECK(change(library, text.substr(begin, end - begin), text, profile));
    begin = end + 1;
  }
  profile.name = text;
  return profile;
}

}  // namespace tiebreak
