// SPDX-License-Identifier: Apache-2.0
// The mutants of an op under a profile: changes of the formulas that the op reaches, in its own page and in the modules it uses, with
// choices taken as the profile takes them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"
#include "testsuite/score/mutate.hpp"

namespace tiebreak {

struct PageMutant {
  std::string module;  ///< whose formula is changed
  std::string place;   ///< page:line
  notation::Mutant change;
  std::shared_ptr<const notation::Module> base;  ///< `change` points into it

  notation::Module changed() const { return notation::changed(*base, change); }
};

/// Only mutants that check, each tree once, none that is the original. In the order of modules by name and of places.
Result<std::vector<PageMutant>> mutants_of(const Library& library, const Profile& profile, const std::string& op);

}  // namespace tiebreak
