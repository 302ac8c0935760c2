// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/arg_max.hpp"

#include <cmath>

namespace tiebreak {

std::optional<std::size_t> axis_place(const Shape& shape, std::optional<std::int64_t> axis) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t chosen = !axis ? rank - 1 : *axis < 0 ? *axis + rank : *axis;
  return chosen >= 0 && chosen < rank ? std::optional(static_cast<std::size_t>(chosen)) : std::nullopt;
}

std::vector<ArgMax> arg_max_of_rows(const std::vector<double>& values, const Shape& shape, std::size_t axis) {
  const auto extent = static_cast<std::size_t>(shape[axis]);
  std::size_t inner = 1;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= static_cast<std::size_t>(shape[d]);
  std::vector<ArgMax> rows(extent == 0 ? 0 : values.size() / extent);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t start = (row / inner) * extent * inner + row % inner;
    ArgMax& found = rows[row];
    double greatest = 0;
    for (std::size_t i = 0; i < extent; ++i) {
      const double value = values[start + i * inner];
      if (std::isnan(value)) continue;
      if (found.place < 0 || value > greatest) {
        greatest = value;
        found = {static_cast<std::int64_t>(i), false};
      } else if (value == greatest) {
        found.tied = true;
      }
    }
  }
  return rows;
}

}  // namespace tiebreak
