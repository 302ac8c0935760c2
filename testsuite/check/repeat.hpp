// SPDX-License-Identifier: Apache-2.0
// Self-consistency: the same question asked again must get the same answer.
#pragma once
#include "testsuite/check/expectation.hpp"

namespace tiebreak {

/// Holds a further answer against the first one, which `report` has judged. Other values are a failure, whatever the policy excuses;
/// where the semantics leaves an element undefined they are a note. An answer that did not come every time is inconclusive.
void judge_repetition(const Expectation& expectation, const BackendAnswer& first, const BackendAnswer& again, std::size_t repetition, CaseReport& report);

}  // namespace tiebreak
