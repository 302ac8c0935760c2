// SPDX-License-Identifier: Apache-2.0
// concat(x, axis): the members of a variadic operand one after the other along an axis. A cell sees one member; the others have a hole there.
// move.pack_tflite(x): the same along a dimension that the members do not have, `axis` of the result.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/movements.hpp"

namespace tiebreak::structure {
namespace {

/// A member's shape; of members that are packed with a dimension of 1 at the axis, which changes no offset.
Shape member_shape(const StructureOperand& member, bool packed, std::size_t axis) {
  Shape shape = member.type.shape;
  if (packed) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(axis, shape.size())), 1);
  return shape;
}

Result<Geometry> joined_members(const StructureRequest& request, std::int64_t given, bool packed) {
  const std::string& name = request.arguments[0].name;
  const StructureOperand* first = find_operand(request, member_name(name, 0));
  if (first == nullptr) return malformed(request, "", fmt::format("{} has no members", name));
  const std::int64_t rank = static_cast<std::int64_t>(first->type.shape.size()) + (packed ? 1 : 0);
  if (given < -rank || given >= rank) return malformed(request, "", fmt::format("axis {} is outside the rank {}", given, rank));
  const std::size_t axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  const Shape shape = member_shape(*first, packed, axis);
  Geometry geometry;
  geometry.result_shape = shape;
  geometry.result_shape[axis] = 0;
  for (std::size_t m = 0; const StructureOperand* member = find_operand(request, member_name(name, m)); ++m) {
    const Shape own = member_shape(*member, packed, axis);
    bool fits = own.size() == shape.size();
    for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = d == axis || own[d] == shape[d];
    if (!fits)
      return malformed(
          request, "",
          fmt::format("{} has shape {}, which does not go with {} along axis {}", member->name, to_text(member->type.shape), to_text(first->type.shape), axis));
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

}  // namespace

Result<Geometry> concat(const StructureRequest& request) {
  if (request.arguments.size() < 2 || request.arguments[1].values.size() != 1) return malformed(request, "", "the axis must be one integer");
  return joined_members(request, request.arguments[1].values[0], false);
}

Result<Geometry> move_pack_tflite(const StructureRequest& request) {
  if (request.arguments.empty()) return malformed(request, "", "nothing is packed");
  TIEBREAK_TRY(axis, integer(request, "axis", 0));
  TIEBREAK_TRY(geometry, joined_members(request, axis, true));
  TIEBREAK_TRY(stated, integer(request, "values_count", 0));
  const std::int64_t count = static_cast<std::int64_t>(geometry.members.size());
  if (stated != count) return malformed(request, "E1", fmt::format("values_count is {}, there are {} members", stated, count));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
