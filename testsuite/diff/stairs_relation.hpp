// SPDX-License-Identifier: Apache-2.0
// Two semantics that no input of a pool tells apart, compared over every input by their stairs, for each parameter set of the pool.
#pragma once
#include <optional>
#include <string>

#include "testsuite/candidates/probe_pool.hpp"

namespace tiebreak {

struct StairsRelation {
  std::size_t sets = 0;      ///< parameter sets compared; 0: the op is no function of one number
  std::uint64_t inputs = 0;  ///< in all of them
  bool proved = true;
  std::optional<ProbeSet> witness{};  ///< one question that tells them apart
  /// `equal on all 4294967296 inputs of each of 40 parameter sets`.
  std::string text() const;
};
StairsRelation compare_by_stairs(const Library& library, const Profile& first, const Profile& second, const OpRoles& roles, const std::vector<ProbeSet>& pool);

}  // namespace tiebreak
