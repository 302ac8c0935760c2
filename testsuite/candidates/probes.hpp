// SPDX-License-Identifier: Apache-2.0
// Which questions to ask: the fewest found by greedy choice that split every pair of candidates that the pool can split at all.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "testsuite/candidates/candidates.hpp"
#include "testsuite/candidates/probe_pool.hpp"

namespace tiebreak {

/// One question: an element of a set of the pool.
struct Probe {
  std::size_t set = 0;
  std::int64_t index = 0;
  auto operator<=>(const Probe&) const = default;
};

/// How two candidates stand to each other over the whole pool.
enum class Separation : std::uint8_t {
  none,     ///< no input tells them apart
  loose,    ///< only where one of them leaves the result undefined
  certain,  ///< some input has two different results
};

struct ProbePlan {
  std::vector<Probe> probes{};           ///< ascending
  std::vector<Separation> separation{};  ///< of candidates i < j at i * count + j
  std::size_t count = 0;                 ///< candidates
  std::size_t sets = 0;
  std::uint64_t inputs = 0;  ///< of the sets that were looked at
  std::size_t left = 0;      ///< pairs that the pool splits and the questions, for want of room, do not
  Separation between(std::size_t i, std::size_t j) const { return separation[std::min(i, j) * count + std::max(i, j)]; }
};

struct ProbeRequest {
  std::size_t most = 64;
  std::set<std::size_t> refused{};  ///< sets that the backend does not take
  /// Pairs that matter; empty: all. Called with i < j.
  std::function<bool(std::size_t i, std::size_t j)> wanted{};
};

/// Candidates are compared as their profiles say. Sets are looked at until every wanted pair is split for certain.
Result<ProbePlan> choose_probes(const Library& library, const std::vector<Candidate>& candidates, const std::vector<ProbeSet>& pool,
                                const ProbeRequest& request = {});

}  // namespace tiebreak
