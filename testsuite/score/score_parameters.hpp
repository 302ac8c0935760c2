// SPDX-License-Identifier: Apache-2.0
// The parameter sets for which an op is compared with a mutant by stairs: those that occur in cases, and a fixed sweep.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "interpreter/stairs/scalar_function.hpp"

namespace tiebreak {

/// The operand that runs over its whole type: the one argument of `elementwise`. "" where the op has another structure.
std::string varied_operand(const Library& library, const std::string& op);

/// A call with one element of every operand and one value of every parameter.
struct SingleCall {
  OpCall call{};
  std::string kind{};  ///< types and attributes as text
  std::string key{};   ///< the kind with the parameters' values
};
/// One for each distinct set of parameters in the call.
/// `read`: the operands that count as parameters; empty: all that have brackets.
std::vector<SingleCall> single_calls(const Library& library, const OpCall& call, const std::string& varied, const std::set<std::string>& read);

/// The values that a call has for these parameters, in their order.
std::vector<Real> parameter_values(const Library& library, const OpCall& call, const std::vector<ScalarParameter>& parameters);

/// Values for the parameters of a function, in their order: dyadic scales, short decimals, scales with many bits, extremes; zero
/// points even, odd and at the ends. The same on every machine.
std::vector<std::vector<Real>> parameter_sweep(const std::vector<ScalarParameter>& parameters);

}  // namespace tiebreak
