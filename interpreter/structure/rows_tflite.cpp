// SPDX-License-Identifier: Apache-2.0
// rows.tflite(x, axes): rows along the axes that an operand names. Reduced dimensions stay with size 1 where keep_dims says so.
#include "interpreter/movement/move.hpp"
#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

Result<Geometry> rows_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(numbers, argument_operand(request, 1));
  TIEBREAK_TRY(axes, steering(request, numbers->name));
  TIEBREAK_TRY(keep, integer(request, "keep_dims", 0));
  if (axes.empty()) return malformed(request, "E1", "no axis is named");
  AttributeMap attributes = *request.attributes;
  attributes["keepdims"] = Attribute{Real(keep)};
  StructureRequest lines = request;
  lines.path = "rows";
  lines.attributes = &attributes;
  lines.arguments = {StructureArgument{.name = operand->name}, StructureArgument{.name = "", .values = axes}};
  TIEBREAK_TRY(geometry, rows(lines));
  geometry.operands[numbers->name] = Access{};  // read above, not by formulas
  return std::move(geometry);
}

}  // namespace tiebreak::structure
