// SPDX-License-Identifier: Apache-2.0
// Movement as ONNX writes it: move.reshape_onnx, flatten_onnx, squeeze_onnx and unsqueeze_onnx give the same elements another shape, transpose_onnx and
// slice_onnx choose among them. What steers them is an attribute in older opsets and an operand in newer ones: the argument after the data names the operand.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
/// 0 takes the operand's dimension at that place (unless allowzero), one -1 takes what is left.
Result<Geometry> move_reshape_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(given, steered(request, 1, "shape"));
  if (!given) return malformed(request, "", "the shape is neither an operand nor an attribute");
  TIEBREAK_TRY(zero_is_zero, integer(request, "allowzero", 0));
  const Shape& shape = operand->type.shape;
  Shape wanted = *given;
  std::optional<std::size_t> open;
  std::int64_t known = 1;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (wanted[d] == 0 && zero_is_zero == 0) {
      if (d >= shape.size()) return malformed(request, "", fmt::format("dimension {} of the shape is 0, and {} has no such dimension", d, operand->name));
      wanted[d] = shape[d];
    }
    if (wanted[d] < -1 || (wanted[d] == -1 && open)) return malformed(request, "", fmt::format("{} is no shape", to_text(*given)));
    if (wanted[d] == -1) open = d;
    else known *= std::min(wanted[d], far_index) == 0 ? 0 : wanted[d];
    if (known > far_index) return fail(Errc::limit, fmt::format("{}: the shape {} is too large", request.op, to_text(*given)), request.where);
  }
  TIEBREAK_TRY(count, element_count(shape));
  if (open && (known == 0 || count % known != 0)) return malformed(request, "", fmt::format("{} elements cannot have the shape {}", count, to_text(*given)));
  if (open) wanted[*open] = count / known;
  return reshaped(request, *operand, wanted);
}

Result<Geometry> move_flatten_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(given, integer(request, "axis", 1));
  const Shape& shape = operand->type.shape;
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  if (given < -rank || given > rank) return malformed(request, "", fmt::format("axis {} is outside the rank {}", given, rank));
  const std::size_t axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  return reshaped(request, *operand, {product(shape, 0, axis), product(shape, axis, shape.size())});
}

/// Without axes every dimension of 1 goes.
Result<Geometry> move_squeeze_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(axes, steered(request, 1, "axes"));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(gone, axes_from_front(request, axes.value_or(Shape{}), shape.size()));
  Shape wanted;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (gone.contains(d) && shape[d] != 1) return malformed(request, "", fmt::format("dimension {} of {} is not 1", d, to_text(shape)));
    if (axes ? !gone.contains(d) : shape[d] != 1) wanted.push_back(shape[d]);
  }
  return reshaped(request, *operand, wanted);
}

Result<Geometry> move_unsqueeze_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(axes, steered(request, 1, "axes"));
  if (!axes) return malformed(request, "", "the axes are neither an operand nor an attribute");
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(made, axes_from_front(request, *axes, shape.size() + axes->size()));
  Shape wanted;
  for (std::size_t d = 0, own = 0; d < shape.size() + axes->size(); ++d) wanted.push_back(made.contains(d) ? 1 : shape[own++]);
  return reshaped(request, *operand, wanted);
}

/// Without perm the dimensions are reversed.
Result<Geometry> move_transpose_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  Shape reversed;
  for (std::size_t d = operand->type.shape.size(); d > 0; --d) reversed.push_back(static_cast<std::int64_t>(d) - 1);
  TIEBREAK_TRY(permutation, integers(request, "perm", reversed));
  return transposed(request, *operand, permutation);
}

/// Arguments: data, starts, ends, axes, steps. Ends beyond the data are clamped, negative ones count from the end, negative steps walk back.
Result<Geometry> move_slice_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(starts, steered(request, 1, "starts"));
  TIEBREAK_TRY(ends, steered(request, 2, "ends"));
  TIEBREAK_TRY(given, steered(request, 3, "axes"));
  TIEBREAK_TRY(steps, steered(request, 4, "steps"));
  if (!starts || !ends) return malformed(request, "", "starts and ends must be there");
  Shape axes = given.value_or(Shape{});
  for (std::size_t i = 0; !given && i < starts->size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  const Shape strides = steps.value_or(Shape(starts->size(), 1));
  if (ends->size() != starts->size() || axes.size() != starts->size() || strides.size() != starts->size())
    return malformed(request, "", "starts, ends, axes and steps must have as many entries");
  TIEBREAK_CHECK(axes_from_front(request, axes, shape.size()).map([](const auto&) {}));
  Shape wanted = shape;
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) places.push_back(at_cell(static_cast<int>(d)));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t d = static_cast<std::size_t>(axes[i] < 0 ? axes[i] + static_cast<std::int64_t>(shape.size()) : axes[i]);
    const std::int64_t step = strides[i], size = shape[d];
    if (step == 0) return malformed(request, "", "a step is 0");
    const std::int64_t start = slice_bound((*starts)[i], size, step), last = slice_bound((*ends)[i], size, step);
    const std::int64_t first = step > 0 ? start : std::min(std::max<std::int64_t>(0, start), size - 1);  // walking back, too, it lies inside
    wanted[d] = slice_length(first, last, step);
    places[d] = Affine{.base = first, .cell = {{static_cast<int>(d), step}}};
  }
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  geometry.operands[operand->name] = make_access(shape, std::move(places));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
