// SPDX-License-Identifier: Apache-2.0
// gather.tosa(values, indices) and scatter.tosa(values, indices, updates): a list of K rows for each batch, and W indices into it. A gather has W rows. In a
// scatter a cell is an element of the list, and its bag has the batch's W indices, beside each the update that it is for: formulas say which of them land
// there.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// The shapes [N, K, C] and [N, W].
Status check_lists(const StructureRequest& request, const StructureOperand& values, const StructureOperand& indices) {
  const Shape &list = values.type.shape, &chosen = indices.type.shape;
  if (list.size() == 3 && chosen.size() == 2 && list[0] == chosen[0]) return {};
  return malformed(request, "E1",
                   fmt::format("{} has shape {} and {} {}: [N, K, C] and [N, W] are expected", values.name, to_text(list), indices.name, to_text(chosen)));
}

/// For each batch, row and index: the index's place where the update lands in the row or nowhere, else -1.
Result<std::shared_ptr<const std::vector<std::int64_t>>> landing_updates(const StructureRequest& request, const Tensor& indices, std::int64_t rows) {
  const std::int64_t batches = indices.shape()[0], width = indices.shape()[1];
  if (indices.size() > 0 && rows > (far >> 2) / indices.size())
    return fail(Errc::limit, fmt::format("{}: {} indices into {} rows", request.op, indices.size(), rows), request.where);
  auto landing = std::make_shared<std::vector<std::int64_t>>();
  for (std::int64_t n = 0; n < batches; ++n)
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t w = 0; w < width; ++w) {
        const std::int64_t index = near_index(indices, n * width + w);
        landing->push_back(index == row || index < 0 || index >= rows ? w : -1);
      }
  return landing;
}

}  // namespace

/// An index that lies outside reads the nearest row: what is then undefined, the page says.
Result<Geometry> gather_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(values, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 1));
  TIEBREAK_CHECK(check_lists(request, *values, *indices));
  if (indices->tensor == nullptr) return malformed(request, "", fmt::format("{} has no elements", indices->name));
  const Shape &list = values->type.shape, &chosen = indices->type.shape;
  if (list[1] == 0 && chosen[1] > 0) return malformed(request, "E1", fmt::format("{} has no rows", values->name));
  TIEBREAK_TRY(geometry, cells_of_result(request, {list[0], chosen[1], list[2]}));
  auto rows = std::make_shared<std::vector<std::int64_t>>();
  for (std::int64_t i = 0; i < indices->tensor->size(); ++i)
    rows->push_back(std::clamp<std::int64_t>(near_index(*indices->tensor, i), 0, std::max<std::int64_t>(0, list[1] - 1)));
  Access access = make_access(list, {at_cell(0), Affine{.cell = {{0, chosen[1]}, {1, 1}}}, at_cell(2)});
  access.dimensions[1].listed = std::move(rows);
  geometry.operands[values->name] = std::move(access);
  geometry.operands[indices->name] = make_access(chosen, {at_cell(0), at_cell(1)});
  return std::move(geometry);
}

Result<Geometry> scatter_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(values, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 1));
  TIEBREAK_TRY(updates, argument_operand(request, 2));
  TIEBREAK_CHECK(check_lists(request, *values, *indices));
  const Shape &list = values->type.shape, &chosen = indices->type.shape;
  if (updates->type.shape != Shape{list[0], chosen[1], list[2]})
    return malformed(request, "E1",
                     fmt::format("{} has shape {}, expected {}", updates->name, to_text(updates->type.shape), to_text(Shape{list[0], chosen[1], list[2]})));
  if (indices->tensor == nullptr) return malformed(request, "", fmt::format("{} has no elements", indices->name));
  TIEBREAK_TRY(geometry, cells_of_result(request, list));
  geometry.has_bag = true;
  geometry.item_extents = {chosen[1]};
  geometry.operands[values->name] = geometry.result;
  TIEBREAK_TRY(landing, landing_updates(request, *indices->tensor, list[1]));
  const Affine listed{.cell = {{0, list[1] * chosen[1]}, {1, chosen[1]}}, .item = {{0, 1}}};
  Access index = make_access(chosen, {at_cell(0), listed}), update = make_access(updates->type.shape, {at_cell(0), listed, at_cell(2)});
  for (Access* access : {&index, &update}) {
    access->dimensions[1].listed = landing;
    access->may_miss = true;
  }
  geometry.operands[indices->name] = std::move(index);
  geometry.operands[updates->name] = std::move(update);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
