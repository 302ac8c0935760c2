// SPDX-License-Identifier: Apache-2.0
// Some operations of a program as a program of their own: what they read comes in as constants and inputs.
#pragma once
#include <optional>
#include <vector>

#include "testsuite/case/case.hpp"

namespace tiebreak {

/// Operations first .. last - 1; the results of the last one are the outputs. `known` has, for each value of the program, what it is;
/// constants need not be there. Nothing if a value that is read is not known.
std::optional<Case> part_of(const Case& whole, const std::vector<std::optional<Tensor>>& known, std::size_t first, std::size_t last);

/// The program up to these values: operations that they do not need are left out.
Program cut_at(const Program& program, const std::vector<ValueId>& outputs);

}  // namespace tiebreak
