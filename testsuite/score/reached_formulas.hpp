// SPDX-License-Identifier: Apache-2.0
// Which formulas an op reaches under a profile.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "interpreter/semantics/library.hpp"
#include "testsuite/score/mutate.hpp"

namespace tiebreak {

struct ReachedModule {
  std::shared_ptr<const notation::Module> module;  ///< a copy, `each` written out
  notation::MutableFormulas formulas{};            ///< into that copy
};

/// By name of the module. A choice whose alternative depends on types is reached by each alternative that may be taken.
Result<std::map<std::string, ReachedModule>> reach(const Semantics& semantics, const std::string& op);

}  // namespace tiebreak
