// SPDX-License-Identifier: Apache-2.0
// move.each(x): the one member of a variadic operand, element by element. What has as many results as operands is applied to each by itself.
#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_each(const StructureRequest& request) {
  if (request.arguments.empty() || request.operands.size() != 1) return malformed(request, "", "one operand at a time");
  const StructureOperand& member = request.operands.front();
  TIEBREAK_CHECK(check_stated_shape(request, member.type.shape, "C1"));
  TIEBREAK_TRY(geometry, cells_of_result(request, member.type.shape));
  geometry.operands[member.name] = geometry.result;
  geometry.members = {0};
  return std::move(geometry);
}

}  // namespace tiebreak::structure
