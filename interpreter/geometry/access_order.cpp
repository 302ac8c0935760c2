// SPDX-License-Identifier: Apache-2.0
#include "interpreter/geometry/access_order.hpp"

namespace tiebreak {
namespace {

/// The dimension goes along with one coordinate, and with nothing else.
bool goes_along(const AccessDimension& dimension, const std::vector<Affine::Part>& own, const std::vector<Affine::Part>& other, std::size_t coordinate,
                const Shape& extents) {
  return own.size() == 1 && own[0].coordinate == static_cast<int>(coordinate) && own[0].coefficient == 1 && other.empty() && dimension.position.base == 0 &&
         dimension.divisor == 1 && !dimension.listed && dimension.size == extents[coordinate];
}

}  // namespace

bool visits_in_order(const Access& access, const Shape& cell_extents) {
  bool holds = access.dimensions.size() == cell_extents.size();
  for (std::size_t d = 0; holds && d < access.dimensions.size(); ++d) {
    const Affine& position = access.dimensions[d].position;
    holds = goes_along(access.dimensions[d], position.cell, position.item, d, cell_extents);
  }
  return holds;
}

Access elements_in_order(const Shape& cell_extents) {
  std::vector<Affine> positions(cell_extents.size());
  for (std::size_t d = 0; d < cell_extents.size(); ++d) positions[d].cell = {{static_cast<int>(d), 1}};
  return make_access(cell_extents, positions);
}

Access along_coordinate(int coordinate, std::int64_t size) {
  Affine position;
  position.cell = {{coordinate, 1}};
  return make_access({size}, {position});
}

bool is_line_of_items(const Access& access, const Shape& item_extents) {
  const std::size_t rank = item_extents.size();
  if (access.may_miss || rank == 0 || access.dimensions.size() < rank) return false;
  const std::size_t before = access.dimensions.size() - rank;
  bool holds = true;
  for (std::size_t d = 0; holds && d < access.dimensions.size(); ++d) {
    const Affine& position = access.dimensions[d].position;
    holds = d < before ? position.item.empty() : goes_along(access.dimensions[d], position.item, position.cell, d - before, item_extents);
  }
  return holds;
}

}  // namespace tiebreak
