// SPDX-License-Identifier: Apache-2.0
// What becomes of a step of one code further down the program.
#pragma once
#include "testsuite/statistics/side_values.hpp"

namespace tiebreak {

/// For each value of codes that an operation gives, and each output that depends on it.
Result<std::vector<GrowthLine>> growth_of(const Semantics& semantics, const Program& program, const SideValues& values, std::size_t form,
                                          const StatisticsOptions& options);

}  // namespace tiebreak
