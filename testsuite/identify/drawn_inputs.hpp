// SPDX-License-Identifier: Apache-2.0
// Semantics compared on further inputs of a log's calls: the parameters stand still, the data are all pairs of narrow codes, or drawn.
#pragma once
#include <string>
#include <vector>

#include "testsuite/identify/observed_log.hpp"

namespace tiebreak {

/// An element on which two semantics differ, with what each makes of it; "" where that is undefined.
struct DrawnQuestion {
  std::string text;
  std::vector<std::string> answers{};
};

struct DrawnComparison {
  std::uint64_t inputs = 0;                ///< elements compared; 0: none could be
  std::size_t settings = 0;                ///< logged calls whose parameters were used
  bool is_every_input = false;             ///< all that types and ranges allow, at all parameters of the log
  std::string names{};                     ///< of what was varied: `lhs and rhs`
  std::vector<std::uint64_t> different{};  ///< for each semantics the elements on which it differs from the first
  std::vector<DrawnQuestion> questions{};  ///< at most a few for every two
  /// `all 65536 pairs of lhs and rhs at these parameters`, `4096 drawn results at these parameters`.
  std::string over() const;
};
/// Seeded: the same log gives the same inputs.
DrawnComparison compare_on_drawn_inputs(const Library& library, const ObservedLog& log, const std::vector<Profile>& semantics);

}  // namespace tiebreak
