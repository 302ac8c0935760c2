// SPDX-License-Identifier: Apache-2.0
// Slices named by vectors of start indices: what gather and scatter of StableHLO have in common. The two give their dimension lists other names
// and number their constraints otherwise; a table has both.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "interpreter/geometry/request_parts.hpp"

namespace tiebreak::structure {

/// Names of the attributes and labels of the constraints of one op.
struct IndexWords {
  const char* offset_dims;
  const char* collapsed_dims;
  const char* operand_batching_dims;
  const char* indices_batching_dims;
  const char* index_map;
  const char* rank_label;
  const char* vector_label;     ///< index_vector_dim is in range
  const char* map_count_label;  ///< as many entries as a start vector
  const char* offset_order_label;
  const char* offset_range_label;
  const char* removed_unique_label;  ///< collapsed and batching dimensions together
  const char* collapsed_order_label;
  const char* collapsed_range_label;
  const char* batching_order_label;
  const char* batching_range_label;
  const char* indices_batching_unique_label;
  const char* indices_batching_range_label;
  const char* indices_batching_vector_label;
  const char* batching_count_label;
  const char* batching_size_label;
  const char* map_unique_label;
  const char* map_range_label;
};

/// The dimension lists, checked. `outer` is the tensor that the slices make up: the result of gather, the updates of scatter.
struct IndexDimensions {
  Shape offset_dims, collapsed, operand_batching, indices_batching, index_map;
  std::int64_t vector_dim = 0;
  Shape batch_extents;                   ///< of the start indices without the vector dimension
  std::vector<std::size_t> batch_dims;   ///< dimensions of outer, one a batch extent
  std::vector<std::size_t> window_dims;  ///< dimensions of the operand, one an offset dimension
};
Result<IndexDimensions> index_dimensions(const StructureRequest& request, const IndexWords& words, const Shape& operand, const Shape& indices);

/// Position along batch coordinates of a batching dimension of the start indices.
std::size_t batch_coordinate(const IndexDimensions& dimensions, std::int64_t indices_dimension);

/// Start vectors, one a batch place in row-major order; entries beyond any tensor are brought to its neighbourhood, so that sums do not overflow.
Result<std::vector<Shape>> start_vectors(const StructureRequest& request, const IndexDimensions& dimensions, const Tensor& indices);

}  // namespace tiebreak::structure
