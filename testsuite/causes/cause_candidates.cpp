// SPDX-License-Identifier: Apache-2.0
#include "testsuite/causes/cause_candidates.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/causes/cause_words.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_members = 4;

std::string alternative_place(const Library& library, const OpChoice& choice, const std::string& alternative) {
  Result<ChoicePlace> place = find_choice(library, choice.key);
  if (!place) return "";
  for (const notation::Alternative& one : place->choice->alternatives)
    if (one.name == alternative) return (one.file.empty() ? place->module->file : one.file) + ":" + std::to_string(one.at.line);
  return place->module->file + ":" + std::to_string(place->choice->at.line);
}

bool is_member(const std::vector<std::string>& members, const std::string& name) { return std::ranges::find(members, name) != members.end(); }

/// The profile of this name leads, where it is one of them.
void name_first(CauseCandidate& one, const std::string& name) {
  const auto member = std::ranges::find(one.members, name);
  if (member == one.members.end()) return;
  std::rotate(one.members.begin(), member, member + 1);
  one.name = name;
}

bool same_change(const ChoiceChange& a, const ChoiceChange& b) { return a.choice == b.choice && a.alternative == b.alternative; }

}  // namespace

CauseCandidates::CauseCandidates(const Semantics& expected, const std::string& declared, const std::vector<std::string>& ops)
    : library_(expected.library),
      expected_(expected.profile),
      declared_(declared),
      system_(expected.profile.system),
      has_several_ops_(ops.size() > 1),
      choices_(choices_of_ops(expected.library, ops)) {
  if (const Result<const Profile*> own = expected.library.find_profile(declared); own && !declared.empty()) system_ = (*own)->system;
  const std::vector<Candidate> profiles = profile_candidates(expected.library, ops).candidates;
  add_profiles(profiles, true);
  const Candidate base{expected.profile.name, {expected.profile.name}, expected.profile};
  visit_combinations(choices_, SearchLevel::singles, [&](const ChoiceChanges& changes) {
    if (bound_text(expected, op_of(*changes[0].choice), *changes[0].choice) == changes[0].alternative) return true;
    Candidate made = changed(base, changes);
    list_.push_back({made.name, made.members, std::move(made.profile), changes, 1, false, false, false});
    return true;
  });
  add_profiles(profiles, false);
}

void CauseCandidates::add_profiles(const std::vector<Candidate>& profiles, bool declared) {
  for (const Candidate& profile : profiles) {
    const bool is_declared = !declared_.empty() && is_member(profile.members, declared_);
    ChoiceChanges changes = changes_of(profile.profile);
    if (is_declared != declared || changes.empty()) continue;
    const std::size_t distance = changes.size();
    CauseCandidate one{profile.name, profile.members, profile.profile, std::move(changes), distance, true, is_declared, false};
    one.is_foreign = std::ranges::none_of(profile.members, [this](const std::string& name) {
      const Result<const Profile*> member = library_.find_profile(name);
      return !is_foreign(member ? **member : Profile{});
    });
    if (is_declared) name_first(one, declared_);
    list_.push_back(std::move(one));
  }
}

/// Where nothing is known of a system, no profile is of another one.
bool CauseCandidates::is_foreign(const Profile& profile) const { return !system_.empty() && profile.system != system_; }

ChoiceChanges CauseCandidates::changes_of(const Profile& profile) const {
  ChoiceChanges changes;
  for (const OpChoice& choice : choices_) {
    const std::string op = op_of(choice), own = bound_text({library_, expected_}, op, choice), other = bound_text({library_, profile}, op, choice);
    if (own != other) changes.push_back({&choice, other});
  }
  return changes;
}

CauseCandidate CauseCandidates::without(const CauseCandidate& one, std::size_t change) const {
  CauseCandidate less = one;
  const OpChoice& choice = *one.changes[change].choice;
  const ProfileValue* value = resolve_choice(expected_, choice.module, op_of(choice), choice.alias, choice.own_name);
  ProfileValue own;
  own.alternative = bound_text({library_, expected_}, op_of(choice), choice);
  less.profile.choices[choice.key] = value == nullptr ? own : *value;
  less.changes.erase(less.changes.begin() + static_cast<std::ptrdiff_t>(change));
  return less;
}

CauseCandidate CauseCandidates::pair_of(const ChoiceChanges& changes) const {
  ChoiceChanges real;
  for (const ChoiceChange& change : changes) {
    // The caller's choices may be copies of these.
    const auto own = std::ranges::find(choices_, change.choice->key, &OpChoice::key);
    if (own != choices_.end() && bound_text({library_, expected_}, op_of(*own), *own) != change.alternative) real.push_back({&*own, change.alternative});
  }
  Candidate made = changed({expected_.name, {expected_.name}, expected_}, real);
  return {made.name, made.members, std::move(made.profile), real, real.size(), false, false, false};
}

void CauseCandidates::lend_name(const CauseCandidate& profile, std::vector<CauseCandidate>& found) const {
  if (!profile.is_profile) return;
  const ChoiceChanges whole = changes_of(profile.profile);
  for (CauseCandidate& one : found) {
    const bool has_all = std::ranges::all_of(one.changes, [&](const ChoiceChange& change) {
      return std::ranges::any_of(whole, [&](const ChoiceChange& other) { return same_change(change, other); });
    });
    if (!has_all || one.is_declared) continue;
    for (const std::string& member : profile.members)
      if (one.members.size() < most_members && !is_member(one.members, member)) one.members.push_back(member);
    // What a profile of the same system does is likelier than what nobody is known to do.
    if (!one.is_profile && !system_.empty() && !profile.is_foreign) name_first(one, profile.name);
  }
}

void CauseCandidates::rank(std::vector<CauseCandidate>& found) const {
  std::ranges::stable_sort(found, {}, [](const CauseCandidate& one) { return std::tuple(!one.is_declared, one.changes.size(), one.is_foreign, one.distance); });
  std::vector<CauseCandidate> kept;
  for (CauseCandidate& one : found) {
    const auto same = std::ranges::find_if(kept, [&](const CauseCandidate& other) { return std::ranges::equal(one.changes, other.changes, same_change); });
    if (same == kept.end()) {
      kept.push_back(std::move(one));
      continue;
    }
    for (const std::string& member : one.members)
      if (same->members.size() < most_members && !is_member(same->members, member)) same->members.push_back(member);
  }
  found = std::move(kept);
}

std::vector<DiagnosedClause> CauseCandidates::clauses_of(const CauseCandidate& one) const {
  std::vector<DiagnosedClause> clauses;
  for (const ChoiceChange& change : one.changes) {
    const OpChoice& choice = *change.choice;
    const std::string expected = bound_text({library_, expected_}, op_of(choice), choice);
    clauses.push_back({has_several_ops_ ? choice.key : choice.name, expected, change.alternative, alternative_place(library_, choice, change.alternative),
                       clause_words(library_, choice.key, expected, change.alternative)});
  }
  return clauses;
}

}  // namespace tiebreak
