// SPDX-License-Identifier: Apache-2.0
// Accesses that visit elements in the order in which they are stored.
#pragma once
#include "interpreter/geometry/geometry.hpp"

namespace tiebreak {

/// Cell after cell reads element after element, all of them.
bool visits_in_order(const Access& access, const Shape& cell_extents);

/// Such an access, and one of a vector whose elements a coordinate counts.
Access elements_in_order(const Shape& cell_extents);
Access along_coordinate(int coordinate, std::int64_t size);

/// The items of a cell are consecutive elements of the operand, all of them there.
bool is_line_of_items(const Access& access, const Shape& item_extents);

}  // namespace tiebreak
