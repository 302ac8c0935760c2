// SPDX-License-Identifier: Apache-2.0
// Parameters worth asking for: factors, scales, zero points.
#pragma once
#include <vector>

#include "testsuite/candidates/probe_pool.hpp"

namespace tiebreak {

/// Multiplier and shift. Plain ones as a converter makes them, from factors that are powers of two, small whole divisors, decimals, of many bits, tiny
/// and above 1; then what no converter makes: ends of both, a mantissa that is not normal, one below zero.
std::vector<ProbeParameters> factor_list();
/// Scales of all operands; of ops with one scale that one alone.
std::vector<ProbeParameters> scale_list(const OpRoles& roles);
/// Zero points of a type: 0, odd, even, the ends. Of a type wider than the codes the ends of the codes.
std::vector<Real> zero_point_choices(const OperandRole* role, const ElementType& codes);
/// The operand that has the zero point of the result, or of the first data operand; nullptr where there is none.
const OperandRole* zero_point_of(const OpRoles& roles, bool of_result);
/// Codes that leave room on both sides where an unsigned type has no negative ones.
Real middle(const ElementType& type);

}  // namespace tiebreak
