// SPDX-License-Identifier: Apache-2.0
// elementwise(x, ...): a cell for each element of the broadcast operands, no bag; the members of a variadic operand are a bag. elementwise.onnx(x, ...): the
// same, and the dimensions have ONNX's meaning: the first is the batch, the second the channel.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

/// The operands that the structure line names, members of variadic ones each by itself. Absent ones have no shape to broadcast.
std::vector<const StructureOperand*> named_operands(const StructureRequest& request, Geometry& geometry) {
  std::vector<const StructureOperand*> named;
  for (const StructureArgument& argument : request.arguments) {
    if (const StructureOperand* operand = find_operand(request, argument.name)) named.push_back(operand);
    for (std::size_t m = 0; const StructureOperand* member = find_operand(request, member_name(argument.name, m)); ++m) {
      named.push_back(member);
      geometry.members.push_back(static_cast<std::int64_t>(m));
    }
  }
  return named;
}

}  // namespace

Result<Geometry> elementwise(const StructureRequest& request) {
  Geometry geometry;
  const std::vector<const StructureOperand*> named = named_operands(request, geometry);
  if (named.empty()) return malformed(request, "", "there is no operand");
  for (const StructureOperand* operand : named) {
    const Shape& shape = operand->type.shape;
    Shape& cells = geometry.cell_extents;
    if (shape.size() > cells.size()) cells.insert(cells.begin(), shape.size() - cells.size(), 1);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t& extent = cells[cells.size() - shape.size() + d];
      if (extent == 1) extent = shape[d];
      if (shape[d] != 1 && shape[d] != extent)
        return malformed(request, "", fmt::format("shape {} of {} does not broadcast with {}", to_text(shape), operand->name, to_text(cells)));
    }
  }
  geometry.result_shape = geometry.cell_extents;
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  const std::size_t rank = geometry.cell_extents.size();
  auto broadcast = [&](const Shape& shape) {
    std::vector<Affine> positions(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (shape[d] != 1 || geometry.cell_extents[rank - shape.size() + d] == 1) positions[d] = at_cell(static_cast<int>(rank - shape.size() + d));
    return make_access(shape, std::move(positions));
  };
  for (const StructureOperand* operand : named) geometry.operands[operand->name] = broadcast(operand->type.shape);
  if (!geometry.members.empty()) {
    geometry.has_bag = true;
    geometry.item_extents = {static_cast<std::int64_t>(geometry.members.size())};
    geometry.member = make_access(geometry.item_extents, {at_item(0)});
  }
  geometry.result = broadcast(geometry.result_shape);
  return geometry;
}

/// What has fewer than two dimensions has one channel.
Result<Geometry> elementwise_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(geometry, elementwise(request));
  const Shape& shape = geometry.result_shape;
  geometry.indices = {{"batch", shape.empty() ? Affine{} : at_cell(0)}, {"channel", shape.size() < 2 ? Affine{} : at_cell(1)}};
  geometry.extents = {{"batch", shape.empty() ? 1 : shape[0]}, {"channel", shape.size() < 2 ? 1 : shape[1]}};
  return std::move(geometry);
}

}  // namespace tiebreak::structure
