// SPDX-License-Identifier: Apache-2.0
// move.dynamic_update_slice(u, x, fill = x): u laid over x from start_indices on, brought to where it lies inside. u has a hole where it does not lie.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_dynamic_update_slice(const StructureRequest& request) {
  TIEBREAK_TRY(update, argument_operand(request, 0));
  TIEBREAK_TRY(operand, argument_operand(request, 1));
  const Shape& shape = operand->type.shape;
  const Shape& slice = update->type.shape;
  if (slice.size() != shape.size())
    return malformed(request, "C3", fmt::format("{} has rank {}, {} has {}", update->name, slice.size(), operand->name, shape.size()));
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (slice[d] > shape[d]) return malformed(request, "C6", fmt::format("{} has shape {}, larger than {}", update->name, to_text(slice), to_text(shape)));
  TIEBREAK_TRY(starts, scalar_starts(request, shape, slice, "C4", "C5"));
  TIEBREAK_CHECK(check_stated_shape(request, shape, "C1"));
  TIEBREAK_TRY(geometry, cells_of_result(request, shape));
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    positions.push_back(at_cell(static_cast<int>(d)));
    positions[d].base = -starts[d];
  }
  geometry.operands[operand->name] = geometry.result;
  geometry.operands[update->name] = make_access(slice, std::move(positions));
  geometry.operands[update->name].may_miss = true;
  return std::move(geometry);
}

}  // namespace tiebreak::structure
