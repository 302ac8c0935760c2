// SPDX-License-Identifier: Apache-2.0
// From an array to a tensor of a type: the same numbers, or an error.
#include "testsuite/arrays/array_of_file.hpp"

#include <algorithm>

#include "testsuite/arrays/reorder.hpp"

namespace tiebreak {
namespace {

Shape without_ones(const Shape& shape) {
  Shape rest;
  std::ranges::copy_if(shape, std::back_inserter(rest), [](std::int64_t extent) { return extent != 1; });
  return rest;
}

Status check_shape(const Shape& found, const TensorType& type, const std::string& origin) {
  if (found == type.shape || without_ones(found) == without_ones(type.shape)) return {};
  Shape sorted = without_ones(found), wanted = without_ones(type.shape);
  std::ranges::sort(sorted);
  std::ranges::sort(wanted);
  return fail(Errc::type, "the array has the shape " + to_text(found) + ", the tensor " + to_text(type.shape), origin,
              sorted == wanted ? "if its dimensions stand in another order: \"transpose\" in the map (docs/dumps.md)" : "");
}

/// The code that a float stands for: (v / scale) + zero point, where that is a code whose value, rounded to the float's type, is v again.
std::optional<std::uint64_t> code_of_float(const Real& value, const ElementType& floating, const QuantizedType& type, std::size_t parameter) {
  if (!value.is_finite()) return std::nullopt;
  const Real& scale = type.scales[parameter].value;
  const Real& zero = type.zero_points[parameter].value;
  const Real near = round_whole(value / scale + zero, Rounding::nearest_even);
  const std::optional<Real> again = round_to((near - zero) * scale, floating.floating());
  if (!again || !(*again == value) || near < type.storage_min || near > type.storage_max) return std::nullopt;
  return type.storage.encode(near);
}

Result<Tensor> converted(const Tensor& from, const TensorType& type, const std::string& origin) {
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  const bool dequantized = type.quantized && from.element().is_float() && !type.element.is_float();
  for (std::int64_t i = 0; i < from.size(); ++i) {
    const Real value = from.value(i);
    const auto code = dequantized ? code_of_float(value, from.element(), *type.quantized,
                                                  parameter_place(i, type.shape, type.quantized->dimensions, type.quantized->parameter_shape))
                                  : type.element.encode(value);
    if (!code)
      return fail(Errc::type,
                  "element " + std::to_string(i) + " is " + value.to_decimal() + " (" + from.element().name() + "), which is no value of " + element_text(type),
                  origin);
    tensor.set_code(i, *code);
  }
  return std::move(tensor);
}

}  // namespace

Result<Tensor> tensor_of(const ArrayOfFile& array, const TensorType& type) {
  if (!array.tensor) {
    if (array.shape) TIEBREAK_CHECK(check_shape(*array.shape, type, array.origin));
    const std::size_t wanted = static_cast<std::size_t>(element_count(type.shape).value_or(0)) * static_cast<std::size_t>(type.element.storage_bytes());
    if (array.raw.size() != wanted)
      return fail(Errc::type, "the file has " + std::to_string(array.raw.size()) + " bytes, the tensor (" + to_text(type) + ") " + std::to_string(wanted),
                  array.origin);
    return Tensor::from_bytes(type, array.raw, array.origin);
  }
  TIEBREAK_CHECK(check_shape(array.tensor->shape(), type, array.origin));
  if (!(array.tensor->element() == type.element)) return converted(*array.tensor, type, array.origin);
  Tensor tensor = *array.tensor;
  tensor.set_type(type);
  return tensor;
}

Result<Tensor> tensor_of(const ArrayOfFile& array) {
  if (array.tensor) return *array.tensor;
  return fail(Errc::type, "the file does not say of which type its numbers are" + (array.stated.empty() ? "" : " ('" + array.stated + "')"), array.origin,
              ".npy, .npz and .pb state it");
}

Result<ArrayOfFile> transposed(const ArrayOfFile& array, const std::vector<std::int64_t>& order) {
  const std::optional<Shape> shape = array.tensor ? std::optional(array.tensor->shape()) : array.shape;
  std::vector<std::int64_t> sorted = order;
  std::ranges::sort(sorted);
  bool is_order = shape && sorted.size() == shape->size();
  for (std::size_t i = 0; is_order && i < sorted.size(); ++i) is_order = sorted[i] == static_cast<std::int64_t>(i);
  if (!is_order)
    return fail(Errc::usage,
                "the transposition " + to_text(order) + " does not fit the array's " + (shape ? "shape " + to_text(*shape) : "shape, which is not stated"),
                array.origin);
  Shape turned;
  for (std::int64_t d : order) turned.push_back((*shape)[static_cast<std::size_t>(d)]);
  ArrayOfFile result = array;
  const auto count = static_cast<std::size_t>(element_count(*shape).value_or(0));
  if (!array.tensor) {
    if (count > 0) result.raw = reordered(array.raw, *shape, array.raw.size() / count, order);
    result.shape = turned;
    return result;
  }
  const std::vector<std::byte> bytes(array.tensor->bytes().begin(), array.tensor->bytes().end());
  const auto width = static_cast<std::size_t>(array.tensor->element().storage_bytes());
  TIEBREAK_TRY(tensor, Tensor::from_bytes({array.tensor->element(), turned}, reordered(bytes, *shape, width, order), array.origin));
  result.tensor = std::move(tensor);
  return result;
}

}  // namespace tiebreak
