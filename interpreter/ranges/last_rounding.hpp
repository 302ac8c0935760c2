// SPDX-License-Identifier: Apache-2.0
// The value that entered the last rounding of a result, and how far it lies from a rounding boundary.
#pragma once
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

struct LastRounding {
  NodeId node = -1;    ///< everything after the last rounding exact, saturation left out
  bool found = false;  ///< false: the formula rounds nothing, node is the result itself
  Rounding rounding = Rounding::nearest_even;
  const FloatFormat* format = nullptr;  ///< nullptr: to a whole number
};

/// Adds the nodes it needs to the formula.
LastRounding last_rounding(Formula& formula, NodeId result);

/// Signed distance from `before` to the nearest place where the rounding changes its result, in units of the last digit of the result;
/// within [low, high] of the result only. nan for nan and infinities.
double distance_to_boundary(const Real& before, const LastRounding& rounding, const Real& low, const Real& high);

}  // namespace tiebreak
