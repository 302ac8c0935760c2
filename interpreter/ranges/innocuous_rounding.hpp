// SPDX-License-Identifier: Apache-2.0
// Where rounding twice is rounding once: an operation on values of a format, rounded to a wide format and then to theirs.
#pragma once
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// Whether F(G(a op b)) = F(a op b) for all values of F, with F and G of IEEE form, to nearest, ties to even.
/// Wide enough are 2p + 2 digits: a quotient, a sum or a root that is no midpoint of F lies further from it than G rounds (Figueroa, "When is double
/// rounding innocuous?", SIGNUM Newsletter 30(3), 1995); a quotient that is subnormal in G must be nothing in F.
bool innocuous_rounding(const Node& operation, const FloatFormat& narrow, const FloatFormat& wide);

/// Whether a / b and its nearest value in the format have the same whole number below, above and toward zero, for whole a and b up to these magnitudes.
/// A quotient that is not whole lies 1/|b| or more from a whole number q, and is rounded to it only across q / 2^p, with p digits: |q b| < |a| + |b| must reach
/// 2^p.
bool keeps_whole_part(const Real& a, const Real& b, const FloatFormat& format);

/// a and b of `a - rtz(a / b) * b`, or nullopt. It is no larger than a, smaller than b, of a's sign, and on the finer of their grids.
std::optional<std::pair<NodeId, NodeId>> remainder_of(const Formula& formula, NodeId node);

/// e of 2^e, or -1.
NodeId exponent_of_two(const Formula& formula, NodeId node);

}  // namespace tiebreak
