// SPDX-License-Identifier: Apache-2.0
// regroup(x): the bits of x shared out among elements of the result's type. Of wider elements a cell is one of x and its bag the elements
// it is cut into, of narrower ones a cell is one of the result and its bag the elements it is made of; lowest bits first. regroup(x, axis by n): each
// element is cut into n, which follow each other along the axis.
#include <fmt/format.h>

#include "interpreter/movement/movements.hpp"

namespace tiebreak::structure {
namespace {

std::vector<Affine> leading_cells(std::size_t count) {
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < count; ++d) positions.push_back(at_cell(static_cast<int>(d)));
  return positions;
}

/// Each element of x becomes `pieces` elements, in a new last dimension unless it is one for one.
Geometry cut(const StructureOperand& operand, std::int64_t pieces) {
  Geometry geometry;
  geometry.has_bag = true;
  geometry.cell_extents = operand.type.shape;
  geometry.item_extents = {pieces};
  geometry.operands[operand.name] = make_access(operand.type.shape, leading_cells(operand.type.shape.size()));
  geometry.item_result_shape = operand.type.shape;
  std::vector<Affine> positions = leading_cells(operand.type.shape.size());
  if (pieces > 1) {
    geometry.item_result_shape.push_back(pieces);
    positions.push_back(at_item(0));
  }
  geometry.item_result = make_access(geometry.item_result_shape, std::move(positions));
  return geometry;
}

/// The last dimension of x, of `pieces` elements, becomes one element.
Geometry join(const StructureOperand& operand, std::int64_t pieces) {
  Geometry geometry;
  geometry.has_bag = true;
  geometry.item_extents = {pieces};
  geometry.cell_extents = Shape(operand.type.shape.begin(), operand.type.shape.end() - 1);
  geometry.result_shape = geometry.cell_extents;
  std::vector<Affine> positions = leading_cells(geometry.cell_extents.size());
  geometry.result = make_access(geometry.result_shape, positions);
  positions.push_back(at_item(0));
  geometry.operands[operand.name] = make_access(operand.type.shape, std::move(positions));
  return geometry;
}

/// Each element of x becomes `pieces` elements along an axis.
Result<Geometry> cut_along(const StructureRequest& request, const StructureOperand& operand, const StructureArgument& along) {
  const Shape& shape = operand.type.shape;
  const std::int64_t axis = along.values.size() == 1 ? along.values[0] : -1;
  if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size()))
    return malformed(request, "", fmt::format("axis {} is outside the rank {} of {}", to_text(along.values), shape.size(), operand.name));
  Geometry geometry;
  geometry.has_bag = true;
  geometry.cell_extents = shape;
  geometry.item_extents = {along.block};
  std::vector<Affine> positions = leading_cells(shape.size());
  geometry.operands[operand.name] = make_access(shape, positions);
  positions[static_cast<std::size_t>(axis)] = Affine{.cell = {{static_cast<int>(axis), along.block}}, .item = {{0, 1}}};
  geometry.item_result_shape = shape;
  geometry.item_result_shape[static_cast<std::size_t>(axis)] *= along.block;
  TIEBREAK_CHECK(element_count(geometry.item_result_shape).map([](std::int64_t) {}));
  geometry.item_result = make_access(geometry.item_result_shape, std::move(positions));
  return geometry;
}

}  // namespace

Result<Geometry> regroup(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  if (request.arguments.size() > 1 && request.arguments[1].block > 0) return cut_along(request, *operand, request.arguments[1]);
  if (request.results.empty() || !request.results[0])
    return fail(Errc::type, fmt::format("{}: the type of the result must be stated", request.op), request.where);
  const TensorType& result = *request.results[0];
  const std::int64_t from = operand->type.element.bits(), to = result.element.bits();
  const Shape& shape = operand->type.shape;
  Shape expected = shape;
  if (from > to) expected.push_back(from / to);
  if (from < to && !shape.empty()) expected.pop_back();
  const bool whole = from >= to ? from % to == 0 : !shape.empty() && shape.back() * from == to;
  if (!whole || result.shape != expected)
    return malformed(request, "C1", fmt::format("{} of {} bits do not become {} of {} bits", to_text(shape), from, to_text(result.shape), to));
  return from >= to ? cut(*operand, from / to) : join(*operand, to / from);
}

}  // namespace tiebreak::structure
