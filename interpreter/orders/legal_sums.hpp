// SPDX-License-Identifier: Apache-2.0
// Float sums in formulas whose order is open: contractions, means and variances. What every order gives lies in an interval.
#pragma once
#include <vector>

#include "interpreter/orders/legal_results.hpp"

namespace tiebreak {

/// One entry for each result; empty where the op has no float sum, or the profile binds its order and `any_order` is not asked for.
Result<std::vector<LegalResults>> legal_sums(const Library& library, const Profile& profile, const OpCall& call, bool any_order);

}  // namespace tiebreak
