// SPDX-License-Identifier: Apache-2.0
// Sums of products of floats over all cells at once. Nothing where the sum has another form: then the caller has another way.
#pragma once
#include <optional>

#include "interpreter/fast/lane.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {

/// A sum with a rounding after every step.
Result<std::optional<Column>> float_sum_table(const Formula& formula, BoundsTable& bounds, NodeId aggregate);
/// `rounding` is a conversion to a float format of an exact sum. Most are decided by sums of doubles with an error bound, the others exactly.
Result<std::optional<Column>> rounded_sum_table(const Formula& formula, BoundsTable& bounds, NodeId rounding);

}  // namespace tiebreak
