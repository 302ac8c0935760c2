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

/// Exact sums of products, or of their magnitudes, as doubles, added in any order, one for each combination of the cell coordinates in the rate, in row-major
/// order, and by how much each is off at most.
struct DoubleSums {
  std::vector<double> sums{}, errors{};
};
/// Nothing where the aggregate is no such sum of two factors whose products are doubles.
Result<std::optional<DoubleSums>> double_sums(const Formula& formula, BoundsTable& bounds, NodeId aggregate);

}  // namespace tiebreak
