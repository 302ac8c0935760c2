// SPDX-License-Identifier: Apache-2.0
// Layers of a model as cases, with what the reference computes before them as their inputs, and the model's own weights as constants.
#pragma once
#include "testsuite/layers/model.hpp"

namespace tiebreak {

/// Layers whose id (`MODEL/03.conv`), word (`03.conv`) or first result one of the globs matches, in the model's order. Only what they read is computed. A layer
/// without a page or with regions, one that reads what the profile leaves undefined, and one that reads what cannot be computed is a case without a program:
/// its `unusable` says why. Errors: a glob that matches none, with the nearest word; an interrupt.
Result<std::vector<Case>> layer_cases(const Semantics& semantics, const Model& model, const std::vector<std::string>& globs);

}  // namespace tiebreak
