// SPDX-License-Identifier: Apache-2.0
// Tensors taken apart along an axis, and put together along a new one.
#include <fmt/format.h>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

/// Where the elements of slice `place` along `axis` lie, in the tensor's order.
std::vector<std::int64_t> slice_offsets(const Shape& shape, std::size_t axis, std::int64_t place) {
  std::int64_t inner = 1, outer = 1;
  for (std::size_t d = 0; d < axis; ++d) outer *= shape[d];
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  std::vector<std::int64_t> offsets;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) offsets.push_back((o * shape[axis] + place) * inner + i);
  return offsets;
}

TensorType with_axis(TensorType type, std::size_t axis, std::int64_t extent) {
  type.shape.insert(type.shape.begin() + static_cast<std::ptrdiff_t>(axis), extent);
  return type;
}

}  // namespace

Result<std::size_t> axis_of(const Context& context, std::int64_t axis, std::size_t rank, const char* of) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis >= -count && axis < count) return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
  return context.refused(Errc::constraint, fmt::format("{} is no axis of {} of rank {}", axis, of, rank));
}

Result<ResultTensor> slice(const ResultTensor& value, std::size_t axis, std::int64_t place) {
  TIEBREAK_TRY(elements, pick(value, slice_offsets(value.tensor.shape(), axis, place)));
  Shape shape = value.tensor.shape();
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  return reshaped(std::move(elements), shape);
}

Result<ResultTensor> empty_stack(const Context& context, const TensorType& slice, std::int64_t axis) {
  TIEBREAK_TRY(along, axis_of(context, axis, slice.shape.size() + 1, "a result"));
  TIEBREAK_TRY(none, Tensor::zeros(with_axis(slice, along, 0)));
  return ResultTensor{.name = "", .tensor = std::move(none)};
}

Result<ResultTensor> stacked(const Context& context, const std::vector<ResultTensor>& slices, std::int64_t axis, bool reversed) {
  const TensorType& type = slices.front().tensor.type();
  for (const ResultTensor& own : slices)
    if (!same_type(own.tensor.type(), type))
      return context.refused(Errc::type, fmt::format("its steps give {} and {}", to_text(type), to_text(own.tensor.type())));
  TIEBREAK_TRY(along, axis_of(context, axis, type.shape.size() + 1, "a result"));
  TIEBREAK_TRY(zeros, Tensor::zeros(with_axis(type, along, static_cast<std::int64_t>(slices.size()))));
  ResultTensor all{.name = "", .tensor = std::move(zeros)};
  for (std::size_t i = 0; i < slices.size(); ++i)
    put(all, slice_offsets(all.tensor.shape(), along, static_cast<std::int64_t>(reversed ? slices.size() - 1 - i : i)), slices[i]);
  return all;
}

}  // namespace tiebreak::regions
