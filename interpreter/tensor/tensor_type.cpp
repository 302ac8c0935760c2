// SPDX-License-Identifier: Apache-2.0
// Shapes, and the text and comparison of tensor types.
#include "interpreter/tensor/tensor_type.hpp"

#include <algorithm>
#include <charconv>

namespace tiebreak {
namespace {

constexpr std::int64_t element_limit = std::int64_t{1} << 31;
constexpr std::size_t rank_limit = 64;

std::string extent_text(std::int64_t extent) { return extent == open_dimension ? "?" : std::to_string(extent); }

std::string storage_text(const QuantizedType& type) {
  std::string text = type.storage.mlir_name();
  if (text.starts_with("ui")) text.erase(1, 1);
  if (!type.storage_min.identical(type.storage.min()) || !type.storage_max.identical(type.storage.max())) {
    text += "<" + type.storage_min.to_string() + ":" + type.storage_max.to_string() + ">";
  }
  return text;
}

std::string parameter_text(const QuantizedType& type, std::size_t index) {
  std::string text = index < type.scales.size() ? scale_text(type.scales[index].value) : "?";
  if (index < type.zero_points.size() && !type.zero_points[index].value.is_zero()) {
    text += ":" + type.zero_points[index].value.to_string();
  }
  return text;
}

/// Braces around every extent of the parameters, row-major: {{2.0:10, 3.0}, {..}}.
std::string braced(const QuantizedType& type) {
  const std::size_t rank = type.parameter_shape.size();
  std::string text(rank, '{');
  for (std::size_t index = 0; index < type.scales.size(); ++index) {
    if (index > 0) {
      std::size_t closed = 0;  // how many inner extents end before this parameter
      auto rest = static_cast<std::int64_t>(index);
      while (closed + 1 < rank) {
        const std::int64_t extent = type.parameter_shape[rank - 1 - closed];
        if (extent <= 0 || rest % extent != 0) break;
        rest /= extent;
        ++closed;
      }
      text += std::string(closed, '}') + ", " + std::string(closed, '{');
    }
    text += parameter_text(type, index);
  }
  return text + std::string(rank, '}');
}

bool is_per_axis(const QuantizedType& type) { return type.dimensions.size() == 1 && type.dimensions[0].block == 1; }

std::string quantized_text(const QuantizedType& type) {
  if (type.is_per_tensor() && type.scales.empty()) return "!quant.any<" + storage_text(type) + ":" + type.expressed.mlir_name() + ">";
  std::string text = "!quant.uniform<" + storage_text(type) + ":" + type.expressed.mlir_name();
  if (type.is_per_tensor()) return text + ", " + parameter_text(type, 0) + ">";
  if (is_per_axis(type)) {
    text += ":" + std::to_string(type.dimensions[0].axis);
  } else {
    text += ":{";
    for (std::size_t i = 0; i < type.dimensions.size(); ++i) {
      text += (i ? ", " : "") + std::to_string(type.dimensions[i].axis) + ":" + std::to_string(type.dimensions[i].block);
    }
    text += "}";
  }
  return text + ", " + braced(type) + ">";
}

bool same_parameters(const QuantizedType& a, const QuantizedType& b) {
  if (a.scales.size() != b.scales.size() || a.zero_points.size() != b.zero_points.size()) return false;
  for (std::size_t i = 0; i < a.scales.size(); ++i) {
    if (!a.scales[i].value.identical(b.scales[i].value)) return false;
  }
  for (std::size_t i = 0; i < a.zero_points.size(); ++i) {
    if (!(a.zero_points[i].value == b.zero_points[i].value)) return false;
  }
  return true;
}

}  // namespace

Result<std::int64_t> element_count(const Shape& shape) {
  if (shape.size() > rank_limit) {
    return fail(Errc::limit, "rank " + std::to_string(shape.size()) + " is beyond the limit of " + std::to_string(rank_limit));
  }
  std::int64_t product = 1;  // of the dimensions that are not zero: strides stay in range, too
  bool empty = false;
  for (std::int64_t dimension : shape) {
    if (dimension == open_dimension) return fail(Errc::type, "a dimension of the shape " + to_text(shape) + " is not known");
    if (dimension < 0) return fail(Errc::type, "negative dimension " + std::to_string(dimension) + " in shape " + to_text(shape));
    if (dimension == 0) {
      empty = true;
      continue;
    }
    if (dimension > element_limit / product) {
      return fail(Errc::limit, "shape " + to_text(shape) + " has more than 2^31 elements");
    }
    product *= dimension;
  }
  return empty ? 0 : product;
}

bool is_open(const Shape& shape) { return std::find(shape.begin(), shape.end(), open_dimension) != shape.end(); }

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + extent_text(shape[i]);
  return text + "]";
}

std::string scale_text(const Real& scale) {
  if (!scale.is_finite()) return scale.to_string();
  const double nearest_double = scale.to_double();
  if (!Real::from_double(nearest_double).identical(scale)) return scale.to_hex_float();
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, nearest_double).ptr;
  std::string text(buffer, end);
  if (text.find('.') == std::string::npos) {  // MLIR wants a point in every float literal
    const std::size_t exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}

std::string element_text(const TensorType& type) { return type.quantized ? quantized_text(*type.quantized) : type.element.mlir_name(); }

std::string to_text(const TensorType& type) {
  std::string text = "tensor<";
  for (std::int64_t dimension : type.shape) text += extent_text(dimension) + "x";
  return text + element_text(type) + ">";
}

bool same_type(const TensorType& a, const TensorType& b) {
  if (!(a.element == b.element) || a.shape != b.shape || a.quantized.has_value() != b.quantized.has_value()) return false;
  if (!a.quantized) return true;
  const QuantizedType& left = *a.quantized;
  const QuantizedType& right = *b.quantized;
  return left.storage == right.storage && left.storage_min == right.storage_min && left.storage_max == right.storage_max && left.expressed == right.expressed &&
         left.dimensions == right.dimensions && left.parameter_shape == right.parameter_shape && same_parameters(left, right);
}

}  // namespace tiebreak
