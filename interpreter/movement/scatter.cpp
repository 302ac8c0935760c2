// SPDX-License-Identifier: Apache-2.0
#include "interpreter/movement/scatter.hpp"

#include <fmt/format.h>

#include "interpreter/movement/index_vectors.hpp"
#include "interpreter/movement/move.hpp"
#include "interpreter/movement/movements.hpp"

namespace tiebreak {
namespace {

using structure::IndexDimensions;

constexpr structure::IndexWords words{.offset_dims = "update_window_dims",
                                      .collapsed_dims = "inserted_window_dims",
                                      .operand_batching_dims = "input_batching_dims",
                                      .indices_batching_dims = "scatter_indices_batching_dims",
                                      .index_map = "scatter_dims_to_operand_dims",
                                      .rank_label = "C2",
                                      .vector_label = "C22",
                                      .map_count_label = "C19",
                                      .offset_order_label = "C7",
                                      .offset_range_label = "C8",
                                      .removed_unique_label = "C9",
                                      .collapsed_order_label = "C10",
                                      .collapsed_range_label = "C11",
                                      .batching_order_label = "C12",
                                      .batching_range_label = "C13",
                                      .indices_batching_unique_label = "C14",
                                      .indices_batching_range_label = "C15",
                                      .indices_batching_vector_label = "C16",
                                      .batching_count_label = "C17",
                                      .batching_size_label = "C18",
                                      .map_unique_label = "C20",
                                      .map_range_label = "C21"};

/// C4: the batch dimensions of the updates are those of the indices, a window is no larger than the operand.
Status check_updates(const StructureRequest& request, const IndexDimensions& dimensions, const Shape& operand, const Shape& updates) {
  bool fits = updates.size() == dimensions.batch_dims.size() + dimensions.window_dims.size();
  for (std::size_t b = 0; fits && b < dimensions.batch_dims.size(); ++b) fits = updates[dimensions.batch_dims[b]] == dimensions.batch_extents[b];
  for (std::size_t w = 0; fits && w < dimensions.window_dims.size(); ++w)
    fits = updates[static_cast<std::size_t>(dimensions.offset_dims[w])] <= operand[dimensions.window_dims[w]];
  if (fits) return {};
  return structure::malformed(request, "C4",
                              fmt::format("updates of shape {} do not go with an operand of {} and batch dimensions {}", to_text(updates), to_text(operand),
                                          to_text(dimensions.batch_extents)));
}

/// The place in the operand that each batch place starts from: start vector and batching dimensions.
std::vector<Shape> bases_of(const IndexDimensions& dimensions, const std::vector<Shape>& starts, std::size_t rank) {
  std::vector<Shape> bases;
  Shape place(dimensions.batch_extents.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    unravel(static_cast<std::int64_t>(i), dimensions.batch_extents, place);
    Shape base(rank, 0);
    for (std::size_t entry = 0; entry < starts[i].size(); ++entry) base[static_cast<std::size_t>(dimensions.index_map[entry])] = starts[i][entry];
    for (std::size_t b = 0; b < dimensions.operand_batching.size(); ++b)
      base[static_cast<std::size_t>(dimensions.operand_batching[b])] = place[batch_coordinate(dimensions, dimensions.indices_batching[b])];
    bases.push_back(std::move(base));
  }
  return bases;
}

}  // namespace

Result<std::vector<std::int64_t>> scatter_targets(const Shape& operand, const Tensor& scatter_indices, const Shape& updates, const AttributeMap& attributes,
                                                  const std::string& where) {
  const StructureRequest request{
      .path = "scatter.stablehlo", .arguments = {}, .operands = {}, .attributes = &attributes, .op = "stablehlo.scatter", .where = where, .results = {}};
  TIEBREAK_TRY(dimensions, structure::index_dimensions(request, words, operand, scatter_indices.shape()));
  TIEBREAK_CHECK(check_updates(request, dimensions, operand, updates));
  TIEBREAK_TRY(starts, structure::start_vectors(request, dimensions, scatter_indices));
  TIEBREAK_TRY(count, element_count(updates));
  const std::vector<Shape> bases = bases_of(dimensions, starts, operand.size());
  const std::vector<std::int64_t> strides = row_major_strides(operand);
  const std::vector<std::int64_t> batch_strides = row_major_strides(dimensions.batch_extents);
  std::vector<std::int64_t> targets(static_cast<std::size_t>(count), 0);
  Shape place(updates.size());
  for (std::int64_t i = 0; i < count; ++i) {
    unravel(i, updates, place);
    std::int64_t batch = 0;
    for (std::size_t b = 0; b < batch_strides.size(); ++b) batch += place[dimensions.batch_dims[b]] * batch_strides[b];
    Shape target = bases[static_cast<std::size_t>(batch)];
    for (std::size_t w = 0; w < dimensions.window_dims.size(); ++w)
      target[dimensions.window_dims[w]] += place[static_cast<std::size_t>(dimensions.offset_dims[w])];
    std::int64_t& flat = targets[static_cast<std::size_t>(i)];
    for (std::size_t d = 0; d < target.size() && flat >= 0; ++d) flat = target[d] < 0 || target[d] >= operand[d] ? -1 : flat + target[d] * strides[d];
  }
  return targets;
}

}  // namespace tiebreak
