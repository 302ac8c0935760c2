// SPDX-License-Identifier: Apache-2.0
// Questions of a pool put to a backend, those with equal parameters together in one case.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "testsuite/backends/backend.hpp"
#include "testsuite/candidates/observed_cases.hpp"
#include "testsuite/candidates/probes.hpp"

namespace tiebreak {

struct AskResult {
  std::vector<Observation> observations{};
  std::set<std::size_t> refused{};     ///< sets without an answer
  std::vector<std::string> reasons{};  ///< each once
};
/// The outputs of an answer in the order of those expected; else why there are none: `unsupported: ...`, `no answer: ...`.
using AnswersOrReason = tl::expected<std::vector<ResultTensor>, std::string>;
AnswersOrReason answers_in_order(const std::vector<ResultTensor>& expected, const BackendAnswer& answer);
/// Result types are stated as `profile` infers them.
Result<AskResult> ask(const Library& library, Backend& backend, const Profile& profile, const std::vector<ProbeSet>& pool, const std::vector<Probe>& probes);
/// Whole sets of a pool, in batches.
Result<AskResult> ask_all(const Library& library, Backend& backend, const Profile& profile, const std::vector<ProbeSet>& sets);

}  // namespace tiebreak
