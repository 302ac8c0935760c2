// SPDX-License-Identifier: Apache-2.0
// StableHLO's data movement by plain loops over indices, element for element as the specification words it. Shapes are vectors, positions flat
// numbers in row-major order, -1 where no element lies.
#pragma once
#include <cstdint>
#include <vector>

namespace tiebreak::oracle {

using Index = std::vector<std::int64_t>;

/// A result and, for each of its elements in row-major order, which element of the operand it is.
struct Move {
  Index shape;
  std::vector<std::int64_t> from;
};

Move slice(const Index& operand, const Index& starts, const Index& limits, const Index& strides);
Move dynamic_slice(const Index& operand, const Index& starts, const Index& sizes);
/// `from` names elements of the update; -1: the operand's own.
Move dynamic_update_slice(const Index& operand, const Index& update, const Index& starts);
Move pad(const Index& operand, const Index& low, const Index& high, const Index& interior);
Move transpose(const Index& operand, const Index& permutation);
Move reverse(const Index& operand, const Index& dimensions);
Move broadcast_in_dim(const Index& operand, const Index& result, const Index& broadcast_dimensions);

/// Which member, and which of its elements.
struct Concatenation {
  Index shape;
  std::vector<std::int64_t> member, from;
};
Concatenation concatenate(const std::vector<Index>& inputs, std::int64_t dimension);

/// What gather and scatter say of their indices; the names are those of gather.
struct IndexNumbers {
  Index offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map;
  std::int64_t index_vector_dim = 0;
};
Move gather(const Index& operand, const Index& indices_shape, const std::vector<std::int64_t>& indices, const IndexNumbers& numbers, const Index& slice_sizes);
/// The element of the operand that each update lands on.
std::vector<std::int64_t> scatter(const Index& operand, const Index& indices_shape, const std::vector<std::int64_t>& indices, const IndexNumbers& numbers,
                                  const Index& updates);

/// All indices of a shape, last dimension fastest.
std::vector<Index> index_space(const Index& shape);
std::int64_t flat(const Index& shape, const Index& index);

}  // namespace tiebreak::oracle
