// SPDX-License-Identifier: Apache-2.0
// What the structures of data movement share: cells that are the elements of the result, numbers that steer a move, checks of the stated shape.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/movement/movements.hpp"

namespace tiebreak::structure {

/// Numbers beyond this are beyond every tensor.
constexpr std::int64_t far_index = std::int64_t{1} << 40;

/// An element of an index tensor; what is beyond every tensor comes back as +-far_index.
std::int64_t near_index(const Tensor& indices, std::int64_t element);

/// The numbers that steer a move: an attribute of this name, or the elements of the operand of this name (the dynamic ops). Of each at most far_index.
Result<Shape> steering(const StructureRequest& request, const std::string& name);
/// The same, of `count` numbers.
Result<Shape> steering(const StructureRequest& request, const std::string& name, std::size_t count, const std::string& label);
/// The same of the operand at `position` of the structure line.
Result<Shape> steering_argument(const StructureRequest& request, std::size_t position, std::size_t count, const std::string& label);

/// The numbers of the operand at `position` of the structure line, else of the attribute; nothing where neither is there. ONNX has moved many from one to the
/// other.
Result<std::optional<Shape>> steered(const StructureRequest& request, std::size_t position, const std::string& attribute);
/// Axes from the front, each once.
Result<std::set<std::size_t>> axes_from_front(const StructureRequest& request, const Shape& axes, std::size_t rank);
/// The attribute `axis`, from the front; `fallback` where it is absent.
Result<std::size_t> axis_from_front(const StructureRequest& request, std::int64_t fallback, std::size_t rank);

/// The result's shape as stated; a negative dimension is not known.
Result<Shape> stated_shape(const StructureRequest& request);
/// The stated shape, if there is one, is this one.
Status check_stated_shape(const StructureRequest& request, const Shape& shape, const std::string& label);

/// Cells are the elements of a result of this shape; operands that no formula reads get an access.
Result<Geometry> cells_of_result(const StructureRequest& request, const Shape& shape);

/// The elements of the operand in row-major order under another shape.
Result<Geometry> reshaped(const StructureRequest& request, const StructureOperand& operand, const Shape& wanted);

/// Dimension d of the result is dimension permutation[d] of the operand.
Result<Geometry> transposed(const StructureRequest& request, const StructureOperand& operand, const Shape& permutation);

/// The operand's places from `first` on, `length` of them along the axis.
Result<Geometry> part_along(const StructureRequest& request, const StructureOperand& operand, std::size_t axis, std::int64_t first, std::int64_t length);

/// An end of a slice, counted from the front and brought inside: with a stride below 0 one place before the first is the end.
std::int64_t slice_bound(std::int64_t index, std::int64_t extent, std::int64_t stride);
/// How many places there are from `first` to `last`, which is left out; 0 where `last` does not lie ahead.
std::int64_t slice_length(std::int64_t first, std::int64_t last, std::int64_t stride);

/// Where each start is brought so that a slice of this size lies inside.
std::int64_t clamped_start(std::int64_t start, std::int64_t size, std::int64_t slice);

/// start_indices of dynamic_slice and dynamic_update_slice: one scalar a dimension, clamped.
Result<Shape> scalar_starts(const StructureRequest& request, const Shape& operand, const Shape& slice, const std::string& count_label,
                            const std::string& type_label);

/// A dimension that is resized as ONNX has it: `scale` is exact, as given or as a quotient of lengths, `first` and `last` are those of roi.
struct ResizedAxis {
  std::size_t dimension;  ///< of the operand and of the result
  std::int64_t length, resized = 0;
  Real scale{}, first = Real(0), last = Real(1);
  std::int64_t changing = 0;  ///< the first dimension of all whose scale is not 1; the rank where no length changes
  /// What formulas of the structure line see of a place of the result.
  std::map<std::string, Real> names(std::int64_t place) const;
};
/// Of the arguments (x, roi, scales, sizes), (x, scales) and (x, roi, scales, sizes, axes), x having this shape; `extent` of the line says how long they
/// become.
Result<std::vector<ResizedAxis>> resized_axes(const StructureRequest& request, const Shape& shape);

}  // namespace tiebreak::structure
