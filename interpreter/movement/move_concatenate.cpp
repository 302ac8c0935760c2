// SPDX-License-Identifier: Apache-2.0
// move.concatenate(x): the members of x one after the other along `dimension`, with the checks that StableHLO numbers.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_concatenate(const StructureRequest& request) {
  if (request.arguments.empty()) return malformed(request, "", "concatenate needs a variadic operand");
  const std::string& name = request.arguments[0].name;
  const StructureOperand* first = find_operand(request, member_name(name, 0));
  if (first == nullptr) return malformed(request, "C3", fmt::format("{} has no members", name));
  const Shape& shape = first->type.shape;
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  TIEBREAK_TRY(axis, integer(request, "dimension", -1));
  if (axis < 0 || axis >= rank) return malformed(request, "C4", fmt::format("dimension {} is outside the rank {}", axis, rank));
  for (std::size_t m = 1; const StructureOperand* member = find_operand(request, member_name(name, m)); ++m) {
    if (element_text(member->type) != element_text(first->type))
      return malformed(request, "C1",
                       fmt::format("{} has elements {}, {} has {}", first->name, element_text(first->type), member->name, element_text(member->type)));
    Shape other = member->type.shape;
    if (other.size() == shape.size()) other[static_cast<std::size_t>(axis)] = shape[static_cast<std::size_t>(axis)];
    if (other != shape)
      return malformed(request, "C2", fmt::format("{} has shape {}, which does not go with {}", member->name, to_text(member->type.shape), to_text(shape)));
  }
  StructureRequest placed = request;
  placed.arguments = {{.name = name}, {.name = "", .values = {axis}}};
  TIEBREAK_TRY(geometry, concat(placed));
  TIEBREAK_CHECK(check_stated_shape(request, geometry.result_shape, "C6"));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
