// SPDX-License-Identifier: Apache-2.0
// What the structures of resized tensors share, and resize.onnx(x, roi, scales, sizes, extent = e, taps = t, at = p, weight = w, doubt = d): any dimensions,
// resized as move.resize_onnx has it, a place seeing t elements along each of them.
#include "interpreter/structure/resize_taps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/tap_weight.hpp"

namespace tiebreak::structure {
namespace {

constexpr std::int64_t most_taps = 16;

/// The formula's values for each place and each of its first taps.
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

/// Which element of x each tap is.
Result<std::vector<std::int64_t>> sources(const StructureRequest& request, const ResizedDimension& one, std::int64_t taps, bool may_leave) {
  TIEBREAK_TRY(values, for_each_tap(request, one, taps, "at"));
  std::vector<std::int64_t> listed;
  for (const Real& value : values) {
    const auto number = value.to_int64();
    if (!number || (!may_leave && (*number < 0 || *number >= one.length)))
      return malformed(request, "", fmt::format("'at' gives {}, which is no place of {}", value.to_decimal(9), one.length));
    listed.push_back(*number);
  }
  return listed;
}

/// Each place is read where it is, in a tensor of this length.
bool is_each_its_own(const std::vector<std::int64_t>& listed, std::int64_t length) {
  for (std::size_t i = 0; i < listed.size(); ++i)
    if (listed[i] != static_cast<std::int64_t>(i)) return false;
  return static_cast<std::int64_t>(listed.size()) == length;
}

Result<Resize> read_resize_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const auto antialias = request.attributes->find("antialias");
  const Real* filtered = antialias == request.attributes->end() ? nullptr : std::get_if<Real>(&antialias->second.value);
  if (filtered != nullptr && !filtered->is_zero()) return fail(Errc::unsupported, fmt::format("{}: antialias is not described", request.op), request.where);
  const Shape& shape = x->type.shape;
  TIEBREAK_TRY(axes, resized_axes(request, shape));
  std::ranges::sort(axes, {}, &ResizedAxis::dimension);  // the last dimension's taps are the fastest, whatever the order of `axes`
  Resize resize{.x = x, .may_leave = true};
  for (const ResizedAxis& axis : axes) {
    ResizedDimension one{.dimension = axis.dimension, .length = axis.length, .resized = axis.resized, .names = axis.names(0)};
    TIEBREAK_TRY(taps, request.formula("taps", one.names));
    const auto number = taps.to_int64();
    if (!number || *number < 1 || *number > most_taps) return malformed(request, "", fmt::format("'taps' gives {}", taps.to_decimal(9)));
    one.taps = *number;
    resize.dimensions.push_back(std::move(one));
  }
  return resize;
}

using Reader = Result<Resize> (*)(const StructureRequest&);

/// nullptr where the structure resizes nothing in this way.
Reader reader_of(const StructureRequest& request) {
  const std::pair<const char*, Reader> readers[] = {
      {"resize.tosa", read_resize_tosa}, {"resize.qnn", read_resize_qnn}, {"resize.tflite", read_resize_tflite}, {"resize.onnx", read_resize_onnx}};
  const auto reader = std::ranges::find(readers, request.path, [](const auto& entry) { return std::string(entry.first); });
  return reader == std::end(readers) ? nullptr : reader->second;
}

bool is_empty(const Resize& resize) {
  return std::ranges::any_of(resize.dimensions, [](const ResizedDimension& one) { return one.resized == 0; });
}

}  // namespace

Result<std::optional<TapFacts>> tap_facts(const StructureRequest& request) {
  const Reader read = reader_of(request);
  if (read == nullptr) return std::optional<TapFacts>();
  TIEBREAK_TRY(resize, read(request));
  TapFacts facts;
  if (is_empty(resize)) return std::optional(std::move(facts));  // no cell asks
  int item = 0;
  for (const ResizedDimension& one : resize.dimensions) {
    const int cell = static_cast<int>(one.dimension);
    if (resize.may_leave) {
      TIEBREAK_TRY(firsts, sources(request, one, 1, true));
      std::vector<Real> inside;
      for (const std::int64_t first : firsts) inside.emplace_back(first >= 0 && first < one.length ? 1 : 0);
      if (std::ranges::any_of(inside, &Real::is_zero)) facts.inside.push_back({cell, -1, one.resized, 1, std::move(inside)});
    }
    if (one.taps == 1 && resize.may_leave) continue;
    if (request.has_weight) {
      TIEBREAK_TRY(values, for_each_tap(request, one, one.taps, "weight"));
      facts.weights.push_back({cell, item, one.resized, one.taps, std::move(values)});
    }
    if (resize.may_leave) {
      TIEBREAK_TRY(values, for_each_tap(request, one, 1, "doubt"));
      if (!std::ranges::all_of(values, &Real::is_zero)) facts.doubts.push_back({cell, -1, one.resized, 1, std::move(values)});
    }
    ++item;
  }
  return std::optional(std::move(facts));
}

Result<Geometry> resized_image(const StructureRequest& request, const Resize& resize) {
  const Shape& shape = resize.x->type.shape;
  Shape wanted = shape;
  for (const ResizedDimension& one : resize.dimensions) wanted[one.dimension] = one.resized;
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
  for (const ResizedDimension& one : resize.dimensions) {
    if (one.taps == 1 && resize.may_leave) continue;
    const int d = static_cast<int>(one.dimension);
    positions[one.dimension] = Affine{.cell = {{d, one.taps}}, .item = {{static_cast<int>(geometry.item_extents.size()), 1}}};
    geometry.item_extents.push_back(one.taps);
  }
  geometry.has_bag = !geometry.item_extents.empty();
  if (resize.may_leave) geometry.taps = geometry.items();
  Access access = make_access(shape, std::move(positions));
  for (const ResizedDimension& one : resize.dimensions) {
    if (is_empty(resize)) break;  // nothing is read, and a length may be beyond any list
    TIEBREAK_TRY(listed, sources(request, one, one.taps, resize.may_leave));
    if (one.taps == 1 && is_each_its_own(listed, one.length)) continue;
    for (std::int64_t& place : listed) place = std::clamp<std::int64_t>(place, 0, std::max<std::int64_t>(one.length - 1, 0));
    access.dimensions[one.dimension].listed = std::make_shared<const std::vector<std::int64_t>>(std::move(listed));
  }
  geometry.operands[resize.x->name] = std::move(access);
  return std::move(geometry);
}

Result<Geometry> resize_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(resize, read_resize_onnx(request));
  Shape wanted = resize.x->type.shape;
  for (const ResizedDimension& one : resize.dimensions) wanted[one.dimension] = one.resized;
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  return resized_image(request, resize);
}

}  // namespace tiebreak::structure
