// SPDX-License-Identifier: Apache-2.0
// Equal or not, by stairs: an op that is a function of one number is compared with its mutant over the whole of that number's type.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "interpreter/evaluate/same_formula.hpp"

namespace tiebreak {

struct StairVerdict {
  bool equal = false;
  std::string proof{};    ///< of equal: `stairs, 93 parameter sets`
  std::string witness{};  ///< an input with different results, if there is one
  std::string reason{};   ///< of neither: why stairs say nothing
};

/// The parameter sets of the calls and a fixed sweep. Neither equal nor a witness where the op is no function of one number.
StairVerdict compare_by_stairs(const Library& library, const Library& mutant, const Profile& profile,
                               const std::vector<std::shared_ptr<const BoundCall>>& calls);

}  // namespace tiebreak
