// SPDX-License-Identifier: Apache-2.0
// Formulas of which a part is open: float sums whose order is (contractions, means and variances), and operands that are a set or an interval. What they may
// give lies in an interval.
#pragma once
#include <vector>

#include "interpreter/orders/legal_results.hpp"

namespace tiebreak {

/// One entry for each result; empty where the op has no float sum, or the profile binds its order and `any_order` is not asked for.
Result<std::vector<LegalResults>> legal_sums(const Semantics& semantics, const OpCall& call, bool any_order);

/// What is known of the elements of each operand; nullptr: each is what the call has. Sets are taken from their least member to their greatest.
using OpenOperands = std::vector<const std::vector<LegalElement>*>;

/// For each result of the call what follows where operands are open; one order for sums unless the profile leaves it open, or `any_order`. Unknown where an
/// operand that is open decides places or shapes, or where the op runs a region.
Result<std::vector<LegalResults>> legal_consequences(const Semantics& semantics, const OpCall& call, const OpenOperands& operands, bool any_order);

}  // namespace tiebreak
