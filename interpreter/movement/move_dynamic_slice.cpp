// SPDX-License-Identifier: Apache-2.0
// move.dynamic_slice(x): the part of x of slice_sizes from start_indices on; starts are brought to where the slice lies inside.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_dynamic_slice(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(sizes, steering(request, "slice_sizes", shape.size(), "C2"));
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (sizes[d] < 0 || sizes[d] > shape[d]) return malformed(request, "C4", fmt::format("slice_sizes[{}] = {} is outside 0 .. {}", d, sizes[d], shape[d]));
  TIEBREAK_TRY(starts, scalar_starts(request, shape, sizes, "C2", "C3"));
  TIEBREAK_CHECK(check_stated_shape(request, sizes, "C5"));
  TIEBREAK_TRY(geometry, cells_of_result(request, sizes));
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    positions.push_back(at_cell(static_cast<int>(d)));
    positions[d].base = starts[d];
  }
  geometry.operands[operand->name] = make_access(shape, std::move(positions));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
