// SPDX-License-Identifier: Apache-2.0
// The semantics that may stand behind an op's results: the profiles, one for each set of choice values, and the free combinations of
// alternatives that no profile has yet.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"
#include "testsuite/case/request.hpp"

namespace tiebreak {

struct Candidate {
  std::string name;                    ///< of the first member; of a combination `code=f32, tie=away`
  std::vector<std::string> members{};  ///< profiles with the same values for every choice
  Profile profile{};
};

struct ProfileCandidates {
  std::vector<Candidate> candidates{};  ///< `reference` first, then by name
  std::vector<std::string> silent{};    ///< profiles that say nothing about these ops: they read the pages as `reference` does
};
/// Profiles that bind a choice of the ops in the same way are one candidate. One that leaves a choice open counts once for each alternative.
ProfileCandidates profile_candidates(const Library& library, const std::vector<std::string>& ops);
/// The same of the profiles given, in their order.
ProfileCandidates candidates_among(const Library& library, const std::vector<std::string>& ops, const std::vector<const Profile*>& profiles);

/// Every choice of the ops, each once.
std::vector<OpChoice> choices_of_ops(const Library& library, const std::vector<std::string>& ops);

/// What a profile binds a choice to: an alternative's name, `a if x.type == f16, else b`, or `any of a b`.
std::string bound_text(const Library& library, const Profile& profile, const std::string& op, const OpChoice& choice);
/// The profile with one choice bound to an alternative, whatever the types.
Profile with_choice(Profile profile, const OpChoice& choice, const std::string& alternative);
/// Op of a choice's key: `onnx.QLinearConv` of `onnx.QLinearConv/requantize.code`.
std::string op_of(const OpChoice& choice);

/// In how many of the choices two profiles part.
std::size_t count_parting(const Library& library, const Profile& a, const Profile& b, const std::vector<OpChoice>& choices);

/// One change of a profile.
struct ChoiceChange {
  const OpChoice* choice = nullptr;
  std::string alternative{};
};
using ChoiceChanges = std::vector<ChoiceChange>;
/// `code=f32, tie=away`.
std::string to_text(const ChoiceChanges& changes);
Candidate changed(const Candidate& base, const ChoiceChanges& changes);

enum class SearchLevel : std::uint8_t { singles, pairs, product };
/// Visits every change of one choice, of two, or of all at once. `visit` returns false to stop.
void visit_combinations(const std::vector<OpChoice>& choices, SearchLevel level, const std::function<bool(const ChoiceChanges&)>& visit);
/// Number of members of the whole product; `limit + 1` where it has more than `limit`.
std::size_t product_of(const std::vector<OpChoice>& choices, std::size_t limit);

}  // namespace tiebreak
