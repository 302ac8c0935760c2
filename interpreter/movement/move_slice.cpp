// SPDX-License-Identifier: Apache-2.0
// move.slice(x): every strides[d]-th element of x from start_indices[d] up to, not including, limit_indices[d].
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_slice(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(starts, steering(request, "start_indices", shape.size(), "C2"));
  TIEBREAK_TRY(limits, steering(request, "limit_indices", shape.size(), "C2"));
  TIEBREAK_TRY(strides, steering(request, "strides", shape.size(), "C2"));
  Shape sliced(shape.size());
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (starts[d] < 0 || starts[d] > limits[d] || limits[d] > shape[d])
      return malformed(request, "C3", fmt::format("dimension {}: {} .. {} is not within 0 .. {}", d, starts[d], limits[d], shape[d]));
    if (strides[d] < 1) return malformed(request, "C4", fmt::format("strides[{}] = {}", d, strides[d]));
    sliced[d] = (limits[d] - starts[d] + strides[d] - 1) / strides[d];
    positions.push_back(at_cell(static_cast<int>(d), strides[d]));
    positions[d].base = starts[d];
  }
  TIEBREAK_CHECK(check_stated_shape(request, sliced, "C5"));
  TIEBREAK_TRY(geometry, cells_of_result(request, sliced));
  geometry.operands[operand->name] = make_access(shape, std::move(positions));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
