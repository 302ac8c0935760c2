// SPDX-License-Identifier: Apache-2.0
// dot.qnn: dense and batch_matmul of TVM. The last dimensions of both operands are contracted: the right operand is stored transposed, [..., columns, depth].
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

Result<Geometry> dot_qnn(const StructureRequest& request) {
  TIEBREAK_TRY(left, argument_operand(request, 0));
  TIEBREAK_TRY(right, argument_operand(request, 1));
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
