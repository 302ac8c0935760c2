// SPDX-License-Identifier: Apache-2.0
// concat(x, axis): the members of a variadic operand one after the other along an axis. A cell sees one member; the others have a hole there.
#include <fmt/format.h>

#include "interpreter/movement/movements.hpp"

namespace tiebreak::structure {

Result<Geometry> concat(const StructureRequest& request) {
  if (request.arguments.size() < 2 || request.arguments[1].values.size() != 1) return malformed(request, "", "the axis must be one integer");
  const std::string& name = request.arguments[0].name;
  const StructureOperand* first = find_operand(request, member_name(name, 0));
  if (first == nullptr) return malformed(request, "", fmt::format("{} has no members", name));
  const Shape& shape = first->type.shape;
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t given = request.arguments[1].values[0];
  if (given < -rank || given >= rank) return malformed(request, "", fmt::format("axis {} is outside the rank {}", given, rank));
  const std::size_t axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  Geometry geometry;
  geometry.result_shape = shape;
  geometry.result_shape[axis] = 0;
  for (std::size_t m = 0; const StructureOperand* member = find_operand(request, member_name(name, m)); ++m) {
    const Shape& own = member->type.shape;
    bool fits = own.size() == shape.size();
    for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = d == axis || own[d] == shape[d];
    if (!fits)
      return malformed(request, "", fmt::format("{} has shape {}, which does not go with {} along axis {}", member->name, to_text(own), to_text(shape), axis));
    std::vector<Affine> positions;
    for (std::size_t d = 0; d < shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
    positions[axis].base = -geometry.result_shape[axis];
    Access access = make_access(own, std::move(positions));
    access.may_miss = true;
    geometry.operands[member->name] = std::move(access);
    geometry.result_shape[axis] += own[axis];
    TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
    geometry.members.insert(geometry.members.end(), static_cast<std::size_t>(own[axis]), static_cast<std::int64_t>(m));
  }
  geometry.member = make_access({geometry.result_shape[axis]}, {at_cell(static_cast<int>(axis))});
  geometry.cell_extents = geometry.result_shape;
  std::vector<Affine> result_positions;
  for (std::size_t d = 0; d < shape.size(); ++d) result_positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

}  // namespace tiebreak::structure
