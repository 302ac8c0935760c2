// SPDX-License-Identifier: Apache-2.0
// The parameter sets for which an op is compared with a mutant by stairs: those that occur in cases, and a fixed sweep.
#pragma once
#include <set>
#include <vector>

#include "interpreter/evaluate/scalar_function.hpp"

namespace tiebreak {

/// The operand that runs over its whole type: the one argument of `elementwise`. "" where the op has another structure.
std::string varied_operand(const Library& library, const std::string& op);

/// A call with one element of every operand and one value of every parameter, for each distinct set of parameters in the call.
/// `known` has the sets that were met before, as text.
/// `read`: the operands that count as parameters; empty: all that have brackets.
std::vector<OpCall> single_calls(const Library& library, const OpCall& call, const std::string& varied, const std::set<std::string>& read,
                                 std::set<std::string>& known);

/// Values for the parameters of a function, in their order: dyadic scales, short decimals, scales with many bits, extremes; zero
/// points even, odd and at the ends. The same on every machine.
std::vector<std::vector<Real>> parameter_sweep(const std::vector<ScalarParameter>& parameters);

}  // namespace tiebreak
