// SPDX-License-Identifier: Apache-2.0
#include "interpreter/geometry/grid_places.hpp"

#include <algorithm>
#include <array>

namespace tiebreak {
namespace {

constexpr std::int64_t most_places = std::int64_t{1} << 40;

using Coefficients = std::vector<std::int64_t>;

/// Of all cell coordinates, then all item coordinates.
Coefficients coefficients(const Affine& affine, const Geometry& geometry) {
  Coefficients all(geometry.cell_extents.size() + geometry.item_extents.size());
  for (const Affine::Part& part : affine.cell) all[static_cast<std::size_t>(part.coordinate)] += part.coefficient;
  for (const Affine::Part& part : affine.item) all[geometry.cell_extents.size() + static_cast<std::size_t>(part.coordinate)] += part.coefficient;
  return all;
}

/// n where a is n times b; nothing where there is no such whole number.
std::optional<std::int64_t> multiple(const Coefficients& a, const Coefficients& b) {
  const auto first = std::ranges::find_if(b, [](std::int64_t c) { return c != 0; });
  if (first == b.end()) return std::nullopt;
  const std::int64_t factor = a[static_cast<std::size_t>(first - b.begin())] / *first;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != factor * b[i]) return std::nullopt;
  return factor;
}

}  // namespace

GridOffsets::GridOffsets(Shape extents, std::vector<std::vector<std::int64_t>> parts) : extents_(std::move(extents)), parts_(std::move(parts)) {
  std::int64_t begin = 0;
  for (const std::int64_t part : parts_.back()) {
    Run* last = runs_.empty() ? nullptr : &runs_.back();
    const bool follows = last != nullptr && (part < 0 ? last->part < 0 : last->part >= 0 && part == last->part + last->count);
    if (follows) ++last->count;
    else runs_.push_back({begin, part, 1});
    ++begin;
  }
}

/// Without its last dimension; -1: none of the line is an element.
std::int64_t GridOffsets::offset_of_line(const std::vector<std::int64_t>& place) const {
  std::int64_t line = 0;
  for (std::size_t d = 0; d + 1 < extents_.size(); ++d) {
    const std::int64_t part = parts_[d][static_cast<std::size_t>(place[d])];
    if (part < 0) return -1;
    line += part;
  }
  return line;
}

/// The beginning of the line after this place; false behind the last one.
bool GridOffsets::next_line(std::vector<std::int64_t>& place) const {
  place.back() = 0;
  for (std::size_t d = extents_.size() - 1; d-- > 0;) {
    if (++place[d] < extents_[d]) return true;
    place[d] = 0;
  }
  return false;
}

void GridOffsets::fill(std::int64_t first, std::vector<std::int64_t>& offsets) const {
  std::vector<std::int64_t> place(extents_.size());
  unravel(first, extents_, place);
  for (std::size_t i = 0; i < offsets.size();) {  // a line of the last dimension at a time
    const std::int64_t line = offset_of_line(place);
    const auto count = std::min(static_cast<std::size_t>(extents_.back() - place.back()), offsets.size() - i);
    const std::int64_t* part = parts_.back().data() + place.back();
    for (std::size_t k = 0; k < count; ++k) offsets[i + k] = line < 0 || part[k] < 0 ? -1 : line + part[k];
    i += count;
    next_line(place);
  }
}

std::optional<GridPlaces> GridPlaces::of(const Access& access, const Geometry& geometry) {
  if (geometry.cells() == 0 || geometry.items() == 0 || access.dimensions.empty()) return std::nullopt;
  GridPlaces places;
  const std::size_t rank = access.dimensions.size(), cells = geometry.cell_extents.size();
  for (const AccessDimension& dimension : access.dimensions) {
    const Coefficients all = coefficients(dimension.position, geometry);
    __int128_t low = dimension.position.base, high = low;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const __int128_t far = static_cast<__int128_t>(all[i]) * ((i < cells ? geometry.cell_extents[i] : geometry.item_extents[i - cells]) - 1);
      low += std::min<__int128_t>(0, far);
      high += std::max<__int128_t>(0, far);
    }
    if (low < -most_places || high > most_places) return std::nullopt;
    places.positions_.push_back(dimension.position);
    places.lowest_.push_back(static_cast<std::int64_t>(low));
    places.extents_.push_back(static_cast<std::int64_t>(high - low + 1));
    if (static_cast<__int128_t>(places.size_) * places.extents_.back() > most_places) return std::nullopt;
    places.size_ *= places.extents_.back();
  }
  const std::vector<std::int64_t> strides = row_major_strides(places.extents_);
  places.cell_steps_.resize(cells);
  places.item_steps_.resize(geometry.item_extents.size());
  for (std::size_t d = 0; d < rank; ++d) {
    places.origin_ += strides[d] * (places.positions_[d].base - places.lowest_[d]);
    for (const Affine::Part& part : places.positions_[d].cell) places.cell_steps_[static_cast<std::size_t>(part.coordinate)] += strides[d] * part.coefficient;
    for (const Affine::Part& part : places.positions_[d].item) places.item_steps_[static_cast<std::size_t>(part.coordinate)] += strides[d] * part.coefficient;
  }
  return places;
}

std::optional<GridOffsets> GridPlaces::offsets_of(const Access& access, const Geometry& geometry) const {
  std::vector<std::vector<std::int64_t>> parts;
  for (const std::int64_t extent : extents_) parts.emplace_back(static_cast<std::size_t>(extent));
  for (const AccessDimension& dimension : access.dimensions) {
    const Coefficients own = coefficients(dimension.position, geometry);
    const bool fixed = std::ranges::all_of(own, [](std::int64_t c) { return c == 0; });
    std::optional<std::int64_t> factor = fixed ? std::optional<std::int64_t>(0) : std::nullopt;
    std::size_t d = 0;
    for (; !factor && d < positions_.size(); ++d) factor = multiple(own, coefficients(positions_[d], geometry));
    if (!factor) return std::nullopt;
    if (!fixed) --d;
    Access alone{.dimensions = {dimension}};  // at positions that are given
    Affine& at = alone.dimensions[0].position;
    at = {};
    for (std::size_t i = 0; i < parts[d].size(); ++i) {
      const std::int64_t position = lowest_[d] + static_cast<std::int64_t>(i) - positions_[d].base;
      at.base = dimension.position.base + *factor * position;
      const std::int64_t part = alone.offset({}, {});
      std::int64_t& sum = parts[d][i];
      sum = sum < 0 || part < 0 ? -1 : sum + part;
    }
  }
  return GridOffsets(extents_, std::move(parts));
}

}  // namespace tiebreak
