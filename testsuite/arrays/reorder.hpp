// SPDX-License-Identifier: Apache-2.0
// The same elements with their dimensions in another order.
#pragma once
#include <cstddef>
#include <vector>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

/// Elements of `width` bytes, row-major in `shape`; dimension i of the result is dimension `order[i]` of what is given.
std::vector<std::byte> reordered(const std::vector<std::byte>& bytes, const Shape& shape, std::size_t width, const std::vector<std::int64_t>& order);
std::vector<std::byte> row_major_of_column_major(const std::vector<std::byte>& bytes, const Shape& shape, std::size_t width);

}  // namespace tiebreak
