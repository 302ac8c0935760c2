// SPDX-License-Identifier: Apache-2.0
// rows.torch(x): rows along the last dimensions, whose extents the attribute `normalized_shape` lists. rows.torch(x, n): rows of n groups of
// channels, each a run of the dimension behind the batch together with all that follows it; the index `channel` is an item's channel of all.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

Result<Geometry> normalized(const StructureRequest& request, const StructureOperand& x) {
  TIEBREAK_TRY(last, integers(request, "normalized_shape", {}));
  const Shape& shape = x.type.shape;
  if (last.empty() || last.size() > shape.size() || !std::equal(last.rbegin(), last.rend(), shape.rbegin()))
    return malformed(request, "", fmt::format("{} has shape {}, which does not end with {}", x.name, to_text(shape), to_text(last)));
  StructureRequest lines = request;
  lines.path = "rows";
  StructureArgument axes;
  for (std::size_t d = shape.size() - last.size(); d < shape.size(); ++d) axes.values.push_back(static_cast<std::int64_t>(d));
  lines.arguments = {StructureArgument{.name = x.name}, axes};
  return rows(lines);
}

Result<Geometry> grouped(const StructureRequest& request, const StructureOperand& x, std::int64_t groups) {
  const Shape& shape = x.type.shape;
  if (shape.size() < 3) return malformed(request, "", fmt::format("{} has rank {}, at least 3 is needed", x.name, shape.size()));
  if (groups < 1 || shape[1] % groups != 0) return malformed(request, "", fmt::format("{} channels cannot be {} groups", shape[1], groups));
  const std::int64_t channels = shape[1] / groups;
  Geometry geometry;
  geometry.has_bag = true;
  geometry.cell_extents = geometry.result_shape = {shape[0], groups};
  geometry.item_extents = shape;
  geometry.item_extents.erase(geometry.item_extents.begin());
  geometry.item_extents[0] = channels;
  const Affine channel{.cell = {{1, channels}}, .item = {{0, 1}}};
  std::vector<Affine> positions{at_cell(0), channel};
  for (std::size_t d = 2; d < shape.size(); ++d) positions.push_back(at_item(static_cast<int>(d) - 1));
  geometry.operands[x.name] = geometry.item_result = make_access(shape, std::move(positions));
  geometry.item_result_shape = shape;
  geometry.result = make_access(geometry.result_shape, {at_cell(0), at_cell(1)});
  geometry.indices["channel"] = channel;
  geometry.extents["channel"] = shape[1];
  return geometry;
}

}  // namespace

Result<Geometry> rows_torch(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  if (request.arguments.size() < 2) return normalized(request, *x);
  if (request.arguments[1].values.size() != 1) return malformed(request, "", "the number of groups must be one integer");
  return grouped(request, *x, request.arguments[1].values[0]);
}

}  // namespace tiebreak::structure
