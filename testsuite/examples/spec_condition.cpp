// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testsuite/case/request.hpp"
#include "testsuite/examples/spec_verify.hpp"
#include "testsuite/text/text_parts.hpp"

namespace tiebreak {
namespace {

std::string hint_for(const std::string& word, const std::vector<std::string>& known) {
  std::string near = nearest(word, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : " ") + name;
  return all.empty() ? "" : "one of " + all;
}

Status bind_choice(const Library& library, const Program& program, const std::string& choice, const std::string& alternative, const std::string& where,
                   Profile& profile) {
  std::vector<std::string> known;
  bool bound = false;
  for (const Operation& operation : program.operations) {
    for (const OpChoice& candidate : choices_of(library, operation.op)) {
      known.push_back(candidate.name);
      if (candidate.name != choice) continue;
      if (std::find(candidate.alternatives.begin(), candidate.alternatives.end(), alternative) == candidate.alternatives.end()) {
        return fail(Errc::unknown_name, "unknown alternative '" + alternative + "' of choice " + choice, where, hint_for(alternative, candidate.alternatives));
      }
      ProfileValue value;
      value.alternative = alternative;
      profile.choices[candidate.key] = value;
      bound = true;
    }
  }
  if (!bound) return fail(Errc::unknown_name, "unknown choice '" + choice + "'", where, hint_for(choice, known));
  return {};
}

}  // namespace

Result<Profile> profile_for_condition(const Library& library, const Program& program, const std::string& condition, const std::string& where) {
  if (condition.find('=') == std::string::npos) {
    std::string name(condition.empty() ? "reference" : trimmed(condition));
    Result<const Profile*> profile = library.find_profile(name);
    if (!profile) return fail(profile.error().code, profile.error().what, where, profile.error().hint);
    return **profile;
  }
  TIEBREAK_TRY(reference, library.find_profile("reference"));
  Profile profile = *reference;
  profile.name = condition;
  for (std::size_t start = 0; start <= condition.size();) {
    std::size_t end = std::min(condition.find(',', start), condition.size());
    std::string part(trimmed(condition.substr(start, end - start)));
    std::size_t equals = part.find('=');
    if (equals == std::string::npos) return fail(Errc::syntax, "'" + part + "' is not choice=alternative", where);
    TIEBREAK_CHECK(bind_choice(library, program, std::string(trimmed(part.substr(0, equals))), std::string(trimmed(part.substr(equals + 1))), where, profile));
    start = end + 1;
  }
  return profile;
}

}  // namespace tiebreak
