// SPDX-License-Identifier: Apache-2.0
// Which inputs an output element sees. A geometry has cells (one a result element, or one a row), a bag of items for each cell, and for each
// operand an access: the affine map from cell and item coordinates to an element, or to a hole where there is none.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

/// base + sum of coefficient * coordinate, over cell coordinates and item coordinates.
struct Affine {
  struct Part {
    int coordinate;
    std::int64_t coefficient;
  };
  std::int64_t base = 0;
  std::vector<Part> cell{};
  std::vector<Part> item{};
};

/// What happens where an affine position is not a multiple of the divisor.
enum class Division : std::uint8_t {
  floor,  ///< blocks: position / divisor, rounded down
  hole,   ///< dilation: no element there
};

struct AccessDimension {
  Affine position;
  std::int64_t divisor = 1;
  Division division = Division::floor;
  std::int64_t size = 1;                                      ///< of the operand's dimension; positions outside are holes
  std::int64_t stride = 0;                                    ///< of the operand, row-major
  std::shared_ptr<const std::vector<std::int64_t>> listed{};  ///< gather: `position` counts in this list, whose entry is the position meant
};

/// Where an operand's element lies. No dimensions: always element 0.
struct Access {
  std::vector<AccessDimension> dimensions{};
  bool may_miss = false;  ///< some positions are holes
  /// Flat offset, or -1 for a hole.
  std::int64_t offset(std::span<const std::int64_t> cell, std::span<const std::int64_t> item) const;
  std::uint64_t cell_rate() const;  ///< bit i set: depends on cell coordinate i
  bool varies_over_items() const;
};

struct Geometry {
  Shape cell_extents{};  ///< row-major enumeration of these is the order of result elements
  Shape item_extents{};  ///< bag order, last fastest; unused if !has_bag
  bool has_bag = false;
  std::size_t fast_items = 0;  ///< how many trailing item coordinates are `feature` (blocks(n, feature) restart there)
  Shape result_shape{};        ///< of results with one element a cell
  Shape item_result_shape{};   ///< of results with one element an item (rows)
  Access item_result{};        ///< where an item's result element lies (rows)
  Access result{};             ///< dimensions of the result in terms of cell coordinates, for per-axis result types
  std::map<std::string, Access> operands{};
  std::map<std::string, Affine> indices{};        ///< channel, row, batch: positions as functions of the cell
  std::map<std::string, std::int64_t> extents{};  ///< of the named indices
  std::int64_t taps = 0;                          ///< window: places of the full window, those outside the operand included
  std::vector<std::int64_t> members{};            ///< of a variadic operand: which member each place of `member` means
  Access member{};                                ///< where a cell (concat: its place along the axis) or an item (elementwise) looks in `members`

  std::int64_t cells() const;
  std::int64_t items() const;
  std::int64_t features() const;  ///< places of the item coordinates that are `feature`
};

/// Strides of a row-major tensor.
std::vector<std::int64_t> row_major_strides(const Shape& shape);
/// An access whose dimension d is at position[d].
Access make_access(const Shape& shape, std::vector<Affine> position);
/// How many elements the dimensions first to last - 1 have.
std::int64_t product(const Shape& shape, std::size_t first, std::size_t last);
/// Coordinates of the flat number `index` in a row-major space.
void unravel(std::int64_t index, const Shape& extents, std::span<std::int64_t> coordinates);

/// Whether two geometries have the same cells, and read the same offsets of the same operands for each cell and item.
bool same_places(const Geometry& a, const Geometry& b);

}  // namespace tiebreak
