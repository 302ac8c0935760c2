// SPDX-License-Identifier: Apache-2.0
// rows(x): one cell, all elements in its bag. rows(x, axes): a cell for each line along the axes. rows(x, first, last): along the axes from the first to
// the last. rows(x, axis by n): a cell for each run of n.
// Further operands before the axes have the shape of the first and are read at the same places.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

/// The argument that names axes, if there is one. Two of one number each are the first and the last of several.
std::optional<StructureArgument> axes_argument(const StructureRequest& request) {
  const auto found = std::ranges::find_if(request.arguments, [](const StructureArgument& argument) { return argument.name.empty(); });
  if (found == request.arguments.end()) return std::nullopt;
  StructureArgument axes = *found;
  if (const auto last = std::next(found); last != request.arguments.end() && axes.values.size() == 1 && last->values.size() == 1)
    for (std::int64_t axis = axes.values[0] + 1; axis <= std::min(last->values[0], std::int64_t{64}); ++axis) axes.values.push_back(axis);
  return axes;
}

Result<std::vector<bool>> reduced_dimensions(const StructureRequest& request, const Shape& shape) {
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  const std::optional<StructureArgument> axes = axes_argument(request);
  std::vector<bool> reduced(shape.size(), !axes || axes->values.empty());
  if (!axes) return reduced;
  for (std::int64_t axis : axes->values) {
    if (axis < -rank || axis >= rank) return malformed(request, "", fmt::format("axis {} is outside the rank {}", axis, rank));
    reduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  return reduced;
}

/// Every operand argument is read where the first one is.
Status add_operands(Geometry& geometry, const StructureRequest& request, const Shape& shape, const Access& elements) {
  for (std::size_t i = 0; i < request.arguments.size() && !request.arguments[i].name.empty(); ++i) {
    TIEBREAK_TRY(operand, argument_operand(request, i));
    if (operand->type.shape != shape)
      return malformed(request, "", fmt::format("{} has shape {}, where {} is read with it", operand->name, to_text(operand->type.shape), to_text(shape)));
    geometry.operands[operand->name] = elements;
  }
  return {};
}

}  // namespace

Result<Geometry> rows(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(reduced, reduced_dimensions(request, shape));
  TIEBREAK_TRY(keep, integer(request, "keepdims", 0));
  const std::optional<StructureArgument> axes = axes_argument(request);
  const std::int64_t run = axes ? axes->block : 0;
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
  if (run == 0 && !geometry.cell_extents.empty()) {  // the last dimension that is left
    geometry.indices["channel"] = at_cell(static_cast<int>(geometry.cell_extents.size()) - 1);
    geometry.extents["channel"] = geometry.cell_extents.back();
  }
  if (run == 0 && geometry.item_extents.size() == 1) {  // a line: parameters may vary along it
    geometry.indices["feature"] = at_item(0);
    geometry.extents["feature"] = geometry.item_extents[0];
  }
  geometry.item_result_shape = shape;
  geometry.item_result = elements;
  geometry.result = make_access(geometry.result_shape, std::move(row_positions));
  TIEBREAK_CHECK(add_operands(geometry, request, shape, elements));
  return geometry;
}

}  // namespace tiebreak::structure
