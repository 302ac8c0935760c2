// SPDX-License-Identifier: Apache-2.0
// All sums of products of two factors at once, each factor a grid of numbers: what a processor's widest integer instructions do, where ranges prove that
// they do it exactly.
#pragma once
#include <optional>

#include "interpreter/fast/factor_rows.hpp"
#include "interpreter/fast/lane.hpp"

namespace tiebreak {

/// The values of `sum`, whose factors these are, in row-major order of the cell coordinates in its rate: integers, or short ones. Nothing where a factor has no
/// grid, or where not even short runs of products are proved to fit 32 bits: then the caller has another way.
Result<std::optional<Column>> grid_product(const Formula& formula, BoundsTable& bounds, NodeId sum, const FactorRows& factors);

}  // namespace tiebreak
