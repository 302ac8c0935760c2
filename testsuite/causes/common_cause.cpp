// SPDX-License-Identifier: Apache-2.0
#include "testsuite/causes/common_cause.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "testsuite/candidates/observed_cases.hpp"
#include "testsuite/causes/cause_candidates.hpp"
#include "testsuite/compare/compare.hpp"
#include "testsuite/compare/differing_elements.hpp"

namespace tiebreak {
namespace {

constexpr double work_limit = 3e7;  // element evaluations a case, about
constexpr std::size_t least_evaluations = 16;
constexpr std::size_t most_reduced = 6;      // profiles whose clauses are taken back one by one
constexpr std::size_t most_readings = 8;     // of one cause
constexpr std::size_t most_conforming = 48;  // cases that a reading must not contradict
constexpr std::size_t most_pairs = 1500;
constexpr std::size_t fewest_for_pairs = 256;  // evaluations: of a large case pairs are not worth the time

using CasePlaces = std::vector<std::size_t>;

/// Elements of one output that tell semantics apart, from all over it: some that are not as expected, which few others explain than what computes so, and then
/// some that are. Of a small output all are looked at anyway.
std::vector<std::int64_t> telling_elements(const ResultTensor& expected, const Tensor& answer) {
  constexpr std::int64_t small = 1024, parts = 16, tries = 4096;
  const std::int64_t size = answer.size(), part = size / parts + 1;
  if (size < small || !same_type(expected.tensor.type(), answer.type())) return {};
  std::vector<std::int64_t> telling;
  for_each_differing(expected.tensor, answer, [&](std::int64_t i, std::uint64_t, std::uint64_t) {
    const bool is_next = telling.empty() || telling.back() / part < i / part;
    if (is_next && !expected.is_undefined(i) && !same_element(expected.tensor, answer, i)) telling.push_back(i);
    return true;
  });
  for (std::int64_t first = 0; first < size; first += part)
    for (std::int64_t i = first; i < std::min({first + part, first + tries, size}); ++i)
      if (!expected.is_undefined(i) && same_element(expected.tensor, answer, i)) {
        telling.push_back(i);
        break;
      }
  return telling;
}

class Search {
 public:
  explicit Search(const CauseQuestion& question)
      : question_(question), candidates_(question.expected, question.declared, ops_of(question.failing.front()->test->program)) {
    for (const FailingCase* failing : question.failing) {
      Evidence evidence(question.expected.library, OpenElement::refuted);
      evidence.add(observed(*failing));
      cases_.push_back({std::move(evidence), evaluation_work(*failing), evaluations_allowed(*failing), {}});
      cases_.back().known.resize(candidates_.list().size());
    }
  }

  std::vector<FoundCause> run() {
    CasePlaces rest;
    for (std::size_t i = 0; i < cases_.size(); ++i) rest.push_back(i);
    std::ranges::stable_sort(rest, {}, [this](std::size_t i) { return cases_[i].work; });  // small cases refute as well as large ones
    explain_by_fusion(rest);
    while (!rest.empty()) {
      std::optional<FoundCause> cause = cause_of_all(rest);
      if (!cause) cause = cause_of_most(rest);
      if (!cause) break;
      keep(*std::move(cause), rest);
    }
    return std::move(causes_);
  }

 private:
  struct Observed {
    Evidence evidence;
    double work = 1;
    std::size_t left = 0;               ///< evaluations
    std::vector<std::uint8_t> known{};  ///< of each candidate: 0 not tried, 1 refuted, 2 explains
  };

  bool tries(std::size_t place, const Profile& profile) {
    Observed& one = cases_[place];
    if (one.left == 0 || (question_.interrupted && question_.interrupted())) return false;
    --one.left;
    return one.evidence.explains(profile);
  }

  bool explains(std::size_t candidate, std::size_t place) {
    std::uint8_t& known = cases_[place].known[candidate];
    if (known == 0) known = tries(place, candidates_.list()[candidate].profile) ? 2 : 1;
    return known == 2;
  }

  /// What refuted the last one is tried first.
  bool explains_all(const Profile& profile, CasePlaces& places) {
    for (auto place = places.begin(); place != places.end(); ++place) {
      if (tries(*place, profile)) continue;
      std::rotate(places.begin(), place, place + 1);
      return false;
    }
    return true;
  }

  bool explains_all(std::size_t candidate, CasePlaces& places) {
    for (auto place = places.begin(); place != places.end(); ++place) {
      if (explains(candidate, *place)) continue;
      std::rotate(places.begin(), place, place + 1);
      return false;
    }
    return true;
  }

  void keep(FoundCause cause, CasePlaces& rest) {
    std::erase_if(rest, [&](std::size_t i) { return std::ranges::find(cause.cases, i) != cause.cases.end(); });
    std::ranges::sort(cause.cases);
    causes_.push_back(std::move(cause));
  }

  /// A program is not its operations one by one: what a runtime fuses rounds in other places.
  void explain_by_fusion(CasePlaces& rest) {
    if (question_.fusions == nullptr) return;
    std::vector<const Profile*> profiles{&question_.expected.profile};
    if (const Result<const Profile*> declared = question_.expected.library.find_profile(question_.declared);
        declared && *declared != &question_.expected.profile)
      profiles.push_back(*declared);
    for (const Profile* profile : profiles) {
      const std::vector<Fusion> rules_of_system = fusions_of(*profile);
      std::map<std::vector<std::string>, FoundCause> by_rules;
      for (std::size_t place : rest) {
        const FailingCase& failing = *question_.failing[place];
        const std::optional<FusedProgram> made = explaining_fusion(failing, rules_of_system, *profile);
        if (!made) continue;
        std::vector<std::string> rules;
        for (const Fusion* rule : made->used) rules.push_back(rule->place);
        FoundCause& cause = by_rules[rules];
        if (cause.cases.empty()) cause = fusion_cause(*made, *profile);
        cause.cases.push_back(place);
      }
      for (auto& [rules, cause] : by_rules) keep(std::move(cause), rest);
    }
  }

  /// What the rules make of the program, where that explains the answers. A runtime may follow some of them: those that fit are left out one by one, and
  /// tried one by one.
  std::optional<FusedProgram> explaining_fusion(const FailingCase& failing, const std::vector<Fusion>& rules, const Profile& profile) const {
    FusedProgram all = fused(failing.test->program, rules);
    const std::vector<const Fusion*> fitting = all.used;
    if (fitting.empty()) return std::nullopt;
    if (is_explained_fused(failing, all.program, profile)) return all;
    for (const bool alone : {false, true})
      for (const Fusion* one : fitting) {
        if (question_.interrupted && question_.interrupted()) return std::nullopt;
        FusedProgram some = fused(failing.test->program, rules, [&](const Fusion& rule) { return (&rule == one) == alone; });
        if (!some.used.empty() && is_explained_fused(failing, some.program, profile)) return some;
      }
    return std::nullopt;
  }

  /// Those of the system, where it has some.
  std::vector<Fusion> fusions_of(const Profile& profile) const {
    std::vector<Fusion> own;
    std::ranges::copy_if(*question_.fusions, std::back_inserter(own), [&](const Fusion& rule) { return rule.system == profile.system; });
    return own.empty() ? *question_.fusions : own;
  }

  bool is_explained_fused(const FailingCase& failing, const Program& program, const Profile& profile) const {
    Observation observation = observed(failing);
    observation.test.program = program;
    Evidence evidence(question_.expected.library, OpenElement::refuted);
    evidence.add(std::move(observation));
    return evidence.explains(profile);
  }

  static FoundCause fusion_cause(const FusedProgram& made, const Profile& profile) {
    FoundCause cause;
    CauseReading reading{profile.name + " with fused operations", {profile.name + " with fused operations"}, {}, 0};
    for (const Fusion* rule : made.used) {
      reading.clauses.push_back({"fusion", rule->ops_text(), rule->fused.op, rule->place,
                                 "runs " + rule->ops_text() + " as one " + rule->fused.op + " where the profile runs each by itself"});
      cause.fusions.push_back(*rule);
    }
    cause.readings.push_back(std::move(reading));
    cause.profile = profile;
    return cause;
  }

  std::optional<FoundCause> cause_of_all(const CasePlaces& places) {
    CasePlaces order = places;
    std::vector<std::size_t> explaining;
    for (std::size_t i = 0; i < candidates_.list().size(); ++i)
      if (explains_all(i, order)) explaining.push_back(i);
    std::vector<CauseCandidate> found = reduced(explaining, order);
    const bool is_small = std::ranges::any_of(found, [](const CauseCandidate& one) { return one.changes.size() <= 2 || one.is_declared; });
    if (!is_small) std::ranges::move(explaining_pairs(order), std::back_inserter(found));
    if (found.empty()) return std::nullopt;
    return cause_from(std::move(found), places);
  }

  /// The candidate that explains the most cases decides which these are.
  std::optional<FoundCause> cause_of_most(const CasePlaces& places) {
    CasePlaces most;
    for (std::size_t i = 0; i < candidates_.list().size(); ++i) {
      CasePlaces own;
      std::ranges::copy_if(places, std::back_inserter(own), [&](std::size_t place) { return explains(i, place); });
      if (own.size() > most.size()) most = std::move(own);
    }
    if (most.empty()) return cause_by_pairs(places);
    return cause_of_all(most);
  }

  /// Nothing explains a case alone. A pair that explains one of the first cases may explain others.
  std::optional<FoundCause> cause_by_pairs(const CasePlaces& places) {
    if (places.size() == 1) return std::nullopt;  // its pairs were tried
    for (std::size_t i = 0; i < places.size() && i < 2; ++i) {
      CasePlaces seed{places[i]};
      std::vector<CauseCandidate> found = explaining_pairs(seed);
      if (found.empty()) continue;
      CasePlaces own{places[i]};
      for (std::size_t place : places)
        if (place != places[i] && tries(place, found.front().profile)) own.push_back(place);
      std::erase_if(found, [&](const CauseCandidate& one) { return !explains_all(one.profile, own); });
      return cause_from(std::move(found), own);
    }
    return std::nullopt;
  }

  /// Profiles with only those clauses that the cases need; what is known to be one change is as it is.
  std::vector<CauseCandidate> reduced(const std::vector<std::size_t>& explaining, CasePlaces& places) {
    std::vector<CauseCandidate> found;
    std::size_t count = 0;
    const bool has_single = std::ranges::any_of(explaining, [this](std::size_t i) { return candidates_.list()[i].changes.size() == 1; });
    for (std::size_t i : explaining) {
      const CauseCandidate& one = candidates_.list()[i];
      // Beside a single change other profiles only lend their names, unless it is the declared one.
      if (one.changes.size() <= 1) found.push_back(one);
      else if (one.is_declared || (!has_single && count++ < most_reduced)) found.push_back(without_needless(one, places));
    }
    for (std::size_t i : explaining) candidates_.lend_name(candidates_.list()[i], found);
    return found;
  }

  CauseCandidate without_needless(CauseCandidate one, CasePlaces& places) {
    for (std::size_t i = 0; i < one.changes.size() && one.changes.size() > 1;) {
      CauseCandidate less = candidates_.without(one, i);
      if (explains_all(less.profile, places)) one = std::move(less);
      else ++i;
    }
    return one;
  }

  std::vector<CauseCandidate> explaining_pairs(CasePlaces& places) {
    std::vector<CauseCandidate> found;
    if (cases_[places.front()].left < fewest_for_pairs) return found;
    std::size_t tried = 0;
    const std::vector<OpChoice> reached = reached_in(places.front());
    visit_combinations(reached, SearchLevel::pairs, [&](const ChoiceChanges& changes) {
      CauseCandidate pair = candidates_.pair_of(changes);
      if (pair.changes.size() == 2 && explains_all(pair.profile, places)) found.push_back(std::move(pair));
      return ++tried < most_pairs && found.size() < most_readings;
    });
    return found;
  }

  /// The choices of which some alternative changes the case's result.
  std::vector<OpChoice> reached_in(std::size_t place) const {
    const Evidence& evidence = cases_[place].evidence;
    const Candidate expected{question_.expected.profile.name, {question_.expected.profile.name}, question_.expected.profile};
    return reached_choices(question_.expected.library, evidence, {expected}, candidates_.choices());
  }

  FoundCause cause_from(std::vector<CauseCandidate> found, const CasePlaces& places) {
    FoundCause cause;
    cause.cases = places;
    candidates_.rank(found);
    found.resize(std::min(found.size(), most_readings));
    std::vector<std::size_t> against;
    for (const CauseCandidate& one : found) against.push_back(contradicted_by(one.profile));
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < found.size(); ++i) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return against[i]; });
    for (std::size_t i : order) cause.readings.push_back({found[i].name, found[i].members, candidates_.clauses_of(found[i]), against[i]});
    cause.profile = found[order.front()].profile;
    cause.agreeing = conforming().size() - against[order.front()];
    return cause;
  }

  struct Conforming {
    const Case* test;
    std::vector<ResultTensor> results;
  };

  /// The smaller cases, with what the backend gave for them: what was expected.
  const std::vector<Conforming>& conforming() {
    if (is_conforming_known_) return conforming_;
    is_conforming_known_ = true;
    for (const Case* test : question_.conforming) {
      if (conforming_.size() >= most_conforming) break;
      Result<std::vector<ResultTensor>> results = evaluate(question_.expected, test->program, test->inputs);
      if (results) conforming_.push_back({test, *std::move(results)});
    }
    return conforming_;
  }

  std::size_t contradicted_by(const Profile& profile) {
    std::size_t count = 0;
    for (const Conforming& one : conforming()) {
      const Result<std::vector<ResultTensor>> results = evaluate({question_.expected.library, profile}, one.test->program, one.test->inputs);
      bool differs = !results;
      for (std::size_t i = 0; results && i < one.results.size() && i < results->size(); ++i)
        differs = differs || count_different(one.results[i], (*results)[i]) > 0;
      count += differs ? 1 : 0;
    }
    return count;
  }

  const CauseQuestion& question_;
  CauseCandidates candidates_;
  std::vector<Observed> cases_{};
  std::vector<FoundCause> causes_{};
  std::vector<Conforming> conforming_{};
  bool is_conforming_known_ = false;
};

}  // namespace

std::vector<FoundCause> common_causes(const CauseQuestion& question) {
  if (question.failing.empty()) return {};
  return Search(question).run();
}

Observation observed(const FailingCase& failing) {
  Observation observation;
  observation.test = *failing.test;
  for (std::size_t i = 0; i < failing.answers.size(); ++i) {
    ResultTensor answer;
    answer.name = failing.expectation[i].name;
    answer.tensor = failing.answers[i];
    observation.answers.push_back(std::move(answer));
    observation.unstated.push_back(failing.expectation[i].undefined);
    observation.telling.push_back(telling_elements(failing.expectation[i], failing.answers[i]));
  }
  if (std::ranges::all_of(observation.telling, [](const auto& elements) { return elements.empty(); })) observation.telling.clear();
  return observation;
}

Case fused_case(Case test, const std::vector<Fusion>& fusions) {
  if (!fusions.empty()) test.program = fused(std::move(test.program), fusions).program;
  return test;
}

/// Of a contraction the depth counts, which is sqrt(|a| |b| / |y|) of a matrix product.
double evaluation_work(const FailingCase& failing) {
  double results = 1, largest = 1, second = 1;
  for (const ResultTensor& result : failing.expectation) results += static_cast<double>(result.tensor.size());
  for (const Tensor& input : failing.test->inputs) {
    auto size = static_cast<double>(input.size());
    second = std::max(second, std::min(size, largest));
    largest = std::max(largest, size);
  }
  return results * std::max(1.0, std::sqrt(largest * second / results));
}

std::size_t evaluations_allowed(const FailingCase& failing) {
  return std::max(least_evaluations, static_cast<std::size_t>(work_limit / evaluation_work(failing)));
}

}  // namespace tiebreak
