// SPDX-License-Identifier: Apache-2.0
// Calls of an op made at random out of calls that there are: other extents, strides, pads, groups, layouts, zero points, values. What a call must be like is
// known from those, so that no list says it; many a drawn call is none that the page describes, and is refused when it is evaluated.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "interpreter/formula/call.hpp"
#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak::generate {

/// Calls of one op, and the words that stand in their attributes.
struct CallSeeds {
  std::vector<OpCall> calls{};
  std::map<std::string, std::vector<Attribute>> words{};  ///< by the attribute's name
  void add(OpCall call);
};

/// A call after one of the seeds, which are not empty. Extents that are equal there mostly are here, under another value of 1 to 6, now and then 0 or up to 40;
/// an operand has 4096 elements at most. The shapes of results are left to be found, or follow the operands'.
OpCall varied_call(const CallSeeds& seeds, PseudoRandom& random);

/// A tensor of this type after the values of another: these in turn, or any codes, small numbers, or floats of either sign if it has both.
Tensor varied_values(const Tensor& seed, const TensorType& type, PseudoRandom& random);

}  // namespace tiebreak::generate
