// SPDX-License-Identifier: Apache-2.0
// Geometries compared by what they read.
#include <algorithm>

#include "interpreter/geometry/written_alike.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_offsets = std::int64_t{1} << 22;  ///< beyond this nothing is claimed

bool same(const Affine& a, const Affine& b) {
  const auto same_part = [](const Affine::Part& x, const Affine::Part& y) { return x.coordinate == y.coordinate && x.coefficient == y.coefficient; };
  return a.base == b.base && std::ranges::equal(a.cell, b.cell, same_part) && std::ranges::equal(a.item, b.item, same_part);
}

bool same(const AccessDimension& a, const AccessDimension& b) {
  const bool listed = a.listed == b.listed || (a.listed && b.listed && *a.listed == *b.listed);
  return same(a.position, b.position) && a.divisor == b.divisor && a.division == b.division && a.size == b.size && a.stride == b.stride && listed;
}

/// Written alike, or alike at every place.
bool same(const Access& a, const Access& b, const Geometry& geometry) {
  if (written_alike(a, b)) return true;
  const std::int64_t cells = geometry.cells(), items = geometry.has_bag ? geometry.items() : 1;
  if (cells > 0 && items > most_offsets / cells) return false;
  std::vector<std::int64_t> cell(geometry.cell_extents.size()), item(geometry.item_extents.size());
  for (std::int64_t c = 0; c < cells; ++c) {
    unravel(c, geometry.cell_extents, cell);
    for (std::int64_t i = 0; i < items; ++i) {
      unravel(i, geometry.item_extents, item);
      if (a.offset(cell, item) != b.offset(cell, item)) return false;
    }
  }
  return true;
}

bool has_same_extents(const Geometry& a, const Geometry& b) {
  return a.cell_extents == b.cell_extents && a.item_extents == b.item_extents && a.has_bag == b.has_bag && a.result_shape == b.result_shape &&
         a.item_result_shape == b.item_result_shape && a.members == b.members && a.taps == b.taps && a.operands.size() == b.operands.size();
}

}  // namespace

bool written_alike(const Access& a, const Access& b) {
  return std::ranges::equal(a.dimensions, b.dimensions, [](const AccessDimension& x, const AccessDimension& y) { return same(x, y); });
}

bool written_alike(const Geometry& a, const Geometry& b) {
  const auto same_operand = [](const auto& x, const auto& y) { return x.first == y.first && written_alike(x.second, y.second); };
  return has_same_extents(a, b) && a.fast_items == b.fast_items && written_alike(a.item_result, b.item_result) && written_alike(a.result, b.result) &&
         written_alike(a.member, b.member) && std::ranges::equal(a.operands, b.operands, same_operand);
}

bool same_places(const Geometry& a, const Geometry& b) {
  if (!has_same_extents(a, b)) return false;
  if (!same(a.item_result, b.item_result, a) || !same(a.result, b.result, a) || !same(a.member, b.member, a)) return false;
  return std::ranges::equal(a.operands, b.operands, [&](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second, a); });
}

}  // namespace tiebreak
