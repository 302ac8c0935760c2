// SPDX-License-Identifier: Apache-2.0
// The semantics that a search for a cause tries, each as the changes that make it of the expected profile, and which of them is the
// likeliest.
#pragma once
#include <string>
#include <vector>

#include "testsuite/candidates/search.hpp"
#include "testsuite/causes/common_cause.hpp"

namespace tiebreak {

struct CauseCandidate {
  std::string name;
  std::vector<std::string> members{};
  Profile profile{};
  ChoiceChanges changes{};   ///< of the expected profile
  std::size_t distance = 0;  ///< changes of the whole profile, those that the cases do not need included
  bool is_profile = true;    ///< else changes that no profile has
  bool is_declared = false;
  bool is_foreign = false;  ///< of another system than the backend declares, or than was expected
};

class CauseCandidates {
 public:
  /// The declared profile, then every single change of the expected one, then all other profiles.
  CauseCandidates(const Library& library, const Profile& expected, const std::string& declared, const std::vector<std::string>& ops);
  CauseCandidates(const CauseCandidates&) = delete;  // changes point at the choices
  CauseCandidates& operator=(const CauseCandidates&) = delete;

  const std::vector<CauseCandidate>& list() const { return list_; }
  const std::vector<OpChoice>& choices() const { return choices_; }

  /// One change less: there the profile is as expected.
  CauseCandidate without(const CauseCandidate& one, std::size_t change) const;
  CauseCandidate pair_of(const ChoiceChanges& changes) const;
  /// Puts the profile's name beside what it makes in the same way: candidates all of whose changes it has, too.
  void lend_name(const CauseCandidate& profile, std::vector<CauseCandidate>& found) const;
  /// The likeliest first; of several with the same changes one is left.
  void rank(std::vector<CauseCandidate>& found) const;
  std::vector<DiagnosedClause> clauses_of(const CauseCandidate& one) const;

 private:
  ChoiceChanges changes_of(const Profile& profile) const;
  bool is_foreign(const Profile& profile) const;
  void add_profiles(const std::vector<Candidate>& profiles, bool declared);

  const Library& library_;
  const Profile& expected_;
  std::string declared_;
  std::string system_;
  bool has_several_ops_ = false;
  std::vector<OpChoice> choices_{};
  std::vector<CauseCandidate> list_{};
};

}  // namespace tiebreak
