// SPDX-License-Identifier: Apache-2.0
// move.reverse(x): the named dimensions of x run backwards.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_reverse(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  TIEBREAK_TRY(reversed, integers(request, "dimensions", {}));
  TIEBREAK_CHECK(check_stated_shape(request, shape, "C1"));
  TIEBREAK_TRY(geometry, cells_of_result(request, shape));
  Access access = geometry.result;
  for (std::int64_t d : reversed) {
    if (std::ranges::count(reversed, d) > 1) return malformed(request, "C2", fmt::format("dimensions names {} twice", d));
    if (d < 0 || d >= rank) return malformed(request, "C3", fmt::format("dimension {} is outside the rank {}", d, rank));
    access.dimensions[static_cast<std::size_t>(d)].position = at_cell(static_cast<int>(d), -1);
    access.dimensions[static_cast<std::size_t>(d)].position.base = shape[static_cast<std::size_t>(d)] - 1;
  }
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
