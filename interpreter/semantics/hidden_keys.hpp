// SPDX-License-Identifier: Apache-2.0
// Keys of a profile without effect: those that another key hides wherever they would count, and those of modules that the op does not reach.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// Which modules the formulas of each op may reach, and as what. Names are followed without regard to choices: what may be reached counts as reached.
class ModulesInReach {
 public:
  explicit ModulesInReach(const Library& library);

  struct Entry {
    std::string module, alias;  ///< alias "": the op's own page
    auto operator<=>(const Entry&) const = default;
  };
  const std::set<Entry>& of_op(const std::string& op) const;

 private:
  std::map<std::string, std::set<Entry>> by_op_{};
};

/// A finding for each of the profile's `own` keys that has no effect. `profile` has what it inherits.
void check_hidden_keys(const Profile& profile, const std::vector<std::string>& own, const Library& library, const ModulesInReach& reach,
                       std::vector<Error>& findings);

}  // namespace tiebreak
