// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/cell_parts.hpp"

#include <algorithm>

namespace tiebreak {

std::optional<CellParts> CellParts::of(const Access& access, const Geometry& geometry, std::span<const std::int64_t> item) {
  CellParts parts;
  parts.extents_ = geometry.cell_extents;
  if (parts.extents_.empty() || geometry.cells() == 0) return std::nullopt;
  for (const std::int64_t extent : parts.extents_) parts.parts_.emplace_back(static_cast<std::size_t>(extent), 0);
  std::vector<std::int64_t> cell(parts.extents_.size(), 0);
  for (const AccessDimension& dimension : access.dimensions) {
    if (dimension.position.cell.size() > 1) return std::nullopt;
    const std::size_t coordinate = dimension.position.cell.empty() ? 0 : static_cast<std::size_t>(dimension.position.cell.front().coordinate);
    const Access alone{.dimensions = {dimension}};
    std::vector<std::int64_t>& along = parts.parts_[coordinate];
    for (std::size_t place = 0; place < along.size(); ++place) {
      cell[coordinate] = static_cast<std::int64_t>(place);
      const std::int64_t offset = alone.offset(cell, item);
      along[place] = offset < 0 || along[place] < 0 ? -1 : along[place] + offset;
    }
    cell[coordinate] = 0;
  }
  return parts;
}

void CellParts::fill(std::int64_t first, std::vector<std::int64_t>& offsets) const {
  std::vector<std::int64_t> place(extents_.size());
  unravel(first, extents_, place);
  const std::vector<std::int64_t>& last = parts_.back();
  for (std::size_t filled = 0; filled < offsets.size();) {
    std::int64_t line = 0;
    for (std::size_t d = 0; d + 1 < place.size(); ++d) {
      const std::int64_t part = parts_[d][static_cast<std::size_t>(place[d])];
      line = line < 0 || part < 0 ? -1 : line + part;
    }
    const auto begin = static_cast<std::size_t>(place.back());
    const std::size_t count = std::min(offsets.size() - filled, last.size() - begin);
    for (std::size_t i = 0; i < count; ++i) offsets[filled + i] = line < 0 || last[begin + i] < 0 ? -1 : line + last[begin + i];
    filled += count;
    place.back() = 0;
    for (std::size_t d = place.size() - 1; d-- > 0;) {
      if (++place[d] < extents_[d]) break;
      place[d] = 0;
    }
  }
}

}  // namespace tiebreak
