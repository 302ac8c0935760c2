// SPDX-License-Identifier: Apache-2.0
#include "interpreter/geometry/geometry.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

std::int64_t evaluate(const Affine& affine, std::span<const std::int64_t> cell, std::span<const std::int64_t> item) {
  std::int64_t position = affine.base;
  for (const Affine::Part& part : affine.cell) position += part.coefficient * cell[static_cast<std::size_t>(part.coordinate)];
  for (const Affine::Part& part : affine.item) position += part.coefficient * item[static_cast<std::size_t>(part.coordinate)];
  return position;
}

}  // namespace

std::int64_t product(const Shape& shape, std::size_t first, std::size_t last) {
  std::int64_t count = 1;
  for (std::size_t d = first; d < last; ++d) count *= shape[d];
  return count;
}

std::int64_t Access::offset(std::span<const std::int64_t> cell, std::span<const std::int64_t> item) const {
  std::int64_t flat = 0;
  for (const AccessDimension& dimension : dimensions) {
    std::int64_t position = evaluate(dimension.position, cell, item);
    if (dimension.listed) position = (*dimension.listed)[static_cast<std::size_t>(position)];
    if (dimension.divisor != 1) {
      std::int64_t quotient = position / dimension.divisor;
      std::int64_t rest = position - quotient * dimension.divisor;
      if (rest != 0 && dimension.division == Division::hole) return -1;
      position = rest < 0 ? quotient - 1 : quotient;
    }
    if (position < 0 || position >= dimension.size) return -1;
    flat += position * dimension.stride;
  }
  return flat;
}

std::uint64_t Access::cell_rate() const {
  std::uint64_t rate = 0;
  for (const AccessDimension& dimension : dimensions)
    for (const Affine::Part& part : dimension.position.cell)
      if (part.coefficient != 0) rate |= std::uint64_t{1} << part.coordinate;
  return rate;
}

bool Access::varies_over_items() const {
  return std::ranges::any_of(dimensions, [](const AccessDimension& dimension) { return !dimension.position.item.empty(); });
}

std::int64_t Geometry::cells() const { return product(cell_extents, 0, cell_extents.size()); }
std::int64_t Geometry::items() const { return product(item_extents, 0, item_extents.size()); }
std::int64_t Geometry::features() const { return product(item_extents, item_extents.size() - fast_items, item_extents.size()); }

std::vector<std::int64_t> row_major_strides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

Access make_access(const Shape& shape, std::vector<Affine> position) {
  Access access;
  std::vector<std::int64_t> strides = row_major_strides(shape);
  for (std::size_t d = 0; d < shape.size(); ++d) access.dimensions.push_back({.position = std::move(position[d]), .size = shape[d], .stride = strides[d]});
  return access;
}

void unravel(std::int64_t index, const Shape& extents, std::span<std::int64_t> coordinates) {
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (extents[d] == 0) {  // one value for the whole of an empty tensor: there is a cell, but no place
      coordinates[d] = 0;
      continue;
    }
    coordinates[d] = index % extents[d];
    index /= extents[d];
  }
}

}  // namespace tiebreak
