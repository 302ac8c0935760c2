// SPDX-License-Identifier: Apache-2.0
// Movement as TensorFlow Lite steers it, by operands of whole numbers: move.reshape_tflite(x, shape), slice_tflite(x, begin, size), pad_tflite(x, paddings),
// transpose_tflite(x, perm), space_to_batch_tflite(x, block, paddings), batch_to_space_tflite(x, block, crops).
// mirror_pad_tflite(x, paddings) by an attribute, too: `mode` says whether the element at the end stands twice.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/listed_elements.hpp"

namespace tiebreak::structure {
namespace {

/// Images in blocks, along the dimensions behind the first.
struct BatchBlocks {
  const StructureOperand* x;
  Shape sizes, before, behind;
};

/// Two numbers for each of `count` dimensions, from a tensor of that many rows.
Result<Shape> pairs(const StructureRequest& request, std::size_t position, std::size_t count) {
  TIEBREAK_TRY(operand, argument_operand(request, position));
  if (operand->tensor == nullptr || !operand->type.element.is_integer() || operand->type.shape != Shape{static_cast<std::int64_t>(count), 2})
    return malformed(request, "E1", fmt::format("{} must be {} rows of two whole numbers", operand->name, count));
  Shape numbers;
  for (std::int64_t i = 0; i < operand->tensor->size(); ++i) numbers.push_back(near_index(*operand->tensor, i));
  return numbers;
}

Result<BatchBlocks> read_batch_blocks(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(block, argument_operand(request, 1));
  TIEBREAK_TRY(sizes, steering(request, block->name));
  TIEBREAK_TRY(amounts, pairs(request, 2, sizes.size()));
  if (x->type.shape.size() < sizes.size() + 1) return malformed(request, "E1", fmt::format("{} sizes of blocks for {}", sizes.size(), to_text(x->type.shape)));
  BatchBlocks blocks{x, sizes, {}, {}};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    blocks.before.push_back(amounts[2 * d]);
    blocks.behind.push_back(amounts[2 * d + 1]);
    if (sizes[d] < 1 || sizes[d] > far || amounts[2 * d] < 0 || amounts[2 * d + 1] < 0 || std::max(amounts[2 * d], amounts[2 * d + 1]) > far)
      return malformed(request, "E2", "blocks must be positive, paddings and crops not negative");
  }
  return blocks;
}

/// Goes through the places of a shape in row-major order.
template <class F>
void for_each_place(const Shape& shape, F f) {
  Shape place(shape.size(), 0);
  const std::int64_t count = element_count(shape).value_or(0);
  for (std::int64_t i = 0; i < count; ++i) {
    f(i, place);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++place[d] < shape[d]) break;
      place[d] = 0;
    }
  }
}

std::int64_t number_of(const Shape& shape, const Shape& place) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) number = number * shape[d] + place[d];
  return number;
}

Result<Geometry> listed(const StructureRequest& request, const StructureOperand& x, const Shape& wanted, std::vector<std::int64_t> places) {
  TIEBREAK_TRY(geometry, listed_elements(request, x, wanted, std::move(places)));
  for (std::size_t i = 1; i < request.arguments.size(); ++i) geometry.operands[request.arguments[i].name] = Access{};  // read already, not by formulas
  return std::move(geometry);
}

}  // namespace

/// One extent may be -1: what is left for it.
Result<Geometry> move_reshape_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(numbers, argument_operand(request, 1));
  TIEBREAK_TRY(wanted, steering(request, numbers->name));
  TIEBREAK_TRY(count, element_count(x->type.shape));
  const auto open = std::ranges::find(wanted, -1);
  if (open != wanted.end()) {
    *open = 1;
    TIEBREAK_TRY(others, element_count(wanted));
    if (others == 0 || count % others != 0) return malformed(request, "E1", fmt::format("{} elements cannot have the shape {}", count, to_text(wanted)));
    *open = count / others;
  }
  const auto given = element_count(wanted);
  if (!given || *given != count) return malformed(request, "E1", fmt::format("{} elements cannot have the shape {}", count, to_text(wanted)));
  TIEBREAK_TRY(geometry, reshaped(request, *x, wanted));
  geometry.operands[numbers->name] = Access{};
  return std::move(geometry);
}

/// A size of -1 goes to the end.
Result<Geometry> move_slice_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  TIEBREAK_TRY(begins, steering_argument(request, 1, shape.size(), "E1"));
  TIEBREAK_TRY(sizes, steering_argument(request, 2, shape.size(), "E1"));
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (sizes[d] == -1) sizes[d] = shape[d] - begins[d];
    if (begins[d] < 0 || sizes[d] < 0 || begins[d] + sizes[d] > shape[d])
      return malformed(request, "E2", fmt::format("dimension {}: {} elements from {} on do not lie within {}", d, sizes[d], begins[d], shape[d]));
    positions.push_back(at_cell(static_cast<int>(d)));
    positions[d].base = begins[d];
  }
  TIEBREAK_TRY(geometry, cells_of_result(request, sizes));
  geometry.operands[x->name] = make_access(shape, std::move(positions));
  return std::move(geometry);
}

/// What lies at the ends in the opposite order: REFLECT without the element at the end, SYMMETRIC with it.
Result<Geometry> move_mirror_pad_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  TIEBREAK_TRY(amounts, pairs(request, 1, shape.size()));
  const std::string mode = word_of(request, "mode", "REFLECT");
  const std::int64_t left_out = mode == "REFLECT" ? 1 : 0;
  Shape padded;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t before = amounts[2 * d], behind = amounts[2 * d + 1];
    if (std::min(before, behind) < 0 || std::max(before, behind) > shape[d] - left_out)
      return malformed(request, "E2", fmt::format("padding {} and {} along dimension {} of {}, mode {}", before, behind, d, to_text(shape), mode));
    padded.push_back(before + shape[d] + behind);
  }
  return listed_along(request, *x, padded, "E3", [&](std::size_t d, std::int64_t i) {
    const std::int64_t at = i - amounts[2 * d];
    if (at < 0) return -at - 1 + left_out;
    return at < shape[d] ? at : 2 * shape[d] - 1 - at - left_out;
  });
}

/// `fill` where there is no element.
Result<Geometry> move_pad_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  TIEBREAK_TRY(amounts, pairs(request, 1, shape.size()));
  Shape padded;
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (amounts[2 * d] < 0 || amounts[2 * d + 1] < 0 || std::max(amounts[2 * d], amounts[2 * d + 1]) > far)
      return malformed(request, "E2", fmt::format("padding {} and {} along dimension {}", amounts[2 * d], amounts[2 * d + 1], d));
    padded.push_back(amounts[2 * d] + shape[d] + amounts[2 * d + 1]);
    positions.push_back(at_cell(static_cast<int>(d)));
    positions[d].base = -amounts[2 * d];
  }
  TIEBREAK_TRY(geometry, cells_of_result(request, padded));
  Access access = make_access(shape, std::move(positions));
  access.may_miss = true;
  geometry.operands[x->name] = std::move(access);
  geometry.operands[request.arguments[1].name] = Access{};
  return std::move(geometry);
}

Result<Geometry> move_transpose_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(order, steering_argument(request, 1, x->type.shape.size(), "E1"));
  for (std::int64_t& axis : order) axis += axis < 0 ? static_cast<std::int64_t>(order.size()) : 0;
  Shape sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t d = 0; d < sorted.size(); ++d)
    if (sorted[d] != static_cast<std::int64_t>(d)) return malformed(request, "E2", fmt::format("perm {} is no order of the dimensions", to_text(order)));
  TIEBREAK_TRY(geometry, transposed(request, *x, order));
  geometry.operands[request.arguments[1].name] = Access{};
  return std::move(geometry);
}

/// Batch (p * W + q) * N + n of the result has the places p, q of each block of image n.
Result<Geometry> move_space_to_batch_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(blocks, read_batch_blocks(request));
  const Shape& shape = blocks.x->type.shape;
  Shape wanted = shape;
  std::vector<Affine> positions{at_cell(0)};
  Geometry geometry;
  std::int64_t factor = 1;
  for (std::size_t d = 0; d < blocks.sizes.size(); ++d) {
    const std::int64_t padded = shape[d + 1] + blocks.before[d] + blocks.behind[d];
    if (padded % blocks.sizes[d] != 0) return malformed(request, "E3", fmt::format("{} places are not divisible into blocks of {}", padded, blocks.sizes[d]));
    wanted[d + 1] = padded / blocks.sizes[d];
    factor *= blocks.sizes[d];
  }
  wanted[0] *= factor;
  TIEBREAK_CHECK(element_count(wanted).map([](std::int64_t) {}));
  // Cells: the place in the block along each dimension, the image, then the dimensions of the result.
  const int count = static_cast<int>(blocks.sizes.size());
  geometry.cell_extents = blocks.sizes;
  geometry.cell_extents.insert(geometry.cell_extents.end(), wanted.begin(), wanted.end());
  geometry.cell_extents[blocks.sizes.size()] = shape[0];
  positions[0] = at_cell(count);
  for (std::size_t d = 1; d < shape.size(); ++d) {
    const int cell = count + static_cast<int>(d);
    positions.push_back(at_cell(cell));
    if (d > blocks.sizes.size()) continue;
    positions[d] = Affine{.base = -blocks.before[d - 1], .cell = {{cell, blocks.sizes[d - 1]}, {static_cast<int>(d) - 1, 1}}};
  }
  Access access = make_access(shape, std::move(positions));
  access.may_miss = true;
  geometry.result_shape = wanted;
  std::vector<Affine> places;
  for (std::size_t d = 0; d < geometry.cell_extents.size(); ++d) places.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.cell_extents, std::move(places));
  geometry.operands[blocks.x->name] = std::move(access);
  for (std::size_t i = 1; i < 3; ++i) geometry.operands[request.arguments[i].name] = Access{};
  return geometry;
}

Result<Geometry> move_batch_to_space_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(blocks, read_batch_blocks(request));
  const Shape& shape = blocks.x->type.shape;
  Shape wanted = shape;
  std::int64_t factor = 1;
  for (std::size_t d = 0; d < blocks.sizes.size(); ++d) {
    factor *= blocks.sizes[d];
    wanted[d + 1] = shape[d + 1] * blocks.sizes[d] - blocks.before[d] - blocks.behind[d];
    if (wanted[d + 1] < 0) return malformed(request, "E3", "more is cropped than there is");
  }
  if (shape[0] % factor != 0) return malformed(request, "E3", fmt::format("{} images are not divisible by {}", shape[0], factor));
  wanted[0] = shape[0] / factor;
  TIEBREAK_TRY(count, element_count(wanted));
  std::vector<std::int64_t> places(static_cast<std::size_t>(count));
  for_each_place(wanted, [&](std::int64_t i, const Shape& place) {
    Shape from = place;
    std::int64_t inside = 0;
    for (std::size_t d = 0; d < blocks.sizes.size(); ++d) {
      const std::int64_t at = place[d + 1] + blocks.before[d];
      inside = inside * blocks.sizes[d] + at % blocks.sizes[d];
      from[d + 1] = at / blocks.sizes[d];
    }
    from[0] = inside * wanted[0] + place[0];
    places[static_cast<std::size_t>(i)] = number_of(shape, from);
  });
  return listed(request, *blocks.x, wanted, std::move(places));
}

}  // namespace tiebreak::structure
