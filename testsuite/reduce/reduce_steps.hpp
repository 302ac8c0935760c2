// SPDX-License-Identifier: Apache-2.0
// The steps of a reduction. Each makes `test` smaller as long as it fails within `wanted` and says how often it did.
#pragma once
#include "testsuite/reduce/reduce_trials.hpp"

namespace tiebreak {

/// One operation, else few, of a program of many, with what the profile computes before them as inputs.
std::size_t cut_program(const Semantics& semantics, ReductionQuestions& questions, const FailureKind& wanted, Case& test);
/// Positions along the axes of inputs, and of everything that has to follow, by delta debugging.
std::size_t cut_axes(ReductionQuestions& questions, const FailureKind& wanted, Case& test);
/// Attributes and optional operands left out.
std::size_t drop_parameters(ReductionQuestions& questions, const FailureKind& wanted, Case& test);
/// Values nearer to 0 and 1, scales nearer to 1, zero points nearer to 0.
std::size_t simplify_values(ReductionQuestions& questions, const FailureKind& wanted, Case& test);

/// A number for how much there is to read in a value: 0 is 0, 1 is little, 1.5 more, 0x1.99999ap-4 a lot.
std::int64_t complexity(const Real& value);

}  // namespace tiebreak
