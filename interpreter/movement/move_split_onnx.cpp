// SPDX-License-Identifier: Apache-2.0
// move.split_onnx(x, lengths): one of the parts into which x falls along `axis`. Each result of the op is a part, with a geometry of its own.
// The lengths are an operand or, in older opsets, the attribute `split`; without them all parts are equal, the last one perhaps shorter.
// TensorFlow Lite's: move.split_tflite(x, axis), equal parts, move.split_tflite(x, axis, lengths), of which one may be -1, and move.unpack_tflite(x), parts of
// one place without the dimension.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// Parts of one length. Only where num_outputs says how many there are may the last one be shorter.
Result<Shape> equal_lengths(const StructureRequest& request, std::int64_t extent) {
  const std::int64_t parts = static_cast<std::int64_t>(request.parts);
  TIEBREAK_TRY(stated, integer(request, "num_outputs", 0));
  if (stated != 0 && stated != parts) return malformed(request, "", fmt::format("num_outputs is {}, the op has {} results", stated, parts));
  if (stated == 0 && extent % parts != 0) return malformed(request, "", fmt::format("{} cannot be divided into {} equal parts", extent, parts));
  const std::int64_t length = (extent + parts - 1) / parts;
  Shape lengths(request.parts, length);
  lengths.back() = extent - length * (parts - 1);
  return lengths;
}

/// The request's part of those that have these lengths along the axis.
Result<Geometry> part_of(const StructureRequest& request, const StructureOperand& operand, std::size_t axis, const Shape& lengths) {
  const Shape& shape = operand.type.shape;
  std::int64_t total = 0;
  for (std::int64_t length : lengths) {
    if (length < 0) return malformed(request, "", fmt::format("a part would have the length {}", length));
    total += std::min(length, far_index);
  }
  if (total != shape[axis]) return malformed(request, "", fmt::format("the lengths add up to {}, dimension {} has {}", total, axis, shape[axis]));
  const std::int64_t first = std::accumulate(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(request.part), std::int64_t{0});
  return part_along(request, operand, axis, first, lengths[request.part]);
}

}  // namespace

Result<Geometry> move_split_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(axis, axis_from_front(request, 0, shape.size()));
  TIEBREAK_TRY(stated, steered(request, 1, "split"));
  TIEBREAK_TRY(lengths, stated ? Result<Shape>(*stated) : equal_lengths(request, shape[axis]));
  if (lengths.size() != request.parts) return malformed(request, "", fmt::format("{} lengths for {} results", lengths.size(), request.parts));
  return part_of(request, *operand, axis, lengths);
}

Result<Geometry> move_split_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(given, steering_argument(request, 1, 1, "E1"));
  TIEBREAK_TRY(axes, axes_from_front(request, given, shape.size()));
  const std::size_t axis = *axes.begin();
  const std::int64_t parts = static_cast<std::int64_t>(request.parts);
  TIEBREAK_TRY(stated, integer(request, "num_splits", 0));
  if (stated != parts) return malformed(request, "E2", fmt::format("num_splits is {}, the op has {} results", stated, parts));
  if (request.arguments.size() > 2) {
    TIEBREAK_TRY(lengths, steering_argument(request, 2, request.parts, "E2"));
    if (const auto open = std::ranges::find(lengths, -1); open != lengths.end()) {
      *open = 0;
      *open = shape[axis] - std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    }
    return part_of(request, *operand, axis, lengths);
  }
  if (shape[axis] % parts != 0) return malformed(request, "E3", fmt::format("{} cannot be divided into {} equal parts", shape[axis], parts));
  return part_of(request, *operand, axis, Shape(request.parts, shape[axis] / parts));
}

Result<Geometry> move_unpack_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(axis, axis_from_front(request, 0, shape.size()));
  TIEBREAK_TRY(stated, integer(request, "num", 0));
  if (stated != shape[axis] || stated != static_cast<std::int64_t>(request.parts))
    return malformed(request, "E1", fmt::format("num is {}, dimension {} has {}, the op has {} results", stated, axis, shape[axis], request.parts));
  Shape wanted;
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    places.push_back(d == axis ? constant(static_cast<std::int64_t>(request.part)) : at_cell(static_cast<int>(wanted.size())));
    if (d != axis) wanted.push_back(shape[d]);
  }
  TIEBREAK_CHECK(check_stated_shape(request, wanted, "E2"));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  geometry.operands[operand->name] = make_access(shape, std::move(places));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
