// SPDX-License-Identifier: Apache-2.0
// rows(x): one cell, all elements in its bag. rows(x, axes): a cell for each line along the axes. rows(x, axis by n): a cell for each run of n.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

Result<std::vector<bool>> reduced_dimensions(const StructureRequest& request, const Shape& shape) {
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  std::vector<bool> reduced(shape.size(), request.arguments.size() < 2 || request.arguments[1].values.empty());
  if (request.arguments.size() < 2) return reduced;
  for (std::int64_t axis : request.arguments[1].values) {
    if (axis < -rank || axis >= rank) return malformed(request, "", fmt::format("axis {} is outside the rank {}", axis, rank));
    reduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  return reduced;
}

}  // namespace

Result<Geometry> rows(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(reduced, reduced_dimensions(request, shape));
  TIEBREAK_TRY(keep, integer(request, "keepdims", 0));
  const std::int64_t run = request.arguments.size() > 1 ? request.arguments[1].block : 0;
  Geometry geometry;
  geometry.has_bag = true;
  std::vector<Affine> positions(shape.size());
  std::vector<Affine> row_positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const int cell = static_cast<int>(geometry.cell_extents.size());
    const int item = static_cast<int>(geometry.item_extents.size());
    if (!reduced[d]) {
      positions[d] = at_cell(cell);
      geometry.cell_extents.push_back(shape[d]);
    } else if (run > 0) {
      positions[d] = Affine{.cell = {{cell, run}}, .item = {{item, 1}}};
      geometry.cell_extents.push_back((shape[d] + run - 1) / run);
      geometry.item_extents.push_back(std::min(run, shape[d]));
    } else {
      positions[d] = at_item(item);
      geometry.item_extents.push_back(shape[d]);
    }
    if (!reduced[d] || run > 0) {
      geometry.result_shape.push_back(geometry.cell_extents.back());
      row_positions.push_back(at_cell(cell));
    } else if (keep != 0) {
      geometry.result_shape.push_back(1);
      row_positions.emplace_back();
    }
  }
  Access elements = make_access(shape, std::move(positions));
  elements.may_miss = run > 0;
  geometry.item_result_shape = shape;
  geometry.item_result = elements;
  geometry.result = make_access(geometry.result_shape, std::move(row_positions));
  geometry.operands[operand->name] = std::move(elements);
  return geometry;
}

}  // namespace tiebreak::structure
