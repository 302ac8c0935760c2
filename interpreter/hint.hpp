// SPDX-License-Identifier: Apache-2.0
// The hint that goes with an unknown word: the nearest known one, or all.
#pragma once
#include "interpreter/error.hpp"

namespace tiebreak {

/// `did you mean 'axis'?`; where nothing is near, all there are: `one of axis saturate`; "" where there are none.
template <class Range>
[[nodiscard]] std::string did_you_mean(const std::string& word, const Range& known) {
  if (const std::string near = nearest(word, known); !near.empty()) return "did you mean '" + near + "'?";
  std::string all;
  for (const std::string& each : known) all += (all.empty() ? "one of " : " ") + each;
  return all;
}

}  // namespace tiebreak
