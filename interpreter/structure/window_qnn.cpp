// SPDX-License-Identifier: Apache-2.0
// window.qnn: two-dimensional pooling with TVM's attributes. Batch, channel and places are cells, the places of the window are items; what lies outside is in
// no bag.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/layout_words.hpp"

namespace tiebreak::structure {

Result<Geometry> window_qnn(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() != 4) return malformed(request, "", fmt::format("{} must have rank 4", x->name));
  TIEBREAK_TRY(roles, layout_roles(request, "layout", "NCHW", "NCHW"));
  TIEBREAK_TRY(pool, two_of(request, "pool_size", {1, 1}, 1));
  TIEBREAK_TRY(strides, two_of(request, "strides", {1, 1}, 1));
  TIEBREAK_TRY(dilation, two_of(request, "dilation", {1, 1}, 1));
  TIEBREAK_TRY(padding, padding_of(request));
  TIEBREAK_TRY(ceil_mode, integer(request, "ceil_mode", 0));
  Geometry geometry;
  geometry.has_bag = true;
  geometry.taps = pool[0] * pool[1];
  geometry.item_extents = pool;
  geometry.result_shape = shape;
  std::vector<Affine> positions(4), result_positions(4);
  for (std::size_t d = 0; d < 4; ++d) positions[d] = result_positions[d] = at_cell(static_cast<int>(d));
  bool overhangs = false;
  for (std::size_t s = 0; s < 2; ++s) {
    const std::size_t d = roles.spatial[s];
    const std::int64_t reach = (pool[s] - 1) * dilation[s] + 1;
    const std::int64_t room = shape[d] + padding.low[s] + padding.high[s] - reach + (ceil_mode != 0 ? strides[s] - 1 : 0);
    const std::int64_t count = room < 0 ? 0 : room / strides[s] + 1;
    geometry.result_shape[d] = count;
    positions[d] = Affine{.base = -padding.low[s], .cell = {{static_cast<int>(d), strides[s]}}, .item = {{static_cast<int>(s), dilation[s]}}};
    overhangs |= padding.low[s] > 0 || (count - 1) * strides[s] + reach > padding.low[s] + shape[d];
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
