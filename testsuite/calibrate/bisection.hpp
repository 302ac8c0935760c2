// SPDX-License-Identifier: Apache-2.0
// The uniform solver of MLIR's first quantizer (tensorflow/mlir 491949a9, lib/Quantizer/Support/UniformSolvers.cpp): a step is searched of which a whole
// number lies at each end of the range. A search with an early end is no formula of the notation.
#pragma once
#include <optional>
#include <utility>

namespace tiebreak {

/// Scale and zero point of a range that is widened to hold 0, for codes from `least_code` in `steps` steps. nullopt of an empty range at zero.
std::optional<std::pair<double, double>> bisected_parameters(double low, double high, double least_code, double steps);

}  // namespace tiebreak
