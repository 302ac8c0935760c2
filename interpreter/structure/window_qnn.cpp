// SPDX-License-Identifier: Apache-2.0
// window.qnn: pooling along one, two or three axes with TVM's attributes. Batch, channel and places are cells, the places of the window are items; what lies
// outside is in no bag.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/layout_words.hpp"
#include "interpreter/structure/padded_extent.hpp"

namespace tiebreak::structure {
namespace {

struct PooledAxis {
  std::size_t dimension;
  std::int64_t size, pool, stride, dilation, low, high, places;
  std::int64_t reach() const { return (pool - 1) * dilation + 1; }
};

Result<std::vector<PooledAxis>> read(const StructureRequest& request, const Shape& shape) {
  static constexpr const char* layouts[] = {"NCW", "NCHW", "NCDHW"};
  if (shape.size() < 3 || shape.size() > 5) return malformed(request, "", fmt::format("{} must have rank 3, 4 or 5", to_text(shape)));
  const std::size_t axes = shape.size() - 2;
  TIEBREAK_TRY(roles, layout_roles(request, "layout", layouts[axes - 1], layouts[axes - 1]));
  TIEBREAK_TRY(pool, for_each_axis(request, "pool_size", axes, 1, 1));
  TIEBREAK_TRY(strides, for_each_axis(request, "strides", axes, 1, 1));
  TIEBREAK_TRY(dilation, for_each_axis(request, "dilation", axes, 1, 1));
  TIEBREAK_TRY(padding, padding_of(request, axes));
  TIEBREAK_TRY(ceil_mode, integer(request, "ceil_mode", 0));
  std::vector<PooledAxis> found;
  for (std::size_t s = 0; s < axes; ++s) {
    PooledAxis one{roles.spatial[s], shape[roles.spatial[s]], pool[s], strides[s], dilation[s], padding.low[s], padding.high[s], 0};
    const std::int64_t room = one.size + one.low + one.high - one.reach() + (ceil_mode != 0 ? one.stride - 1 : 0);
    one.places = room < 0 ? 0 : room / one.stride + 1;
    found.push_back(one);
  }
  return found;
}

}  // namespace

Result<std::vector<PaddedExtent>> padded_extents_qnn(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(axes, read(request, x->type.shape));
  std::vector<PaddedExtent> padded;
  for (const PooledAxis& one : axes) {
    PaddedExtent extent{static_cast<int>(one.dimension), {}};
    for (std::int64_t place = 0; place < one.places; ++place)
      extent.counts.push_back(std::min(one.pool, (one.low + one.size + one.high - place * one.stride + one.dilation - 1) / one.dilation));
    padded.push_back(std::move(extent));
  }
  return padded;
}

Result<Geometry> window_qnn(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  TIEBREAK_TRY(axes, read(request, shape));
  Geometry geometry;
  geometry.has_bag = true;
  geometry.taps = 1;
  geometry.result_shape = shape;
  std::vector<Affine> positions(shape.size()), result_positions(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) positions[d] = result_positions[d] = at_cell(static_cast<int>(d));
  bool overhangs = false;
  for (const PooledAxis& one : axes) {
    const int cell = static_cast<int>(one.dimension), item = static_cast<int>(geometry.item_extents.size());
    geometry.result_shape[one.dimension] = one.places;
    positions[one.dimension] = Affine{.base = -one.low, .cell = {{cell, one.stride}}, .item = {{item, one.dilation}}};
    geometry.item_extents.push_back(one.pool);
    geometry.taps *= one.pool;
    overhangs |= one.low > 0 || (one.places - 1) * one.stride + one.reach() > one.low + one.size;
  }
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  TIEBREAK_CHECK(element_count(geometry.item_extents).map([](std::int64_t) {}));
  geometry.cell_extents = geometry.result_shape;
  Access access = make_access(shape, std::move(positions));
  access.may_miss = overhangs;
  geometry.operands[x->name] = std::move(access);
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

}  // namespace tiebreak::structure
