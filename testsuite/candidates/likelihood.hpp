// SPDX-License-Identifier: Apache-2.0
// Of semantics that explain a log, which is the likeliest: by the system whose profiles they are, where that is not stated.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testsuite/candidates/candidates.hpp"

namespace tiebreak {

struct LikelihoodQuestion {
  std::vector<std::string> ops{};  ///< that were observed
  std::string system{};            ///< whose code it was, where that is known
  /// Of a log with parts: systems with a profile that explains each of the other parts. Body and tail are one system's.
  std::optional<std::set<std::string>> elsewhere{};
  std::function<bool(const Candidate&)> explains{};
};

/// What explains, the likeliest first, then the rest in its order; members of a candidate likewise, and the first gives it its name. First
/// come profiles of the stated system, then of systems that explain the other parts of the log, then those that bind a choice of the
/// observed op itself (onnx.QLinearConv/...), then by the share of their system's profiles that explain, by the rule of succession (k + 1)
/// / (n + 2): a system of which six of six profiles fit stands before one of which one of one does, and that before one of which one of
/// nine does. Within a system the profile that others extend comes first. `reference`, no system's, is the last.
std::set<std::string> explaining_systems(const Library& library, const std::vector<Candidate>& candidates,
                                         const std::function<bool(const Candidate&)>& explains);
std::vector<Candidate> likeliest_first(const Library& library, std::vector<Candidate> candidates, const LikelihoodQuestion& question);

}  // namespace tiebreak
