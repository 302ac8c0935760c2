// SPDX-License-Identifier: Apache-2.0
// dot.qnn: dense and batch_matmul of TVM. The last dimensions of both operands are contracted: the right operand is stored transposed, [..., columns, depth].
// With the attribute weight_layout = NC<n>n<c>c it is stored in tiles, [columns / n, depth / c, n, c].
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

namespace {

/// What the word says of the tiles must be what the operand has: NC32n4c of [.., .., 32, 4].
Status check_tiles(const StructureRequest& request, const StructureOperand& right, const std::string& layout) {
  const Shape& b = right.type.shape;
  if (b.size() != 4 || layout != fmt::format("NC{}n{}c", b[2], b[3]))
    return malformed(request, "", fmt::format("{} of shape {} is not stored as {}", right.name, to_text(b), layout));
  return {};
}

/// A row of the left operand by a column, which is a place in a tile of columns; items are tiles of the depth and places in them.
Result<Geometry> packed(const StructureRequest& request, const StructureOperand& left, const StructureOperand& right) {
  const Shape& a = left.type.shape;
  const Shape& b = right.type.shape;
  if (a.size() != 2 || a[1] != b[1] * b[3])
    return malformed(request, "", fmt::format("{} and {} cannot be multiplied: {} and {}", left.name, right.name, to_text(a), to_text(b)));
  Geometry geometry;
  geometry.has_bag = true;
  geometry.cell_extents = {a[0], b[0], b[2]};
  geometry.item_extents = {b[1], b[3]};
  geometry.fast_items = 2;
  geometry.result_shape = {a[0], b[0] * b[2]};
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  TIEBREAK_TRY(units, integer(request, "units", geometry.result_shape[1]));
  if (units != geometry.result_shape[1]) return malformed(request, "", fmt::format("units is {}, {} has {}", units, right.name, geometry.result_shape[1]));
  const Affine column{.cell = {{1, b[2]}, {2, 1}}}, depth{.item = {{0, b[3]}, {1, 1}}};
  geometry.indices = {{"row", at_cell(0)}, {"channel", column}, {"feature", depth}};
  geometry.extents = {{"row", a[0]}, {"channel", geometry.result_shape[1]}, {"feature", a[1]}};
  geometry.operands[left.name] = make_access(a, {at_cell(0), depth});
  geometry.operands[right.name] = make_access(b, {at_cell(1), at_item(0), at_cell(2), at_item(1)});
  geometry.result = make_access(geometry.result_shape, {at_cell(0), column});
  return geometry;
}

}  // namespace

Result<Geometry> dot_qnn(const StructureRequest& request) {
  TIEBREAK_TRY(left, argument_operand(request, 0));
  TIEBREAK_TRY(right, argument_operand(request, 1));
  const auto layout = request.attributes->find("weight_layout");
  if (layout != request.attributes->end() && layout->second.as_string().value_or("NC") != "NC") {
    TIEBREAK_CHECK(check_tiles(request, *right, *layout->second.as_string()));
    return packed(request, *left, *right);
  }
  const Shape& a = left->type.shape;
  const Shape& b = right->type.shape;
  if (a.empty() || b.size() < 2 || (b.size() > 2 && a.size() != b.size()))
    return malformed(request, "", fmt::format("{} and {} cannot be multiplied: {} and {}", left->name, right->name, to_text(a), to_text(b)));
  if (a.back() != b.back())
    return malformed(request, "", fmt::format("the last dimensions of {} and {} differ: {} and {}", left->name, right->name, to_text(a), to_text(b)));
  TIEBREAK_TRY(units, integer(request, "units", b[b.size() - 2]));
  if (units != b[b.size() - 2]) return malformed(request, "", fmt::format("units is {}, {} has {}", units, right->name, b[b.size() - 2]));
  Geometry geometry;
  geometry.has_bag = true;
  geometry.item_extents = {a.back()};
  geometry.fast_items = 1;
  std::vector<Affine> a_positions(a.size()), b_positions(b.size());
  const std::size_t batch = b.size() - 2;
  for (std::size_t d = 0; d + 1 < a.size(); ++d) {
    std::int64_t extent = a[d];
    const int cell = static_cast<int>(d);
    if (d < batch) {  // a dimension of 1 serves all batches of the other
      if (a[d] != b[d] && a[d] != 1 && b[d] != 1) return malformed(request, "", fmt::format("batches of {} and {} differ", to_text(a), to_text(b)));
      extent = a[d] == 1 ? b[d] : a[d];
      if (b[d] != 1) b_positions[d] = at_cell(cell);
    }
    if (a[d] != 1) a_positions[d] = at_cell(cell);
    geometry.cell_extents.push_back(extent);
  }
  const int column = static_cast<int>(geometry.cell_extents.size());
  geometry.cell_extents.push_back(b[batch]);
  a_positions.back() = at_item(0);
  b_positions.back() = at_item(0);
  b_positions[batch] = at_cell(column);
  geometry.indices["channel"] = at_cell(column);
  geometry.extents["channel"] = b[batch];
  geometry.indices["feature"] = at_item(0);
  geometry.extents["feature"] = a.back();
  if (a.size() <= 2) {  // beside batches a row has several coordinates, and no index of its own
    geometry.indices["row"] = a.size() == 2 ? at_cell(0) : Affine{};
    geometry.extents["row"] = a.size() == 2 ? a[0] : 1;
  }
  geometry.result_shape = geometry.cell_extents;
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  geometry.operands[left->name] = make_access(a, std::move(a_positions));
  geometry.operands[right->name] = make_access(b, std::move(b_positions));
  std::vector<Affine> result_positions;
  for (std::size_t d = 0; d < geometry.result_shape.size(); ++d) result_positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

}  // namespace tiebreak::structure
