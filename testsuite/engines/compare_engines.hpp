// SPDX-License-Identifier: Apache-2.0
// One op, many random calls of it, each by both engines.
#pragma once
#include <string>
#include <vector>

#include "interpreter/semantics/hidden_keys.hpp"
#include "testsuite/engines/seed_calls.hpp"

namespace tiebreak {

struct DifferingCall {
  std::uint64_t number = 0;         ///< of the draw: it alone decides the call
  std::string profile, what, file;  ///< the engines' values; the call as a case file
};

struct ComparedOp {
  std::string op;
  std::uint64_t agreeing = 0, refused = 0;  ///< calls that both gave the same for, and that no page describes
  bool stopped = false;                     ///< by the time
  std::string refusal{};                    ///< the last one
  std::vector<DifferingCall> different{};
};

struct DrawRange {
  std::uint64_t seed = 1, first = 0;  ///< the first draw
  std::uint64_t calls = 50;           ///< that are no refusals
  std::uint64_t seconds = 0;          ///< of the processor after which no further call is drawn; 0: no limit
};

/// Draws until so many calls were evaluated, sixty times as many were drawn, or the time is over. Each under `reference` or under a profile that says something
/// of the op.
ComparedOp compare_engines(const Library& library, const ModulesInReach& reach, const std::string& op, const generate::CallSeeds& seeds,
                           const DrawRange& range);

}  // namespace tiebreak
