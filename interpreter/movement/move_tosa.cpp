// SPDX-License-Identifier: Apache-2.0
// Movement as TOSA writes it: what steers it is an attribute (axis, perms) or a list of numbers that is an operand, the argument after the data. The labels are
// those of the pages.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/listed_elements.hpp"

namespace tiebreak::structure {

Result<Geometry> move_reshape_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(target, argument_operand(request, 1));
  TIEBREAK_TRY(wanted, steering(request, target->name));
  std::int64_t count = 1;
  for (std::int64_t extent : wanted) {
    if (extent < 1) return malformed(request, "E1", fmt::format("{} is no shape", to_text(wanted)));
    if (extent > far_index / count) return fail(Errc::limit, fmt::format("{}: the shape {} is too large", request.op, to_text(wanted)), request.where);
    count *= extent;
  }
  TIEBREAK_TRY(own, element_count(operand->type.shape));
  if (own != count) return malformed(request, "E1", fmt::format("{} elements cannot have the shape {}", own, to_text(wanted)));
  return reshaped(request, *operand, wanted);
}

/// Arguments: data, start, size.
Result<Geometry> move_slice_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(starts, steering_argument(request, 1, shape.size(), "E1"));
  TIEBREAK_TRY(sizes, steering_argument(request, 2, shape.size(), "E1"));
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (starts[d] < 0) return malformed(request, "E2", fmt::format("start[{}] = {}", d, starts[d]));
    if (sizes[d] <= 0) return malformed(request, "E3", fmt::format("size[{}] = {}", d, sizes[d]));
    if (starts[d] + sizes[d] > shape[d])
      return malformed(request, "E4", fmt::format("dimension {}: {} elements from {} on do not lie within {}", d, sizes[d], starts[d], shape[d]));
    places.push_back(at_cell(static_cast<int>(d)));
    places[d].base = starts[d];
  }
  TIEBREAK_CHECK(check_stated_shape(request, sizes, "E5"));
  TIEBREAK_TRY(geometry, cells_of_result(request, sizes));
  geometry.operands[operand->name] = make_access(shape, std::move(places));
  return std::move(geometry);
}

/// Arguments: data, and how many places stand before and behind each dimension.
Result<Geometry> move_pad_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(amounts, steering_argument(request, 1, 2 * shape.size(), "E1"));
  Shape padded;
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t before = amounts[2 * d], behind = amounts[2 * d + 1];
    if (before < 0 || behind < 0) return malformed(request, "E2", fmt::format("padding {} and {} along dimension {}", before, behind, d));
    padded.push_back(before + shape[d] + behind);
    places.push_back(at_cell(static_cast<int>(d)));
    places[d].base = -before;
  }
  TIEBREAK_CHECK(check_stated_shape(request, padded, "E3"));
  TIEBREAK_TRY(geometry, cells_of_result(request, padded));
  Access access = make_access(shape, std::move(places));
  access.may_miss = true;
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

/// Arguments: data, and how often each dimension is gone through.
Result<Geometry> move_tile_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(multiples, steering_argument(request, 1, operand->type.shape.size(), "E1"));
  Shape wanted = operand->type.shape;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (multiples[d] < 1) return malformed(request, "E2", fmt::format("multiples = {}", to_text(multiples)));
    if (multiples[d] > far_index / std::max<std::int64_t>(1, wanted[d]))
      return fail(Errc::limit, fmt::format("{}: multiples = {}", request.op, to_text(multiples)), request.where);
    wanted[d] *= multiples[d];
  }
  TIEBREAK_CHECK(check_stated_shape(request, wanted, "E2"));
  return move_tile_onnx(request);
}

Result<Geometry> move_reverse_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(axis, integer(request, "axis", -1));
  if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size())) return malformed(request, "E1", fmt::format("axis {} of {} dimensions", axis, shape.size()));
  TIEBREAK_TRY(geometry, cells_of_result(request, shape));
  Access access = geometry.result;
  access.dimensions[static_cast<std::size_t>(axis)].position = at_cell(static_cast<int>(axis), -1);
  access.dimensions[static_cast<std::size_t>(axis)].position.base = shape[static_cast<std::size_t>(axis)] - 1;
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

Result<Geometry> move_transpose_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(permutation, integers(request, "perms", {}));
  Shape sorted = permutation, places;
  std::ranges::sort(sorted);
  for (std::size_t d = 0; d < operand->type.shape.size(); ++d) places.push_back(static_cast<std::int64_t>(d));
  if (sorted != places) return malformed(request, "E1", fmt::format("perms = {} is no permutation of {} dimensions", to_text(permutation), places.size()));
  return transposed(request, *operand, permutation);
}

}  // namespace tiebreak::structure
