// SPDX-License-Identifier: Apache-2.0
// Where the updates of a scatter land.
#pragma once
#include <string>
#include <vector>

#include "interpreter/tensor/attribute.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// For each element of `updates`, in row-major order, the flat number of the operand's element that it updates, or -1 where that lies outside:
/// start indices are not clamped. Attributes as StableHLO names them: update_window_dims, inserted_window_dims, input_batching_dims,
/// scatter_indices_batching_dims, scatter_dims_to_operand_dims, index_vector_dim. What is malformed is reported with the specification's number.
Result<std::vector<std::int64_t>> scatter_targets(const Shape& operand, const Tensor& scatter_indices, const Shape& updates, const AttributeMap& attributes,
                                                  const std::string& where);

}  // namespace tiebreak
