// SPDX-License-Identifier: Apache-2.0
// move.gather(x, i): slices of x from start vectors in i, which are brought to where the slice lies inside. Of each dimension of x the position
// is the start of the batch place plus the offset in the slice: affine where no start moves it, else read from a list over both.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/index_vectors.hpp"
#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

constexpr IndexWords gather_words{.offset_dims = "offset_dims",
                                  .collapsed_dims = "collapsed_slice_dims",
                                  .operand_batching_dims = "operand_batching_dims",
                                  .indices_batching_dims = "start_indices_batching_dims",
                                  .index_map = "start_index_map",
                                  .rank_label = "C1",
                                  .vector_label = "C2",
                                  .map_count_label = "C3",
                                  .offset_order_label = "C4",
                                  .offset_range_label = "C5",
                                  .removed_unique_label = "C6",
                                  .collapsed_order_label = "C7",
                                  .collapsed_range_label = "C8",
                                  .batching_order_label = "C10",
                                  .batching_range_label = "C11",
                                  .indices_batching_unique_label = "C13",
                                  .indices_batching_range_label = "C14",
                                  .indices_batching_vector_label = "C15",
                                  .batching_count_label = "C16",
                                  .batching_size_label = "C17",
                                  .map_unique_label = "C18",
                                  .map_range_label = "C19"};

/// Labels of what is said of the slice sizes.
struct SliceLabels {
  const char *collapsed, *batching, *count, *range, *shape;
};

/// dynamic_gather numbers its constraints by itself and says nothing of batching dimensions.
constexpr IndexWords dynamic_words() {
  IndexWords words = gather_words;
  words.collapsed_order_label = "C6";
  words.collapsed_range_label = "C7";
  words.map_unique_label = "C9";
  words.map_range_label = "C10";
  words.batching_order_label = words.batching_range_label = words.batching_count_label = words.batching_size_label = "";
  words.indices_batching_unique_label = words.indices_batching_range_label = words.indices_batching_vector_label = "";
  return words;
}

Result<Shape> slice_sizes(const StructureRequest& request, const IndexDimensions& dimensions, const Shape& shape, const SliceLabels& labels) {
  TIEBREAK_TRY(sizes, steering(request, "slice_sizes", shape.size(), labels.count));
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (sizes[d] < 0 || sizes[d] > shape[d])
      return malformed(request, labels.range, fmt::format("slice_sizes[{}] = {} is outside 0 .. {}", d, sizes[d], shape[d]));
  for (std::int64_t d : dimensions.collapsed)
    if (sizes[static_cast<std::size_t>(d)] > 1)
      return malformed(request, labels.collapsed, fmt::format("slice_sizes[{}] = {} for a dimension that is collapsed", d, sizes[static_cast<std::size_t>(d)]));
  for (std::int64_t d : dimensions.operand_batching)
    if (sizes[static_cast<std::size_t>(d)] > 1)
      return malformed(request, labels.batching, fmt::format("slice_sizes[{}] = {} for a batching dimension", d, sizes[static_cast<std::size_t>(d)]));
  return std::move(sizes);
}

/// Batch extents at batch dimensions, slice sizes at offset dimensions.
Shape outer_shape(const IndexDimensions& dimensions, const Shape& sizes) {
  Shape shape(dimensions.batch_dims.size() + dimensions.offset_dims.size());
  for (std::size_t b = 0; b < dimensions.batch_dims.size(); ++b) shape[dimensions.batch_dims[b]] = dimensions.batch_extents[b];
  for (std::size_t w = 0; w < dimensions.window_dims.size(); ++w) shape[static_cast<std::size_t>(dimensions.offset_dims[w])] = sizes[dimensions.window_dims[w]];
  return shape;
}

/// A dimension that is removed may have a slice of no element (C9): the result's elements are read at its start, which must then lie inside.
Status check_starts(const StructureRequest& request, const IndexDimensions& dimensions, const std::vector<Shape>& starts, const Shape& operand,
                    const Shape& sizes) {
  for (std::size_t entry = 0; entry < dimensions.index_map.size(); ++entry) {
    const std::size_t d = static_cast<std::size_t>(dimensions.index_map[entry]);
    for (const Shape& start : starts)
      if (sizes[d] == 0 && clamped_start(start[entry], operand[d], 0) >= operand[d])
        return malformed(request, "", fmt::format("a slice of no element starts at the end of dimension {}: there is nothing to read", d));
  }
  return {};
}

/// A dimension with starts: a list of positions over (batch place, offset), and where in the list a cell reads.
void list_positions(AccessDimension& dimension, const IndexDimensions& dimensions, const std::vector<Shape>& starts, std::size_t entry, std::int64_t listed,
                    std::int64_t slice) {
  auto positions = std::make_shared<std::vector<std::int64_t>>();
  positions->reserve(starts.size() * static_cast<std::size_t>(listed));
  for (const Shape& start : starts) {
    const std::int64_t first = clamped_start(start[entry], dimension.size, slice);
    for (std::int64_t offset = 0; offset < listed; ++offset) positions->push_back(first + offset);
  }
  const std::vector<std::int64_t> strides = row_major_strides(dimensions.batch_extents);
  for (std::size_t b = 0; b < strides.size(); ++b) dimension.position.cell.push_back({static_cast<int>(dimensions.batch_dims[b]), strides[b] * listed});
  dimension.listed = std::move(positions);
}

Result<Geometry> gather_slices(const StructureRequest& request, const IndexWords& words, const SliceLabels& labels) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 1));
  const Shape& shape = operand->type.shape;
  if (indices->tensor == nullptr) return malformed(request, "", fmt::format("{} has no elements", indices->name));
  TIEBREAK_TRY(dimensions, index_dimensions(request, words, shape, indices->type.shape));
  TIEBREAK_TRY(sizes, slice_sizes(request, dimensions, shape, labels));
  const Shape outer = outer_shape(dimensions, sizes);
  TIEBREAK_CHECK(check_stated_shape(request, outer, labels.shape));
  TIEBREAK_TRY(starts, start_vectors(request, dimensions, *indices->tensor));
  if (std::ranges::find(outer, 0) == outer.end()) TIEBREAK_CHECK(check_starts(request, dimensions, starts, shape, sizes));
  TIEBREAK_TRY(geometry, cells_of_result(request, outer));
  std::vector<Affine> positions(shape.size());
  for (std::size_t w = 0; w < dimensions.window_dims.size(); ++w) positions[dimensions.window_dims[w]] = at_cell(static_cast<int>(dimensions.offset_dims[w]));
  for (std::size_t b = 0; b < dimensions.operand_batching.size(); ++b) {
    const std::size_t coordinate = batch_coordinate(dimensions, dimensions.indices_batching[b]);
    positions[static_cast<std::size_t>(dimensions.operand_batching[b])] = at_cell(static_cast<int>(dimensions.batch_dims[coordinate]));
  }
  Access access = make_access(shape, std::move(positions));
  for (std::size_t entry = 0; entry < dimensions.index_map.size(); ++entry) {
    const std::size_t d = static_cast<std::size_t>(dimensions.index_map[entry]);
    list_positions(access.dimensions[d], dimensions, starts, entry, std::max<std::int64_t>(1, sizes[d]), sizes[d]);
  }
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace

Result<Geometry> move_gather(const StructureRequest& request) {
  if (find_operand(request, "slice_sizes") != nullptr) return gather_slices(request, dynamic_words(), {"C8", "", "C11", "C12", "C13"});
  return gather_slices(request, gather_words, {"C9", "C12", "C20", "C21", "C22"});
}

}  // namespace tiebreak::structure
