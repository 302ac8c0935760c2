// SPDX-License-Identifier: Apache-2.0
// Decisions about irrational values: sign, rounding, approximation, each by enclosures of growing precision.
#pragma once
#include "interpreter/exact/computable_node.hpp"

namespace tiebreak {

/// -1 or 1 where the value is certainly on that side of zero; 0 where it is zero, nan or not known.
int sign_of(const Computable::Node& root);
Result<Real> round_node_whole(const Computable::Node& root, Rounding rounding);
Result<std::optional<Real>> round_node_to(const Computable::Node& root, const FloatFormat& format, Rounding rounding, Overflow overflow);
Result<Real> approximate_node(const Computable::Node& root, int bits);

}  // namespace tiebreak
