// SPDX-License-Identifier: Apache-2.0
#include "testsuite/arrays/array_rows.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

std::optional<Shape> shape_of(const ArrayOfFile& array) { return array.tensor ? std::optional(array.tensor->shape()) : array.shape; }

/// Whether a tensor of this shape can be an input of the stated one, of which dimensions may be open.
bool can_have(const Shape& stated, std::span<const std::int64_t> shape) {
  return std::ranges::equal(stated, shape, [](std::int64_t wanted, std::int64_t found) { return wanted == open_dimension || wanted == found; });
}

std::size_t units(const Shape& shape) {
  return static_cast<std::size_t>(std::ranges::count_if(shape, [](std::int64_t extent) { return extent != 1; }));
}

/// The same extents in the same order, ones aside.
bool same_but_for_ones(const Shape& a, const Shape& b) {
  if (is_open(a) || units(a) != units(b)) return false;
  auto not_one = [](std::int64_t extent) { return extent != 1; };
  Shape left, right;
  std::ranges::copy_if(a, std::back_inserter(left), not_one);
  std::ranges::copy_if(b, std::back_inserter(right), not_one);
  return left == right;
}

/// The same extents behind the leading dimension, in another order: channels last, most likely.
bool is_turned(Shape found, Shape stated) {
  if (found.size() != stated.size() || found.empty()) return false;
  std::ranges::sort(found.begin() + 1, found.end());
  std::ranges::sort(stated.begin() + 1, stated.end());
  return std::equal(found.begin() + 1, found.end(), stated.begin() + 1);
}

/// Of an array of so many dimensions as the type has: extents of the first one that make a tensor. 0: it cannot be cut.
std::int64_t leading_extent(const Shape& stated, const Shape& found) {
  if (stated.empty() || !can_have(Shape(stated.begin() + 1, stated.end()), std::span(found).subspan(1))) return 0;
  if (stated.front() == open_dimension) return stated.size() > 1 ? 1 : found.front();  // a vector of any length is one input
  return stated.front() > 0 && found.front() % stated.front() == 0 ? stated.front() : 0;
}

/// The shape of each tensor that the array is cut into.
Result<Shape> row_shape(const Shape& found, const TensorType& type, const std::string& origin) {
  const Shape& stated = type.shape;
  if (found.size() == stated.size() && can_have(stated, found) && (stated.empty() || stated.front() != open_dimension)) return found;
  if (found.size() == stated.size()) {
    if (const std::int64_t leading = leading_extent(stated, found); leading > 0) {
      Shape shape = found;
      shape.front() = leading;
      return shape;
    }
  }
  if (found.size() == stated.size() + 1 && can_have(stated, std::span(found).subspan(1))) return Shape(found.begin() + 1, found.end());
  if (same_but_for_ones(stated, found)) return stated;
  return fail(Errc::type,
              "the array has the shape " + to_text(found) + ", the input " + to_text(stated) + ": neither one input nor several one behind the other", origin,
              is_turned(found, stated) ? "its dimensions stand in another order: numpy.transpose" : "dimensions behind the leading one must be the input's");
}

std::size_t bytes_of(const ArrayOfFile& array) { return array.tensor ? array.tensor->bytes().size() : array.raw.size(); }

}  // namespace

Result<std::size_t> row_count(const ArrayOfFile& array, const TensorType& type) {
  const std::optional<Shape> found = shape_of(array);
  if (found) {
    TIEBREAK_TRY(shape, row_shape(*found, type, array.origin));
    TIEBREAK_TRY(each, element_count(shape));
    TIEBREAK_TRY(all, element_count(*found));
    return each == 0 ? 1 : static_cast<std::size_t>(all / each);
  }
  if (is_open(type.shape))
    return fail(Errc::type, "the file has bytes alone, and the model leaves the shape of the input open", array.origin, "--input-shape x=1x3x32x32");
  TIEBREAK_TRY(elements, element_count(type.shape));
  const std::size_t each = static_cast<std::size_t>(elements) * static_cast<std::size_t>(type.element.storage_bytes());
  if (each == 0 || array.raw.size() % each != 0)
    return fail(
        Errc::type,
        "the file has " + std::to_string(array.raw.size()) + " bytes, which is no multiple of the input's (" + to_text(type) + ") " + std::to_string(each),
        array.origin);
  return array.raw.size() / each;
}

Result<Tensor> row_of(const ArrayOfFile& array, const TensorType& type, std::size_t rows, std::size_t row) {
  TensorType closed = type;
  const std::optional<Shape> found = shape_of(array);
  if (found) {
    TIEBREAK_TRY(shape, row_shape(*found, type, array.origin));
    closed.shape = shape;
  }
  if (rows == 1) return tensor_of(array, closed);
  const std::size_t length = bytes_of(array) / rows;
  const auto* first = (array.tensor ? array.tensor->bytes().data() : array.raw.data()) + row * length;
  ArrayOfFile cut{.name = array.name, .origin = array.origin + "[" + std::to_string(row) + "]", .stated = array.stated};
  if (array.tensor) {
    TIEBREAK_TRY(tensor, Tensor::from_bytes({array.tensor->element(), closed.shape}, {first, first + length}, cut.origin));
    cut.tensor = std::move(tensor);
  } else {
    cut.raw.assign(first, first + length);
    if (found) cut.shape = closed.shape;
  }
  return tensor_of(cut, closed);
}

}  // namespace tiebreak
