// SPDX-License-Identifier: Apache-2.0
// Shapes and types of tensors, quantized types included: per tensor, per axis and sub-channel (blocked along several axes).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {

using Shape = std::vector<std::int64_t>;
/// The extent of a dimension that only the values tell (`?` in MLIR). Types of programs may have it, tensors never.
inline constexpr std::int64_t open_dimension = -1;

/// Product of the dimensions, or an error beyond 2^31 elements or with a negative dimension (the limits of docs/programs.md).
Result<std::int64_t> element_count(const Shape& shape);
std::string to_text(const Shape& shape);  ///< [2, 3]
bool is_open(const Shape& shape);         ///< some dimension is not known

struct Scale {
  Real value;
};
struct ZeroPoint {
  Real value;
};
/// One quantized dimension: parameters change every `block` positions along `axis` (block 1: per axis).
struct QuantizedDimension {
  int axis = 0;
  std::int64_t block = 1;
  bool operator==(const QuantizedDimension&) const = default;
};

/// value = (code - zero_point) * scale. Parameters are row-major over the quantized dimensions, in order.
struct QuantizedType {
  ElementType storage;
  Real storage_min;
  Real storage_max;
  ElementType expressed;
  std::vector<QuantizedDimension> dimensions;  ///< empty: per tensor
  Shape parameter_shape;                       ///< one extent per quantized dimension
  std::vector<Scale> scales;
  std::vector<ZeroPoint> zero_points;
  bool is_per_tensor() const { return dimensions.empty(); }
};

/// Which of the parameters, row-major over the quantized dimensions, an element of a row-major tensor has. An axis that the
/// tensor lacks counts as one of extent 1.
std::size_t parameter_place(std::int64_t element, const Shape& shape, const std::vector<QuantizedDimension>& dimensions, const Shape& parameter_shape);

struct TensorType {
  ElementType element;  ///< storage type when quantized
  Shape shape;
  std::optional<QuantizedType> quantized{};
};

/// Checks C1..C13 of the quantized type (finite positive scales of the expressed type, zero points in the storage range, counts,
/// axes, divisibility of blocks). The message names the constraint.
Status check_quantized_type(const QuantizedType& type, const Shape& shape, const std::string& where);
/// MLIR spelling: tensor<2x3x!quant.uniform<i8:f32, 0.1:3>>.
std::string to_text(const TensorType& type);
/// MLIR spelling of the element alone: i8, !quant.uniform<i8:f32, 0.1:3>.
std::string element_text(const TensorType& type);
/// A scale as text that reads back to the same value: shortest decimal where it is a double, else a hex float or a fraction.
std::string scale_text(const Real& scale);
/// Same element and quantized parameters; shape compared too.
bool same_type(const TensorType& a, const TensorType& b);

}  // namespace tiebreak
