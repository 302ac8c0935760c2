// SPDX-License-Identifier: Apache-2.0
// move.strided_slice_tflite(x, begin, end, strides): part of a tensor as TensorFlow writes x[a:b:c, ..., newaxis, d]. Each entry of the three lists takes a
// dimension of x, unless a bit of a mask says otherwise: `ellipsis_mask` one for as many dimensions as are left, `new_axis_mask` none and a dimension of 1 in
// the result. `begin_mask` and `end_mask` go from the first and to the last element, `shrink_axis_mask` takes one element and its dimension away. With `offset`
// the ends are counted from the beginnings.
#include <fmt/format.h>

#include <bit>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

constexpr std::size_t most_entries = 31;  // a mask has a bit for each

/// What stands for a dimension of the operand, or, of a new axis, for none.
struct StridedEntry {
  bool new_axis = false;
  bool from_first = true, to_last = true, shrinks = false;
  std::int64_t begin = 0, end = 0, stride = 1;
};

struct StridedMasks {
  std::uint32_t begin, end, ellipsis, new_axis, shrink;
  bool offset;
};

Result<StridedMasks> read_masks(const StructureRequest& request) {
  StridedMasks masks{};
  const auto read = [&](const char* name, std::uint32_t& mask) -> Status {
    TIEBREAK_TRY(value, integer(request, name, 0));
    if (value < 0 || value >= std::int64_t{1} << most_entries) return malformed(request, "E2", fmt::format("{} is {}", name, value));
    mask = static_cast<std::uint32_t>(value);
    return {};
  };
  TIEBREAK_CHECK(read("begin_mask", masks.begin));
  TIEBREAK_CHECK(read("end_mask", masks.end));
  TIEBREAK_CHECK(read("ellipsis_mask", masks.ellipsis));
  TIEBREAK_CHECK(read("new_axis_mask", masks.new_axis));
  TIEBREAK_CHECK(read("shrink_axis_mask", masks.shrink));
  TIEBREAK_TRY(offset, integer(request, "offset", 0));
  masks.offset = offset != 0;
  masks.new_axis &= ~masks.ellipsis;
  return masks;
}

/// The entries as they stand for the dimensions one after the other: an ellipsis is as many whole dimensions, and what no entry names is whole, too.
Result<std::vector<StridedEntry>> read_entries(const StructureRequest& request, std::size_t rank, const StridedMasks& masks) {
  TIEBREAK_TRY(begin, argument_operand(request, 1));
  TIEBREAK_TRY(begins, steering(request, begin->name));
  const std::size_t count = begins.size();
  TIEBREAK_TRY(ends, steering_argument(request, 2, count, "E1"));
  TIEBREAK_TRY(strides, steering_argument(request, 3, count, "E1"));
  if (count > most_entries) return malformed(request, "E1", fmt::format("{} entries, at most {}", count, most_entries));
  const std::uint32_t present = (std::uint32_t{1} << count) - 1;
  const std::size_t added = static_cast<std::size_t>(std::popcount(masks.new_axis & present)),
                    ellipses = static_cast<std::size_t>(std::popcount(masks.ellipsis));
  if (ellipses > 1 || (masks.ellipsis & ~present) != 0) return malformed(request, "E2", fmt::format("ellipsis_mask is {}", masks.ellipsis));
  const std::size_t named = count - added - ellipses;
  if (named + ellipses > rank)  // an ellipsis for no dimension is left out by the kernels, and the entry behind it with it
    return malformed(request, "E1", fmt::format("{} entries and {} ellipses for {} dimensions", named, ellipses, rank));
  if (masks.offset && (masks.ellipsis != 0 || masks.new_axis != 0 || masks.end != 0 || count != rank))
    return malformed(request, "E3", "with offset every dimension has its size");
  std::vector<StridedEntry> entries;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if ((masks.ellipsis & bit) != 0) {
      entries.resize(entries.size() + rank - named);
      continue;
    }
    if (strides[i] == 0) return malformed(request, "E4", "a stride is 0");
    StridedEntry one{.new_axis = (masks.new_axis & bit) != 0};
    if (!one.new_axis)
      one = {.from_first = (masks.begin & bit) != 0,
             .to_last = (masks.end & bit) != 0,
             .shrinks = (masks.shrink & bit) != 0,
             .begin = begins[i],
             .end = ends[i],
             .stride = strides[i]};
    entries.push_back(one);
  }
  if (ellipses == 0) entries.resize(entries.size() + rank - named);
  return entries;
}

}  // namespace

Result<Geometry> move_strided_slice_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(masks, read_masks(request));
  TIEBREAK_TRY(entries, read_entries(request, shape.size(), masks));
  Shape wanted;
  std::vector<Affine> places;
  for (const StridedEntry& one : entries) {
    const int cell = static_cast<int>(wanted.size());
    if (one.new_axis) {
      wanted.push_back(1);
      continue;
    }
    const std::int64_t extent = shape[places.size()];
    const std::int64_t first = one.from_first ? (one.stride > 0 ? 0 : extent - 1) : slice_bound(one.begin, extent, one.stride);
    if (one.shrinks) {
      if (one.stride < 0 || first >= extent)
        return malformed(request, "E5",
                         fmt::format("dimension {} of {} has no one element at {} with stride {}", places.size(), to_text(shape), one.begin, one.stride));
      places.push_back(constant(first));
      continue;
    }
    if (masks.offset && (one.stride < 0 || one.end < 0 || first + one.end > extent))
      return malformed(request, "E3", fmt::format("dimension {}: {} elements from {} on do not lie within {}", places.size(), one.end, first, extent));
    const std::int64_t last = one.to_last ? (one.stride > 0 ? extent : -1) : slice_bound(masks.offset ? first + one.end : one.end, extent, one.stride);
    wanted.push_back(slice_length(first, last, one.stride));
    places.push_back(Affine{.base = first, .cell = {{cell, one.stride}}});
  }
  TIEBREAK_CHECK(check_stated_shape(request, wanted, "E6"));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  geometry.operands[operand->name] = make_access(shape, std::move(places));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
