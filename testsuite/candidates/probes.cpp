// SPDX-License-Identifier: Apache-2.0
// Every input of the pool parts the candidates into groups of equal results. Inputs with the same grouping are the same question; the first, the
// smallest, stands for all. Then the grouping that splits the most pairs still together is taken, again and again.
#include "testsuite/candidates/probes.hpp"

#include <algorithm>
#include <map>

namespace tiebreak {
namespace {

/// For each candidate its group, or `undefined_group`.
using Grouping = std::vector<std::uint16_t>;
constexpr std::uint16_t undefined_group = 0xFFFF;
constexpr std::uint16_t unknown_group = 0xFFFE;  // not evaluated: told from all others before

/// The candidates' results on one set; those that cannot be evaluated there are undefined.
std::vector<Outcomes> outcomes_on(const Library& library, const std::vector<Candidate>& candidates, const std::vector<bool>& active, const Case& test,
                                  std::size_t count) {
  std::vector<Outcomes> all;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!active[i]) {
      all.emplace_back();
      continue;
    }
    Result<std::vector<ResultTensor>> results = results_under(library, candidates[i].profile, test);
    Outcomes one = results ? joined(*results) : Outcomes{};
    if (one.size() != count) one = {std::vector<std::uint64_t>(count, 0), std::vector<std::uint8_t>(count, 1)};
    all.push_back(std::move(one));
  }
  return all;
}

class Chooser {
 public:
  Chooser(const std::vector<Candidate>& candidates, const ProbeRequest& request) : count_(candidates.size()), request_(request) {
    plan_.count = count_;
    plan_.separation.assign(count_ * count_, Separation::none);
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = i + 1; j < count_; ++j)
        if (!request.wanted || request.wanted(i, j)) pairs_.emplace_back(i, j);
    open_ = pairs_.size();
  }

  bool is_done() const { return open_ == 0; }

  /// The candidates that are not yet told from all others for certain.
  std::vector<bool> active() const {
    std::vector<bool> active(count_, false);
    for (const auto& [i, j] : pairs_)
      if (plan_.separation[i * count_ + j] != Separation::certain) active[i] = active[j] = true;
    return active;
  }

  void look_at(std::size_t set, const std::vector<Outcomes>& outcomes, std::size_t elements) {
    ++plan_.sets;
    plan_.inputs += elements;
    std::vector<std::uint64_t> groups;
    Grouping grouping(count_);
    for (std::size_t element = 0; element < elements; ++element) {
      groups.clear();
      for (std::size_t i = 0; i < count_; ++i) {
        grouping[i] = outcomes[i].size() == 0 ? unknown_group : undefined_group;
        if (outcomes[i].size() == 0 || outcomes[i].undefined[element] != 0) continue;
        auto known = std::ranges::find(groups, outcomes[i].codes[element]);
        grouping[i] = static_cast<std::uint16_t>(known - groups.begin());
        if (known == groups.end()) groups.push_back(outcomes[i].codes[element]);
      }
      bool has_undefined = std::ranges::find(grouping, undefined_group) != grouping.end();
      if (groups.size() < 2 && !(has_undefined && groups.size() == 1)) continue;
      if (found_.try_emplace(grouping, Probe{set, static_cast<std::int64_t>(element)}).second) note(grouping);
    }
  }

  ProbePlan finish() {
    for (Separation wanted : {Separation::certain, Separation::loose}) choose(wanted);
    std::sort(plan_.probes.begin(), plan_.probes.end());
    return std::move(plan_);
  }

 private:
  static Separation between(std::uint16_t a, std::uint16_t b) {
    if (a == b || a == unknown_group || b == unknown_group) return Separation::none;
    return a == undefined_group || b == undefined_group ? Separation::loose : Separation::certain;
  }

  void note(const Grouping& grouping) {
    for (const auto& [i, j] : pairs_) {
      Separation& known = plan_.separation[i * count_ + j];
      Separation now = between(grouping[i], grouping[j]);
      if (now <= known) continue;
      if (now == Separation::certain) --open_;
      known = now;
    }
  }

  void choose(Separation wanted) {
    std::vector<std::pair<const Grouping*, Probe>> questions;
    for (const auto& [grouping, probe] : found_) questions.emplace_back(&grouping, probe);
    std::ranges::sort(questions, {}, &std::pair<const Grouping*, Probe>::second);
    std::vector<std::pair<std::size_t, std::size_t>> together;
    auto split = [&](const Grouping& grouping, const std::pair<std::size_t, std::size_t>& pair) {
      return between(grouping[pair.first], grouping[pair.second]) >= wanted;
    };
    for (const auto& pair : pairs_) {
      if (plan_.separation[pair.first * count_ + pair.second] != wanted) continue;
      bool is_split = std::ranges::any_of(taken_, [&](const Grouping* grouping) { return split(*grouping, pair); });
      if (!is_split) together.push_back(pair);
    }
    while (!together.empty() && plan_.probes.size() < request_.most) {
      std::size_t best = 0, most = 0;
      for (std::size_t q = 0; q < questions.size(); ++q) {
        auto splits = static_cast<std::size_t>(std::ranges::count_if(together, [&](const auto& pair) { return split(*questions[q].first, pair); }));
        if (splits > most) {
          most = splits;
          best = q;
        }
      }
      if (most == 0) break;
      plan_.probes.push_back(questions[best].second);
      taken_.push_back(questions[best].first);
      std::erase_if(together, [&](const auto& pair) { return split(*questions[best].first, pair); });
    }
    plan_.left += together.size();
  }

  std::size_t count_;
  const ProbeRequest& request_;
  ProbePlan plan_{};
  std::vector<std::pair<std::size_t, std::size_t>> pairs_{};
  std::size_t open_ = 0;
  std::map<Grouping, Probe> found_{};
  std::vector<const Grouping*> taken_{};
};

}  // namespace

Result<ProbePlan> choose_probes(const Library& library, const std::vector<Candidate>& candidates, const std::vector<ProbeSet>& pool,
                                const ProbeRequest& request) {
  Chooser chooser(candidates, request);
  for (std::size_t set = 0; set < pool.size() && !chooser.is_done(); ++set) {
    if (request.refused.contains(set)) continue;
    TIEBREAK_TRY(test, case_of(library, pool[set].call, pool[set].name));
    auto count = static_cast<std::size_t>(pool[set].count);
    chooser.look_at(set, outcomes_on(library, candidates, chooser.active(), test, count), count);
  }
  return chooser.finish();
}

}  // namespace tiebreak
