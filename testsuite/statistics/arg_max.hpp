// SPDX-License-Identifier: Apache-2.0
// Where the greatest value of each row stands.
#pragma once
#include <optional>
#include <vector>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

/// Of a row the place of its greatest value, the first of equals; nan is never the greatest. -1: the row has nothing but nan.
struct ArgMax {
  std::int64_t place = -1;
  bool tied = false;  ///< the greatest value stands more than once
};
/// The axis as a place among the dimensions: a negative one counts from the end, none is the last one. nullopt: the shape has no such axis.
std::optional<std::size_t> axis_place(const Shape& shape, std::optional<std::int64_t> axis);
/// One for each row along the axis, in row-major order of the other dimensions. `values` are row-major in `shape`.
std::vector<ArgMax> arg_max_of_rows(const std::vector<double>& values, const Shape& shape, std::size_t axis);

}  // namespace tiebreak
