// SPDX-License-Identifier: Apache-2.0
// Sums over runs of what is made of the sum of products in each run, over all cells at once: pairs that saturate in 16 bits, as x86 adds them.
#pragma once
#include <optional>

#include "interpreter/fast/lane.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {

/// Nothing where the aggregate has another form: then the caller has another way.
Result<std::optional<Column>> run_sum_table(const Formula& formula, BoundsTable& bounds, NodeId aggregate);

}  // namespace tiebreak
