// SPDX-License-Identifier: Apache-2.0
#include "interpreter/structure/resize_taps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/tap_weight.hpp"

namespace tiebreak::structure {
namespace {

/// The formula's values for each place and each of its taps.
Result<std::vector<Real>> for_each_tap(const StructureRequest& request, const ResizedDimension& one, std::int64_t taps, const char* key) {
  std::vector<Real> values;
  std::map<std::string, Real> names = one.names;
  names["length"] = Real(one.length);
  names["resized"] = Real(one.resized);
  for (std::int64_t place = 0; place < one.resized; ++place)
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      names["place"] = Real(place);
      names["tap"] = Real(tap);
      TIEBREAK_TRY(value, request.formula(key, names));
      values.push_back(std::move(value));
    }
  return values;
}

/// Which element of x each tap is: a place inside it.
Result<std::shared_ptr<const std::vector<std::int64_t>>> sources(const StructureRequest& request, const ResizedDimension& one, std::int64_t taps) {
  TIEBREAK_TRY(values, for_each_tap(request, one, taps, "at"));
  auto listed = std::make_shared<std::vector<std::int64_t>>();
  for (const Real& value : values) {
    const auto number = value.to_int64();
    if (!number || *number < 0 || *number >= one.length)
      return malformed(request, "", fmt::format("'at' gives {}, which is no place of {}", value.to_decimal(9), one.length));
    listed->push_back(*number);
  }
  return listed;
}

}  // namespace

Result<std::vector<TapWeight>> tap_weights(const StructureRequest& request) {
  std::vector<TapWeight> weights;
  const std::pair<const char*, Result<Resize> (*)(const StructureRequest&)> readers[] = {
      {"resize.tosa", read_resize_tosa}, {"resize.qnn", read_resize_qnn}, {"resize.tflite", read_resize_tflite}};
  const auto reader = std::ranges::find(readers, request.path, [](const auto& entry) { return std::string(entry.first); });
  if (reader == std::end(readers) || !request.has_weight) return weights;
  TIEBREAK_TRY(resize, reader->second(request));
  for (std::size_t s = 0; s < 2; ++s) {
    const ResizedDimension& one = resize.dimensions[s];
    TIEBREAK_TRY(values, for_each_tap(request, one, resize.taps, "weight"));
    weights.push_back({static_cast<int>(one.dimension), static_cast<int>(s), one.resized, resize.taps, std::move(values)});
  }
  return weights;
}

Result<Geometry> resized_image(const StructureRequest& request, const Resize& resize) {
  const Shape& shape = resize.x->type.shape;
  Shape wanted = shape;
  for (const ResizedDimension& one : resize.dimensions) wanted[one.dimension] = one.resized;
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  geometry.has_bag = true;
  geometry.item_extents = {resize.taps, resize.taps};
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
  for (std::size_t s = 0; s < 2; ++s) {
    const std::size_t d = resize.dimensions[s].dimension;
    positions[d] = Affine{.cell = {{static_cast<int>(d), resize.taps}}, .item = {{static_cast<int>(s), 1}}};
  }
  Access access = make_access(shape, std::move(positions));
  for (const ResizedDimension& one : resize.dimensions) {
    TIEBREAK_TRY(listed, sources(request, one, resize.taps));
    access.dimensions[one.dimension].listed = std::move(listed);
  }
  geometry.operands[resize.x->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
