// SPDX-License-Identifier: Apache-2.0
// Checks that stand in a program, as StableHLO's tests write them: check.expect_eq, stablehlo.custom_call @check.eq ...
#pragma once
#include <string>
#include <vector>

#include "testsuite/compare/compare.hpp"

namespace tiebreak {

/// Two values of a program, and how near they must be. A constant is kept here; anything else is an output of the program.
struct ProgramCheck {
  struct Side {
    std::optional<std::size_t> output{};  ///< position among the program's outputs
    Tensor constant{};
  };
  std::string name;  ///< check.expect_eq
  std::string where;
  Side actual{};
  Side expected{};
  Policy policy{};
  Real least_steps{};  ///< check.expect_close may ask for a least distance, too
};

/// Takes the checks out of a program. What they compare becomes outputs, after those that it returns.
Result<std::vector<ProgramCheck>> take_checks(Program& program);

/// A sentence about a check that does not hold, "" if it does. `outputs` follow program.outputs.
std::string failed_check(const ProgramCheck& check, const std::vector<ResultTensor>& outputs);

}  // namespace tiebreak
