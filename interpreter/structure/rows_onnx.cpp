// SPDX-License-Identifier: Apache-2.0
// rows.onnx(data, axes): rows along the axes, which are an attribute or an operand. Without axes everything is reduced, or nothing where
// noop_with_empty_axes says so. rows.onnx(data, first, last): rows along the axes from the first to the last. Reduced dimensions stay with
// size 1 unless keepdims is 0.
#include "interpreter/movement/move.hpp"
#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

/// Nothing is reduced: each element is a row of its own.
Geometry single_elements(const StructureOperand& operand) {
  Geometry geometry;
  const Shape& shape = operand.type.shape;
  geometry.has_bag = true;
  geometry.cell_extents = geometry.result_shape = geometry.item_result_shape = shape;
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
  geometry.operands[operand.name] = geometry.result = geometry.item_result = make_access(shape, std::move(positions));
  return geometry;
}

bool names_operand(const StructureRequest& request) { return request.arguments.size() < 2 || !request.arguments[1].name.empty(); }

}  // namespace

Result<Geometry> rows_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  AttributeMap attributes = *request.attributes;
  attributes.try_emplace("keepdims", Attribute{Real(1)});
  StructureRequest lines = request;
  lines.path = "rows";
  lines.attributes = &attributes;
  if (!names_operand(request)) return rows(lines);
  TIEBREAK_TRY(axes, steered(request, 1, "axes"));
  TIEBREAK_TRY(nothing, integer(request, "noop_with_empty_axes", 0));
  const bool all = axes.value_or(Shape{}).empty();
  lines.arguments = {StructureArgument{.name = operand->name}, StructureArgument{.name = "", .values = axes.value_or(Shape{})}};
  TIEBREAK_TRY(reduced, rows(lines));
  Geometry geometry = all && nothing != 0 ? single_elements(*operand) : std::move(reduced);
  if (request.arguments.size() > 1)
    if (find_operand(request, request.arguments[1].name) != nullptr) geometry.operands[request.arguments[1].name] = Access{};  // read above, not by formulas
  return geometry;
}

}  // namespace tiebreak::structure
