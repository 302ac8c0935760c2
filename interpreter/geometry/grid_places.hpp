// SPDX-License-Identifier: Apache-2.0
// All places that an access reads, as a row-major grid: a place for every position of each dimension, before division, lists and ends say which element
// lies there. On the grid every cell and every item is a fixed step.
#pragma once
#include <optional>
#include <vector>

#include "interpreter/geometry/geometry.hpp"

namespace tiebreak {

/// Where an operand is read at the places of a grid: the sum of a part for each dimension of the grid.
class GridOffsets {
 public:
  GridOffsets(Shape extents, std::vector<std::vector<std::int64_t>> parts);
  /// Offsets at consecutive places from `first`; -1 where there is no element.
  void fill(std::int64_t first, std::vector<std::int64_t>& offsets) const;
  /// f(place, offset, count): that many places from this one are at consecutive offsets, or all at none: -1.
  template <class F>
  void for_each_run(F f) const {
    visit(f, 0, 0, 0);
  }

 private:
  struct Run {
    std::int64_t begin, part, count;
  };
  /// The places from `first` on, of dimension d and what follows; `line` is the sum of the parts before. The place behind them.
  template <class F>
  std::int64_t visit(F& f, std::size_t d, std::int64_t line, std::int64_t first) const {
    if (d + 1 < extents_.size()) {
      for (const std::int64_t part : parts_[d]) first = visit(f, d + 1, line < 0 || part < 0 ? -1 : line + part, first);
      return first;
    }
    if (line < 0) f(first, std::int64_t{-1}, extents_.back());
    else
      for (const Run& run : runs_) f(first + run.begin, run.part < 0 ? -1 : line + run.part, run.count);
    return first + extents_.back();
  }
  std::int64_t offset_of_line(const std::vector<std::int64_t>& place) const;
  bool next_line(std::vector<std::int64_t>& place) const;

  Shape extents_;
  std::vector<std::vector<std::int64_t>> parts_;  ///< by dimension and position; -1: outside
  std::vector<Run> runs_{};                       ///< of the last dimension
};

class GridPlaces {
 public:
  /// Nothing where there are no cells, items or dimensions, or no grid of fewer than 2^40 places.
  static std::optional<GridPlaces> of(const Access& access, const Geometry& geometry);

  std::int64_t size() const { return size_; }
  std::int64_t origin() const { return origin_; }  ///< the place of cell and item 0
  const std::vector<std::int64_t>& cell_steps() const { return cell_steps_; }
  const std::vector<std::int64_t>& item_steps() const { return item_steps_; }
  /// Of an access whose every dimension is at a multiple of the position in some dimension of the grid, plus a constant; else nothing.
  std::optional<GridOffsets> offsets_of(const Access& access, const Geometry& geometry) const;

 private:
  std::vector<Affine> positions_{};  ///< by dimension
  Shape lowest_{}, extents_{};       ///< of the positions
  std::vector<std::int64_t> cell_steps_{}, item_steps_{};
  std::int64_t origin_ = 0, size_ = 1;
};

}  // namespace tiebreak
