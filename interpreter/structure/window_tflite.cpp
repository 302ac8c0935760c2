// SPDX-License-Identifier: Apache-2.0
// window.tflite(x): pooling over images with channels last. Batch, places and channels are cells, the window's places inside the image items.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/padding_tflite.hpp"

namespace tiebreak::structure {

Result<Geometry> window_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() != 4) return malformed(request, "", fmt::format("{} must have rank 4, got {}", x->name, to_text(shape)));
  TIEBREAK_TRY(rows, integer(request, "filter_height", 1));
  TIEBREAK_TRY(columns, integer(request, "filter_width", 1));
  TIEBREAK_TRY(extents, tflite_extents(request, {shape[1], shape[2]}, {rows, columns}));
  Geometry geometry;
  geometry.has_bag = true;
  geometry.taps = rows * columns;
  geometry.item_extents = {rows, columns};
  geometry.result_shape = {shape[0], extents[0].places, extents[1].places, shape[3]};
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  TIEBREAK_CHECK(element_count(geometry.item_extents).map([](std::int64_t) {}));
  geometry.cell_extents = geometry.result_shape;
  std::vector<Affine> positions, places;
  for (int d = 0; d < 4; ++d) {
    positions.push_back(at_cell(d));
    places.push_back(at_cell(d));
  }
  bool overhangs = false;
  for (std::size_t s = 0; s < 2; ++s) {
    const TfliteExtent& extent = extents[s];
    positions[s + 1] = Affine{.base = -extent.low, .cell = {{static_cast<int>(s) + 1, extent.stride}}, .item = {{static_cast<int>(s), 1}}};
    overhangs |= extent.low > 0 || extent.high > 0;
  }
  Access access = make_access(shape, std::move(positions));
  access.may_miss = overhangs;
  geometry.operands[x->name] = std::move(access);
  geometry.indices["channel"] = at_cell(3);
  geometry.extents["channel"] = shape[3];
  geometry.indices["batch"] = at_cell(0);
  geometry.extents["batch"] = shape[0];
  geometry.result = make_access(geometry.result_shape, std::move(places));
  return geometry;
}

}  // namespace tiebreak::structure
