// SPDX-License-Identifier: Apache-2.0
// Constraints solved as MLIR's first quantizer did: tensors that must be alike are joined over the whole program, and each class has one solution, of a range
// that holds those of all its tensors.
#pragma once
#include "testsuite/calibrate/calibrate.hpp"

namespace tiebreak {

/// Replaces the parameters that each tensor of `found` has by itself. Errc::constraint where a class has no range (its provider gives scales), codes of two
/// formats, scales along an axis, or two fixed ranges; where a range has no scale.
Status solve_together(const Constraints& constraints, const Semantics& parameters, const Program& program, Calibration& found);

}  // namespace tiebreak
