// SPDX-License-Identifier: Apache-2.0
// move.iota: no operand moves. A cell is a line of the result along iota_dimension, its bag the places of the line, so that `index` is the
// coordinate and each item has an element of the result.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// output_shape where the op has it, else as stated.
Result<Shape> iota_shape(const StructureRequest& request) {
  if (find_operand(request, "output_shape") == nullptr) return stated_shape(request);
  TIEBREAK_TRY(shape, steering(request, "output_shape"));
  TIEBREAK_CHECK(check_stated_shape(request, shape, "C2"));
  return std::move(shape);
}

}  // namespace

Result<Geometry> move_iota(const StructureRequest& request) {
  TIEBREAK_TRY(shape, iota_shape(request));
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  TIEBREAK_TRY(along, integer(request, "iota_dimension", -1));
  if (along < 0 || along >= rank) return malformed(request, "C1", fmt::format("iota_dimension {} is outside the rank {}", along, rank));
  TIEBREAK_TRY(geometry, cells_of_result(request, shape));
  const std::size_t line = static_cast<std::size_t>(along);
  geometry.has_bag = true;
  geometry.cell_extents[line] = 1;  // keeps the coordinates of the other dimensions where they are
  geometry.item_extents = {shape[line]};
  geometry.item_result_shape = shape;
  geometry.result.dimensions[line].position = at_item(0);
  geometry.item_result = geometry.result;
  return std::move(geometry);
}

}  // namespace tiebreak::structure
