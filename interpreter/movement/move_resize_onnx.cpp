// SPDX-License-Identifier: Apache-2.0
// move.resize_onnx(x, roi, scales, sizes, extent = e, at = p, fill = v), or (x, scales, ...), or with axes behind the sizes: x with other extents along some
// axes, each list an operand or numbers that the page knows before any element is looked at. Which element stands at a
// place, and how long the result is, are formulas of the page; here is what they see: place, length (of x), resized (the result's length), scale, and first and
// last of roi.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

using Axis = ResizedAxis;

/// The numbers of an operand that may be absent or, as files of older opsets have it, without elements; or those that the page names itself.
Result<std::vector<Real>> listed(const StructureRequest& request, std::size_t position) {
  std::vector<Real> values;
  if (position < request.arguments.size() && request.arguments[position].name.empty()) {
    for (std::int64_t value : request.arguments[position].values) values.emplace_back(value);
    return values;
  }
  const StructureOperand* operand = position < request.arguments.size() ? find_operand(request, request.arguments[position].name) : nullptr;
  if (operand == nullptr || (operand->tensor != nullptr && operand->tensor->size() == 0)) return values;
  if (operand->tensor == nullptr || operand->type.shape.size() != 1)
    return malformed(request, "", fmt::format("{} must be a list of numbers, got {}", operand->name, to_text(operand->type)));
  for (std::int64_t i = 0; i < operand->tensor->size(); ++i) values.push_back(operand->tensor->value(i));
  return values;
}

/// What the axes are resized by, as given: by operands; of the older forms, by an attribute, or in opset 10 by the one operand after x.
struct Given {
  std::vector<Real> roi{}, scales{}, sizes{};
};
Result<Given> read_given(const StructureRequest& request) {
  const auto is_there = [&](std::size_t position) {
    return position < request.arguments.size() && find_operand(request, request.arguments[position].name) != nullptr;
  };
  Given given;
  if (request.arguments.size() == 2 || (is_there(1) && !is_there(2) && !is_there(3))) {
    TIEBREAK_TRY(scales, listed(request, 1));
    given.scales = std::move(scales);
  } else {
    TIEBREAK_TRY(roi, listed(request, 1));
    TIEBREAK_TRY(scales, listed(request, 2));
    TIEBREAK_TRY(sizes, listed(request, 3));
    given = {std::move(roi), std::move(scales), std::move(sizes)};
  }
  const auto attribute = request.attributes->find("scales");
  if (!given.scales.empty() || attribute == request.attributes->end()) return given;
  const AttributeList* list = std::get_if<AttributeList>(&attribute->second.value);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    if (const Real* number = std::get_if<Real>(&(*list)[i].value)) given.scales.push_back(*number);
  return given;
}

/// Sizes are scales that need no rounding. All axes have the least or the greatest scale where the aspect ratio is kept.
Status scales_of_sizes(const StructureRequest& request, std::vector<Axis>& axes, const std::vector<Real>& sizes) {
  const std::string policy = word_of(request, "keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
    return malformed(request, "", fmt::format("keep_aspect_ratio_policy is '{}'", policy));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if ((sizes[i] <=> Real(0)) < 0 || axes[i].length == 0)
      return malformed(request, "", fmt::format("a size {} for the length {}", sizes[i].to_string(), axes[i].length));
    axes[i].scale = sizes[i] / Real(axes[i].length);
  }
  if (policy == "stretch" || axes.empty()) return {};
  const auto less = [](const Axis& a, const Axis& b) { return (a.scale <=> b.scale) < 0; };
  const Real kept = policy == "not_larger" ? std::ranges::min_element(axes, less)->scale : std::ranges::max_element(axes, less)->scale;
  for (Axis& axis : axes) axis.scale = kept;
  return {};
}

Result<std::vector<Axis>> read_axes(const StructureRequest& request, const Shape& shape) {
  const bool own = request.arguments.size() > 4 && request.arguments[4].name.empty();  // the page names the axes
  TIEBREAK_TRY(steering_axes, steered(request, 4, "axes"));
  const std::optional<Shape> named = own ? std::optional(request.arguments[4].values) : steering_axes;
  Shape positions = named.value_or(Shape{});
  for (std::size_t d = 0; !named && d < shape.size(); ++d) positions.push_back(static_cast<std::int64_t>(d));
  TIEBREAK_CHECK(axes_from_front(request, positions, shape.size()).map([](const auto&) {}));
  TIEBREAK_TRY(given, read_given(request));
  const auto& [roi, scales, sizes] = given;
  const std::size_t count = positions.size();
  if (scales.empty() == sizes.empty()) return malformed(request, "", "either scales or sizes must be given");
  if (std::max(scales.size(), sizes.size()) != count || (!roi.empty() && roi.size() != 2 * count))
    return malformed(request, "", fmt::format("{} scales, {} sizes and {} entries of roi for {} axes", scales.size(), sizes.size(), roi.size(), count));
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t d = static_cast<std::size_t>(positions[i] < 0 ? positions[i] + static_cast<std::int64_t>(shape.size()) : positions[i]);
    axes.push_back({.dimension = d, .length = shape[d]});
    if (!scales.empty()) axes[i].scale = scales[i];
    if (!roi.empty()) axes[i].first = roi[i], axes[i].last = roi[i + count];
  }
  if (!sizes.empty()) TIEBREAK_CHECK(scales_of_sizes(request, axes, sizes));
  return axes;
}

Result<std::int64_t> whole(const StructureRequest& request, const Axis& axis, std::int64_t place, const char* key) {
  TIEBREAK_TRY(value, request.formula(key, axis.names(place)));
  const auto number = value.to_int64();
  if (!number) return malformed(request, "", fmt::format("'{}' gives {}, which is no place", key, value.to_decimal(9)));
  return *number;
}

}  // namespace

std::map<std::string, Real> ResizedAxis::names(std::int64_t place) const {
  return {{"place", Real(place)}, {"length", Real(length)}, {"resized", Real(resized)},   {"scale", scale},
          {"first", first},       {"last", last},           {"changing", Real(changing)}, {"dimension", Real(static_cast<std::int64_t>(dimension))}};
}

Result<std::vector<ResizedAxis>> resized_axes(const StructureRequest& request, const Shape& shape) {
  TIEBREAK_TRY(axes, read_axes(request, shape));
  for (Axis& axis : axes) {
    if (!axis.scale.is_finite() || axis.scale.is_negative() || (axis.scale.is_zero() && axis.length > 0))
      return malformed(request, "", fmt::format("the scale {}", axis.scale.to_decimal(9)));
    TIEBREAK_TRY(resized, whole(request, axis, 0, "extent"));
    if (resized < 0 || resized > far_index) return fail(Errc::limit, fmt::format("{}: a length of {}", request.op, resized), request.where);
    axis.resized = resized;
  }
  std::size_t changing = shape.size();
  if (std::ranges::any_of(axes, [](const Axis& axis) { return axis.resized != axis.length; }))
    for (const Axis& axis : axes)
      if (!(axis.scale == Real(1))) changing = std::min(changing, axis.dimension);
  for (Axis& axis : axes) axis.changing = static_cast<std::int64_t>(changing);
  return std::move(axes);
}

Result<Geometry> move_resize_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(axes, resized_axes(request, shape));
  Shape wanted = shape;
  for (const Axis& axis : axes) wanted[axis.dimension] = axis.resized;
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) places.push_back(at_cell(static_cast<int>(d)));
  Access access = make_access(shape, std::move(places));
  for (const Axis& axis : axes) {
    if (geometry.cells() == 0) break;  // nothing is read, and a length may be beyond any list
    auto list = std::make_shared<std::vector<std::int64_t>>();
    for (std::int64_t place = 0; place < axis.resized; ++place) {
      TIEBREAK_TRY(source, whole(request, axis, place, "at"));
      access.may_miss |= source < 0 || source >= axis.length;
      list->push_back(std::clamp<std::int64_t>(source, -1, axis.length));
    }
    access.dimensions[axis.dimension].listed = std::move(list);
  }
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
