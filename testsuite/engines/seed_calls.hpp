// SPDX-License-Identifier: Apache-2.0
// Calls of each op, out of the cases of this installation.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testsuite/case/case.hpp"
#include "testsuite/generate/varied_call.hpp"

namespace tiebreak {

struct SeedCalls {
  std::vector<Case> cases{};  ///< whose regions the calls refer to
  std::map<std::string, generate::CallSeeds> by_op{};
};

/// Whether an element of the op's result sees more than one place of an operand: a contraction, a window, a row, a movement, or stages of such.
bool sees_more_than_its_place(const notation::Op& op);

/// Of each such op that a glob matches up to `most` calls, from cases spread evenly over those that there are, whose inputs are not large.
Result<std::unique_ptr<SeedCalls>> seed_calls(const Library& library, const std::vector<std::string>& globs, std::size_t most);

}  // namespace tiebreak
