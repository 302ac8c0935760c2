// SPDX-License-Identifier: Apache-2.0
// Parts of a tensor as Relay names them: move.slice_relay (begin, end, strides, axes, slice_mode) and move.split_relay (indices_or_sections, axis).
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

constexpr std::int64_t section_limit = 4096;  ///< as many results as an operator of a program has

/// The slice of one dimension, with its numbers as they are given.
struct Slice {
  std::size_t dimension;
  std::int64_t begin, end, stride;
};

/// Entry i of a list that may be shorter than the dimensions.
std::int64_t entry(const Shape& list, std::size_t i, std::int64_t fallback) { return i < list.size() ? std::clamp(list[i], -far_index, far_index) : fallback; }

/// `axes` names the dimensions, else they are the first ones. In the mode `size` the ends are lengths, one below 0 takes what is left, and there are no
/// strides.
Result<std::vector<Slice>> read_slices(const StructureRequest& request, const Shape& shape) {
  TIEBREAK_TRY(begin, integers(request, "begin", {}));
  TIEBREAK_TRY(end, integers(request, "end", {}));
  TIEBREAK_TRY(strides, integers(request, "strides", {}));
  TIEBREAK_TRY(axes, steered(request, 1, "axes"));
  const auto mode = request.attributes->find("slice_mode");
  const bool by_size = mode != request.attributes->end() && mode->second.as_string().value_or("") == "size";
  if (axes && (begin.size() != axes->size() || end.size() != axes->size() || strides.size() != axes->size()))
    return malformed(request, "", "begin, end, strides and axes must have as many entries");
  if (!axes && std::max({begin.size(), end.size(), strides.size()}) > shape.size())
    return malformed(request, "", fmt::format("more entries than {} has dimensions", to_text(shape)));
  if (axes) TIEBREAK_CHECK(axes_from_front(request, *axes, shape.size()).map([](const auto&) {}));
  std::vector<Slice> slices;
  for (std::size_t i = 0; i < (axes ? axes->size() : shape.size()); ++i) {
    Slice one{.dimension = i, .begin = 0, .end = 0, .stride = 1};
    if (axes) one.dimension = static_cast<std::size_t>((*axes)[i] < 0 ? (*axes)[i] + static_cast<std::int64_t>(shape.size()) : (*axes)[i]);
    if (!by_size) one.stride = entry(strides, i, 1);
    if (one.stride == 0) return malformed(request, "", "a stride is 0");
    one.begin = entry(begin, i, one.stride > 0 ? 0 : far_index);
    const std::int64_t last = entry(end, i, one.stride > 0 ? far_index : 0);
    one.end = !by_size ? last : last < 0 ? far_index : one.begin + last;
    slices.push_back(one);
  }
  return slices;
}

/// Where the parts begin: at equal distances, or at 0 and at the listed places.
Result<Shape> part_starts(const StructureRequest& request, std::int64_t extent) {
  const auto given = request.attributes->find("indices_or_sections");
  if (given == request.attributes->end()) return malformed(request, "", "indices_or_sections must be given");
  Shape starts{0};
  if (std::holds_alternative<AttributeList>(given->second.value)) {
    TIEBREAK_TRY(places, integers(request, "indices_or_sections", {}));
    for (std::int64_t place : places) {
      if (place <= starts.back() || place >= extent)
        return malformed(request, "", fmt::format("indices_or_sections is {}, expected ascending places between 0 and {}", to_text(places), extent));
      starts.push_back(place);
    }
    return starts;
  }
  TIEBREAK_TRY(sections, integer(request, "indices_or_sections", 1));
  if (sections < 1 || sections > section_limit || extent % sections != 0)
    return malformed(request, "", fmt::format("{} cannot be divided into {} equal parts", extent, sections));
  for (std::int64_t i = 1; i < sections; ++i) starts.push_back(i * (extent / sections));
  return starts;
}

}  // namespace

Result<Geometry> move_slice_relay(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(slices, read_slices(request, shape));
  Shape wanted = shape;
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) places.push_back(at_cell(static_cast<int>(d)));
  for (const Slice& one : slices) {
    const std::int64_t extent = shape[one.dimension];
    const std::int64_t first = slice_bound(one.begin, extent, one.stride), last = slice_bound(one.end, extent, one.stride);
    if (one.stride > 0 ? first > last : last > first)
      return malformed(request, "", fmt::format("dimension {} of {} has no slice from {} to {}", one.dimension, to_text(shape), one.begin, one.end));
    wanted[one.dimension] = slice_length(first, last, one.stride);
    places[one.dimension] = Affine{.base = first, .cell = {{static_cast<int>(one.dimension), one.stride}}};
  }
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  geometry.operands[operand->name] = make_access(shape, std::move(places));
  return std::move(geometry);
}

/// The result is a tuple: one tensor alone would be a part that nobody named.
Result<Geometry> move_split_relay(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(axis, axis_from_front(request, 0, shape.size()));
  TIEBREAK_TRY(starts, part_starts(request, shape[axis]));
  if (request.parts < 2 || request.parts > starts.size())
    return malformed(request, "", fmt::format("the result is a tuple of {}, and a program names its members, at least two: %0.0, %0.1", starts.size()));
  const std::int64_t first = starts[request.part];
  const std::int64_t behind = request.part + 1 < starts.size() ? starts[request.part + 1] : shape[axis];
  return part_along(request, *operand, axis, first, behind - first);
}

}  // namespace tiebreak::structure
