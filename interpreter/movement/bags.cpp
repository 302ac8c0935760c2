// SPDX-License-Identifier: Apache-2.0
// bags.torch(weight by n, columns, indices, offsets, per_sample_weights, mapping, parameters...): the cells are bags and columns; the items of a bag
// are its indices in their order, each of which sees its row of the weight, of which one entry holds n columns. Bag after bag takes as many indices
// as its offset and the next one say. Where the attribute `pruned_weights` is set, an index is a place in the mapping, and its entry the row; -1 is no item.
// The operands behind the mapping have one element a row. Without offsets each line of the indices is a bag. gather.torch(weight, indices, parameters...): the
// cells are indices and columns; each index sees its row of the weight, and of what has one element a row.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"
#include "interpreter/movement/movements.hpp"

namespace tiebreak::structure {
namespace {

/// An operand that is left out is there with its name alone.
const StructureOperand* given_operand(const StructureRequest& request, std::size_t argument) {
  return argument < request.arguments.size() ? find_operand(request, request.arguments[argument].name) : nullptr;
}

Result<Shape> whole_list(const StructureRequest& request, const StructureOperand& operand) {
  if (operand.tensor == nullptr || !operand.type.element.is_integer()) return malformed(request, "", fmt::format("{} must be whole numbers", operand.name));
  Shape values;
  for (std::int64_t i = 0; i < operand.tensor->size(); ++i) values.push_back(near_index(*operand.tensor, i));
  return values;
}

/// How many indices each bag takes. What follows a greater offset is an empty bag.
Result<Shape> lengths_of(const StructureRequest& request, const Shape& indices, const StructureOperand* offsets) {
  if (offsets == nullptr) {
    if (indices.size() != 2) return malformed(request, "", "without offsets the indices must be lines of bags");
    return Shape(static_cast<std::size_t>(indices[0]), indices[1]);
  }
  if (indices.size() != 1) return malformed(request, "", "with offsets the indices must be one line");
  TIEBREAK_TRY(begins, whole_list(request, *offsets));
  TIEBREAK_TRY(has_last, integer(request, "include_last_offset", 0));
  if (begins.empty()) return malformed(request, "", "no offset is given");
  if (has_last == 0) begins.push_back(indices[0]);
  Shape lengths;
  for (std::size_t m = 0; m + 1 < begins.size(); ++m) lengths.push_back(std::max<std::int64_t>(0, begins[m + 1] - begins[m]));
  return lengths;
}

/// The row that each index names, -1 for none.
Result<Shape> rows_of(const StructureRequest& request, const StructureOperand& indices, const StructureOperand* mapping, std::int64_t rows) {
  TIEBREAK_TRY(named, whole_list(request, indices));
  Shape table;
  TIEBREAK_TRY(pruned, integer(request, "pruned_weights", 0));
  if (mapping != nullptr && pruned != 0) {
    TIEBREAK_TRY(entries, whole_list(request, *mapping));
    if (entries != Shape{0}) table = entries;  // a mapping that is a single 0 stands for none
  }
  for (std::int64_t& index : named) {
    if (!table.empty()) {
      if (index < 0 || index >= static_cast<std::int64_t>(table.size()))
        return malformed(request, "", fmt::format("index {} is outside the {} entries of {}", index, table.size(), mapping->name));
      index = table[static_cast<std::size_t>(index)];
      if (index == -1) continue;
    }
    if (index < 0 || index >= rows) return malformed(request, "", fmt::format("{} names row {}, outside the {} rows", indices.name, index, rows));
  }
  return std::move(named);
}

using Places = std::shared_ptr<const std::vector<std::int64_t>>;

/// An operand with one element a row or an index, read where the table says.
Access listed_access(std::int64_t size, const Affine& place, const Places& places) {
  Access access = make_access({size}, {place});
  access.dimensions[0].listed = places;
  access.may_miss = std::ranges::any_of(*places, [](std::int64_t index) { return index < 0; });
  return access;
}

/// The operands from `first` on have one element a row and are read where the row is.
Status add_row_parameters(Geometry& geometry, const StructureRequest& request, std::size_t first, std::int64_t rows, const Affine& place,
                          const Places& places) {
  for (std::size_t a = first; a < request.arguments.size(); ++a) {
    const StructureOperand* parameter = given_operand(request, a);
    if (parameter == nullptr) continue;
    if (parameter->type.shape != Shape{rows}) return malformed(request, "", fmt::format("{} must have one element a row, {}", parameter->name, rows));
    geometry.operands[parameter->name] = listed_access(rows, place, places);
  }
  return {};
}

}  // namespace

Result<Geometry> bags_torch(const StructureRequest& request) {
  TIEBREAK_TRY(weight, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 2));
  const Shape& shape = weight->type.shape;
  const std::int64_t packed = std::max<std::int64_t>(1, request.arguments[0].block);
  if (shape.size() != 2 || request.arguments[1].values.size() != 1 || request.arguments[1].values[0] < 0 || request.arguments[1].values[0] > shape[1] * packed)
    return malformed(request, "", fmt::format("{} of shape {} has no such columns", weight->name, to_text(shape)));
  const std::int64_t columns = request.arguments[1].values[0];
  const StructureOperand *offsets = given_operand(request, 3), *weights = given_operand(request, 4), *mapping = given_operand(request, 5);
  TIEBREAK_TRY(rows, rows_of(request, *indices, mapping, shape[0]));
  const std::int64_t count = static_cast<std::int64_t>(rows.size());
  TIEBREAK_TRY(lengths, lengths_of(request, indices->type.shape, offsets));
  std::int64_t longest = 0, taken = 0;
  for (std::int64_t length : lengths) longest = std::max(longest, length), taken += length;
  if (taken > count) return malformed(request, "", fmt::format("the bags take {} indices, there are {}", taken, count));
  const Shape bags_shape{static_cast<std::int64_t>(lengths.size()), longest, columns};
  TIEBREAK_CHECK(element_count(bags_shape).map([](std::int64_t) {}));
  // Which row, and which index, each place of each bag sees; -1 is a hole.
  auto row_places = std::make_shared<std::vector<std::int64_t>>(), index_places = std::make_shared<std::vector<std::int64_t>>();
  std::int64_t next = 0;
  for (std::int64_t length : lengths) {
    for (std::int64_t i = 0; i < longest; ++i) {
      const std::int64_t index = i < length ? next + i : -1;
      row_places->push_back(index < 0 ? -1 : rows[static_cast<std::size_t>(index)]);
      index_places->push_back(row_places->back() < 0 ? -1 : index);
    }
    next += length;
  }
  Geometry geometry;
  geometry.has_bag = true;
  geometry.cell_extents = {static_cast<std::int64_t>(lengths.size()), columns};
  geometry.item_extents = {longest};
  const Affine place{.cell = {{0, longest}}, .item = {{0, 1}}};
  Access elements = make_access(shape, {place, at_cell(1)});
  elements.dimensions[0].listed = row_places;
  elements.dimensions[1].divisor = packed;
  elements.may_miss = std::ranges::any_of(*row_places, [](std::int64_t row) { return row < 0; });
  geometry.operands[weight->name] = std::move(elements);
  if (weights != nullptr) {
    if (weights->type.shape != Shape{count}) return malformed(request, "", fmt::format("{} must have one element an index, {}", weights->name, count));
    geometry.operands[weights->name] = listed_access(count, place, index_places);
  }
  TIEBREAK_CHECK(add_row_parameters(geometry, request, 6, shape[0], place, row_places));
  for (const StructureOperand* read : {indices, offsets, mapping})  // read above, not by formulas
    if (read != nullptr) geometry.operands[read->name] = Access{};
  geometry.result_shape = geometry.cell_extents;
  geometry.result = make_access(geometry.result_shape, {at_cell(0), at_cell(1)});
  return geometry;
}

Result<Geometry> gather_torch(const StructureRequest& request) {
  TIEBREAK_TRY(weight, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 1));
  const Shape& shape = weight->type.shape;
  if (shape.size() != 2) return malformed(request, "", fmt::format("{} has shape {}, rows and columns are needed", weight->name, to_text(shape)));
  TIEBREAK_TRY(rows, rows_of(request, *indices, nullptr, shape[0]));
  Geometry geometry;
  Affine place;
  const std::vector<std::int64_t> strides = row_major_strides(indices->type.shape);
  for (std::size_t d = 0; d < strides.size(); ++d) place.cell.push_back({static_cast<int>(d), strides[d]});
  geometry.result_shape = indices->type.shape;
  geometry.result_shape.push_back(shape[1]);
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  geometry.cell_extents = geometry.result_shape;
  const auto places = std::make_shared<const std::vector<std::int64_t>>(rows);
  Access elements = make_access(shape, {place, at_cell(static_cast<int>(strides.size()))});
  elements.dimensions[0].listed = places;
  geometry.operands[weight->name] = std::move(elements);
  geometry.operands[indices->name] = Access{};  // read above, not by formulas
  TIEBREAK_CHECK(add_row_parameters(geometry, request, 2, shape[0], place, places));
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < geometry.result_shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.result_shape, std::move(positions));
  return geometry;
}

}  // namespace tiebreak::structure
