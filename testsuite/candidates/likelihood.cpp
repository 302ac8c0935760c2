// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/likelihood.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tiebreak {
namespace {

/// The profile behind a member's name, which may go on with ` with tie=away` or ` in onnx.QLinearConv`.
const Profile* member_profile(const Library& library, const std::string& member) {
  const Result<const Profile*> found = library.find_profile(member.substr(0, std::min(member.find(" with "), member.find(" in "))));
  return found ? *found : nullptr;
}

struct Share {
  std::size_t explaining = 0, of = 0;
  double succession() const { return static_cast<double>(explaining + 1) / static_cast<double>(of + 2); }
};

class Ranking {
 public:
  Ranking(const Library& library, const LikelihoodQuestion& question) : library_(library), question_(question) {}

  void count(const Candidate& candidate, bool explains) {
    for (const std::string& member : candidate.members) {
      const Profile* profile = member_profile(library_, member);
      if (profile == nullptr) continue;
      Share& share = shares_[profile->system];
      ++share.of;
      share.explaining += explains ? 1 : 0;
    }
  }

  using Rank = std::tuple<bool, bool, bool, bool, double, std::size_t, std::string>;
  Rank rank(const std::string& member) const {
    const Profile* profile = member_profile(library_, member);
    if (profile == nullptr || profile->name == "reference") return {true, true, true, true, 0, 0, member};
    const bool is_other = !question_.system.empty() && profile->system != question_.system;
    const bool is_here_alone = question_.elsewhere && !question_.elsewhere->contains(profile->system);
    return {is_other, is_here_alone, !binds_op(*profile), false, -shares_.at(profile->system).succession(), depth(*profile), member};
  }

 private:
  bool binds_op(const Profile& profile) const {
    return std::ranges::any_of(question_.ops, [&](const std::string& op) {
      const auto key = profile.choices.lower_bound(op + "/");
      return key != profile.choices.end() && key->first.starts_with(op + "/");
    });
  }

  /// How many profiles it extends.
  std::size_t depth(const Profile& profile) const {
    std::size_t depth = 0;
    for (const Profile* at = &profile; !at->extends.empty() && depth < 100; ++depth) {
      const Result<const Profile*> base = library_.find_profile(at->extends);
      if (!base || (*base)->name == at->name) break;
      at = *base;
    }
    return depth;
  }

  const Library& library_;
  const LikelihoodQuestion& question_;
  std::map<std::string, Share> shares_{};
};

}  // namespace

std::set<std::string> explaining_systems(const Library& library, const std::vector<Candidate>& candidates,
                                         const std::function<bool(const Candidate&)>& explains) {
  std::set<std::string> systems;
  for (const Candidate& candidate : candidates) {
    if (!explains(candidate)) continue;
    for (const std::string& member : candidate.members)
      if (const Profile* profile = member_profile(library, member); profile != nullptr && profile->name != "reference") systems.insert(profile->system);
  }
  return systems;
}

std::vector<Candidate> likeliest_first(const Library& library, std::vector<Candidate> candidates, const LikelihoodQuestion& question) {
  Ranking ranking(library, question);
  std::vector<Candidate> explaining, others;
  for (Candidate& candidate : candidates) {
    const bool explains = question.explains(candidate);
    ranking.count(candidate, explains);
    (explains ? explaining : others).push_back(std::move(candidate));
  }
  for (Candidate& candidate : explaining) {
    std::ranges::sort(candidate.members, {}, [&](const std::string& member) { return ranking.rank(member); });
    candidate.name = candidate.members.front();
  }
  std::ranges::stable_sort(explaining, {}, [&](const Candidate& candidate) { return ranking.rank(candidate.members.front()); });
  explaining.insert(explaining.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  return explaining;
}

}  // namespace tiebreak
