// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/search.hpp"

#include <algorithm>

#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_found = 128;

/// Codes of all observed cases under a profile; what cannot be evaluated is one more value.
std::vector<Outcomes> predictions(const Library& library, const Evidence& evidence, const Profile& profile) {
  std::vector<Outcomes> all;
  for (const Observation& observation : evidence.observations()) {
    Result<std::vector<ResultTensor>> results = results_under({library, profile}, observation.test);
    all.push_back(results ? joined(*results) : Outcomes{});
  }
  return all;
}

bool same_outcomes(const std::vector<Outcomes>& a, const std::vector<Outcomes>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].undefined != b[i].undefined || a[i].size() != b[i].size()) return false;
    for (std::size_t k = 0; k < a[i].size(); ++k)
      if (a[i].undefined[k] == 0 && a[i].codes[k] != b[i].codes[k]) return false;
  }
  return true;
}

std::string base_names(const std::vector<Candidate>& bases) {
  std::string text;
  for (const Candidate& base : bases) text += (text.empty() ? "" : ", ") + base.name;
  return text;
}

}  // namespace

std::vector<Candidate> neighbours(const Library& library, const Candidate& base, const std::vector<OpChoice>& choices) {
  std::vector<Candidate> found;
  visit_combinations(choices, SearchLevel::singles, [&](const ChoiceChanges& changes) {
    std::string own = bound_text({library, base.profile}, op_of(*changes[0].choice), *changes[0].choice);
    if (own != changes[0].alternative) found.push_back(changed(base, changes));
    return true;
  });
  return found;
}

std::vector<Candidate> nearest_candidates(const Evidence& evidence, const std::vector<Candidate>& candidates, std::size_t most) {
  std::vector<std::pair<std::size_t, const Candidate*>> ranked;
  for (const Candidate& candidate : candidates) ranked.emplace_back(evidence.fit(candidate.profile).explained, &candidate);
  std::ranges::stable_sort(ranked, std::ranges::greater{}, &std::pair<std::size_t, const Candidate*>::first);
  std::vector<Candidate> best;
  for (std::size_t i = 0; i < ranked.size() && i < most; ++i) best.push_back(*ranked[i].second);
  return best;
}

std::vector<OpChoice> reached_choices(const Library& library, const Evidence& evidence, const std::vector<Candidate>& bases,
                                      const std::vector<OpChoice>& choices) {
  std::vector<std::vector<Outcomes>> own;
  for (const Candidate& base : bases) own.push_back(predictions(library, evidence, base.profile));
  std::vector<OpChoice> reached;
  for (const OpChoice& choice : choices) {
    bool matters = false;
    for (std::size_t b = 0; b < bases.size() && !matters; ++b)
      for (const std::string& alternative : choice.alternatives) {
        matters = !same_outcomes(own[b], predictions(library, evidence, with_choice(bases[b].profile, choice, alternative)));
        if (matters) break;
      }
    if (matters) reached.push_back(choice);
  }
  return reached;
}

SearchResult search_combinations(Evidence& evidence, const std::vector<Candidate>& bases, const std::vector<OpChoice>& choices, SearchLevel level,
                                 std::size_t limit) {
  SearchResult result;
  std::size_t tried = 0;
  bool full = false;
  auto try_all = [&](const Candidate& base) {
    visit_combinations(choices, level, [&](const ChoiceChanges& changes) {
      ++tried;
      Profile profile = base.profile;
      for (const ChoiceChange& change : changes) profile = with_choice(std::move(profile), *change.choice, change.alternative);
      if (evidence.explains(profile)) {
        Candidate found = changed(base, changes);
        if (level == SearchLevel::product) found.name = to_text(changes);
        result.explaining.push_back(std::move(found));
      }
      full = result.explaining.size() >= most_found || tried >= limit;
      return !full;
    });
  };
  if (level == SearchLevel::product) {
    if (std::size_t product = product_of(choices, limit); product > limit) {
      result.tried = "not the whole product, which has more than " + std::to_string(limit) + " members";
      return result;
    }
    if (!bases.empty()) try_all(bases.front());
    result.tried = "all " + counted(tried, "combination") + " of " + counted(choices.size(), "choice");
  } else {
    for (std::size_t i = 0; i < bases.size() && !full; ++i) try_all(bases[i]);
    result.tried = counted(tried, level == SearchLevel::singles ? "single change" : "pair") + (level == SearchLevel::singles ? "" : " of changes") + " of " +
                   base_names(bases);
  }
  if (full) result.tried += " (stopped there)";
  return result;
}

std::string relation_text(Separation separation, const ProbePlan& plan) {
  std::string over = "on " + std::to_string(plan.inputs) + " inputs of " + counted(plan.sets, "parameter set");
  if (separation == Separation::none) return "not separated by the pool: equal " + over;
  if (separation == Separation::loose) return "equal where both define the result, " + over;
  return "another result is possible: ask what decides";
}

Result<Relations> relations_to_first(const Library& library, const std::vector<Candidate>& candidates, const std::vector<ProbeSet>& pool) {
  Relations relations;
  relations.texts.resize(candidates.size());
  relations.certain.resize(candidates.size(), false);
  if (candidates.size() < 2) return relations;
  if (pool.empty()) {
    for (std::size_t i = 1; i < candidates.size(); ++i) relations.texts[i] = "not told apart by these observations; no further questions are known for this op";
    return relations;
  }
  ProbeRequest request;
  request.most = 8;
  request.wanted = [](std::size_t i, std::size_t) { return i == 0; };
  TIEBREAK_TRY(plan, choose_probes(library, candidates, pool, request));
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    relations.certain[i] = plan.between(0, i) == Separation::certain;
    relations.texts[i] = relation_text(plan.between(0, i), plan);
  }
  for (const Probe& probe : plan.probes) relations.deciding.push_back(probe_text(pool[probe.set], probe.index));
  return relations;
}

}  // namespace tiebreak
