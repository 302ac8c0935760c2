// SPDX-License-Identifier: Apache-2.0
// gather(data, indices, axis): the slices of data along an axis that the indices name. gather(data by n, ...): one entry of data's last
// dimension holds n elements, which the formulas take apart. move.gather_nd_tflite(data, indices): the slices that vectors of places along the first dimensions
// name, one vector in each row of the indices.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// The indices as positions from the front.
Result<std::shared_ptr<const std::vector<std::int64_t>>> listed_positions(const StructureRequest& request, const StructureOperand& indices,
                                                                          std::int64_t extent) {
  if (indices.tensor == nullptr || !indices.type.element.is_integer()) return malformed(request, "", fmt::format("{} must be whole numbers", indices.name));
  auto positions = std::make_shared<std::vector<std::int64_t>>();
  for (std::int64_t i = 0; i < indices.tensor->size(); ++i) {
    const auto value = indices.tensor->value(i).to_int64();
    if (!value || *value < -extent || *value >= extent)
      return malformed(request, "", fmt::format("{}[{}] is {}, outside the {} slices", indices.name, i, indices.tensor->value(i).to_decimal(), extent));
    positions->push_back(*value < 0 ? *value + extent : *value);
  }
  return positions;
}

}  // namespace

Result<Geometry> gather(const StructureRequest& request) {
  TIEBREAK_TRY(data, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 1));
  if (request.arguments.size() < 3 || request.arguments[2].values.size() != 1) return malformed(request, "", "the axis must be one integer");
  const Shape& shape = data->type.shape;
  const Shape& chosen = indices->type.shape;
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t given = request.arguments[2].values[0];
  if (given < -rank || given >= rank) return malformed(request, "", fmt::format("axis {} is outside the rank {}", given, rank));
  const std::size_t axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  const std::int64_t packed = std::max<std::int64_t>(1, request.arguments[0].block);
  if (packed > 1 && axis + 1 == shape.size())
    return malformed(request, "", fmt::format("{} cannot be gathered along the dimension in which it is packed", data->name));
  TIEBREAK_TRY(listed, listed_positions(request, *indices, shape[axis]));
  Geometry geometry;
  std::vector<Affine> positions(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d == axis) {
      const std::vector<std::int64_t> strides = row_major_strides(chosen);
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        positions[d].cell.push_back({static_cast<int>(geometry.result_shape.size()), strides[i]});
        geometry.result_shape.push_back(chosen[i]);
      }
      continue;
    }
    positions[d] = at_cell(static_cast<int>(geometry.result_shape.size()));
    geometry.result_shape.push_back(d + 1 == shape.size() ? shape[d] * packed : shape[d]);
  }
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  geometry.cell_extents = geometry.result_shape;
  Access access = make_access(shape, std::move(positions));
  access.dimensions[axis].listed = listed;
  access.dimensions.back().divisor = packed;
  geometry.operands[data->name] = std::move(access);
  geometry.operands[indices->name] = Access{};  // read above, not by formulas
  std::vector<Affine> result_positions;
  for (std::size_t d = 0; d < geometry.result_shape.size(); ++d) result_positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

Result<Geometry> move_gather_nd_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(data, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 1));
  const Shape &shape = data->type.shape, &chosen = indices->type.shape;
  const std::size_t named = chosen.empty() ? 0 : static_cast<std::size_t>(chosen.back());
  if (indices->tensor == nullptr || !indices->type.element.is_integer() || chosen.empty() || named > shape.size())
    return malformed(request, "E1", fmt::format("{} of {} cannot name places of {}", indices->name, to_text(indices->type), to_text(shape)));
  Shape wanted(chosen.begin(), chosen.end() - 1);
  const std::vector<std::int64_t> strides = row_major_strides(wanted);
  Affine vector;
  for (std::size_t i = 0; i < wanted.size(); ++i) vector.cell.push_back({static_cast<int>(i), strides[i]});
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    positions.push_back(d < named ? vector : at_cell(static_cast<int>(wanted.size())));
    if (d >= named) wanted.push_back(shape[d]);
  }
  TIEBREAK_CHECK(check_stated_shape(request, wanted, "E3"));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  Access access = make_access(shape, std::move(positions));
  for (std::size_t d = 0; d < named; ++d) {
    auto listed = std::make_shared<std::vector<std::int64_t>>();
    for (std::int64_t i = static_cast<std::int64_t>(d); i < indices->tensor->size(); i += chosen.back()) {
      const std::int64_t place = near_index(*indices->tensor, i);
      if (place < 0 || place >= shape[d])
        return malformed(request, "E2", fmt::format("element {} of {} is {}, dimension {} of {} has {}", i, indices->name, place, d, data->name, shape[d]));
      listed->push_back(place);
    }
    if (geometry.cells() > 0) access.dimensions[d].listed = std::move(listed);
  }
  geometry.operands[data->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
