// SPDX-License-Identifier: Apache-2.0
// Many elements of an operand at once.
#pragma once
#include <vector>

#include "interpreter/fast/lane.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// Lane i of the column becomes the element at offsets[i], zero where that is negative. False, with nothing done, unless the elements are integers that the
/// column carries as such, or f32 or f64 that it carries as reals.
bool load_lanes(const Tensor& tensor, const std::vector<std::int64_t>& offsets, Column& column);

}  // namespace tiebreak
