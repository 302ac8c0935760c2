// SPDX-License-Identifier: Apache-2.0
// The constraints C1..C13 of a quantized element type, extended to blocks along several axes.
// C1, C2 storage range is of the storage type · C3 its order · C4 expressed type · C5 scales positive · C6 scales finite ·
// C7 zero points in the storage range · C8 zero points of the storage type · C9 as many zero points as scales ·
// C10 one scale per tensor, or none at all: !quant.any, whose parameters are not known · C11, C12 axis within the rank · C13 as many scales as slices (or
// blocks).
#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {
namespace {

std::string number(const Real& v) { return scale_text(v); }

Status check_storage(const QuantizedType& type, const std::string& where) {
  if (!type.storage.is_integer()) {
    return fail(Errc::constraint, "C1: storage type must be an integer type, got " + type.storage.name(), where);
  }
  if (!type.storage_min.is_whole()) {
    return fail(Errc::constraint, "C1: storage minimum must be a " + type.storage.name() + ", got " + type.storage_min.to_string(), where);
  }
  if (!type.storage_max.is_whole()) {
    return fail(Errc::constraint, "C2: storage maximum must be a " + type.storage.name() + ", got " + type.storage_max.to_string(), where);
  }
  const bool ordered = type.storage.min() <= type.storage_min && type.storage_min < type.storage_max && type.storage_max <= type.storage.max();
  if (!ordered) {
    return fail(Errc::constraint,
                "C3: storage range " + type.storage_min.to_string() + ":" + type.storage_max.to_string() + " must be ascending and lie within " +
                    type.storage.min().to_string() + ":" + type.storage.max().to_string() + " of " + type.storage.name(),
                where);
  }
  if (!type.expressed.is_float()) {
    return fail(Errc::constraint, "C4: expressed type must be a float type, got " + type.expressed.name(), where);
  }
  return {};
}

/// A scale is kept as it was written; what the formulas use is its rounding to the expressed type, so that one is judged, too.
Status check_scale(const Real& scale, const ElementType& expressed, const std::string& where) {
  if (!scale.is_finite()) return fail(Errc::constraint, "C6: scale must be positive and finite, got " + scale.to_string(), where);
  if (scale.sign() <= 0) return fail(Errc::constraint, "C5: scale must be positive and finite, got " + scale.to_string(), where);
  const FloatFormat& format = expressed.floating();
  if (scale < format.smallest() && !format.is_signed()) {
    return fail(Errc::constraint, "C5: scale " + number(scale) + " is below the least " + expressed.name(), where);
  }
  const std::optional<Real> rounded = round_to(scale, format);
  if (!rounded || !rounded->is_finite()) {
    return fail(Errc::constraint, "C6: scale " + number(scale) + " is not finite as " + expressed.name(), where);
  }
  if (rounded->sign() <= 0) return fail(Errc::constraint, "C5: scale " + number(scale) + " is zero as " + expressed.name(), where);
  return {};
}

Status check_parameters(const QuantizedType& type, const std::string& where) {
  for (const Scale& scale : type.scales) TIEBREAK_CHECK(check_scale(scale.value, type.expressed, where));
  for (const ZeroPoint& zero_point : type.zero_points) {
    if (!zero_point.value.is_whole()) {
      return fail(Errc::constraint, "C8: zero point must be a " + type.storage.name() + ", got " + zero_point.value.to_string(), where);
    }
    if (zero_point.value < type.storage_min || zero_point.value > type.storage_max) {
      return fail(Errc::constraint,
                  "C7: zero point " + zero_point.value.to_string() + " is outside the storage range " + type.storage_min.to_string() + ":" +
                      type.storage_max.to_string(),
                  where);
    }
  }
  if (type.zero_points.size() != type.scales.size()) {
    return fail(Errc::constraint, "C9: " + std::to_string(type.zero_points.size()) + " zero points for " + std::to_string(type.scales.size()) + " scales",
                where);
  }
  return {};
}

Status check_dimension(const QuantizedType& type, std::size_t index, const Shape& shape, const std::string& where) {
  const QuantizedDimension& dimension = type.dimensions[index];
  const std::string axis = "quantization dimension " + std::to_string(dimension.axis);
  if (dimension.axis < 0) return fail(Errc::constraint, "C11: " + axis + " is negative", where);
  if (static_cast<std::size_t>(dimension.axis) >= shape.size()) {
    return fail(Errc::constraint, "C12: " + axis + " is not below the rank " + std::to_string(shape.size()), where);
  }
  for (std::size_t other = 0; other < index; ++other) {
    if (type.dimensions[other].axis == dimension.axis) return fail(Errc::constraint, "C12: " + axis + " stands twice", where);
  }
  const std::int64_t extent = shape[static_cast<std::size_t>(dimension.axis)];
  if (extent == open_dimension && dimension.block >= 1) return {};
  if (dimension.block < 1 || extent % dimension.block != 0) {
    return fail(Errc::constraint, "C13: block size " + std::to_string(dimension.block) + " does not divide the size " + std::to_string(extent) + " of " + axis,
                where);
  }
  if (type.parameter_shape[index] != extent / dimension.block) {
    return fail(Errc::constraint,
                "C13: " + std::to_string(type.parameter_shape[index]) + " scales along " + axis + ", which has " + std::to_string(extent / dimension.block) +
                    (dimension.block == 1 ? " slices" : " blocks"),
                where);
  }
  return {};
}

}  // namespace

Status check_quantized_type(const QuantizedType& type, const Shape& shape, const std::string& where) {
  TIEBREAK_CHECK(check_storage(type, where));
  if (type.is_per_tensor() && type.scales.empty() && type.zero_points.empty()) return {};
  TIEBREAK_CHECK(check_parameters(type, where));
  if (type.is_per_tensor()) {
    if (type.scales.size() != 1) {
      return fail(Errc::constraint, "C10: a type without quantization dimension has one scale, got " + std::to_string(type.scales.size()), where);
    }
    return {};
  }
  if (type.parameter_shape.size() != type.dimensions.size()) {
    return fail(Errc::constraint,
                "C13: parameters of rank " + std::to_string(type.parameter_shape.size()) + " for " + std::to_string(type.dimensions.size()) +
                    " quantization dimensions",
                where);
  }
  for (std::size_t index = 0; index < type.dimensions.size(); ++index) TIEBREAK_CHECK(check_dimension(type, index, shape, where));
  auto count = element_count(type.parameter_shape);
  if (!count) return fail(count.error().code, "C13: " + count.error().what, where);
  if (static_cast<std::uint64_t>(*count) != type.scales.size()) {
    return fail(Errc::constraint, "C13: " + std::to_string(type.scales.size()) + " scales for parameters of shape " + to_text(type.parameter_shape), where);
  }
  return {};
}

std::size_t parameter_place(std::int64_t element, const Shape& shape, const std::vector<QuantizedDimension>& dimensions, const Shape& parameter_shape) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    at[d] = element % shape[d];
    element /= shape[d];
  }
  std::int64_t place = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const auto axis = static_cast<std::size_t>(dimensions[d].axis);
    place = place * parameter_shape[d] + (axis < at.size() ? at[axis] / dimensions[d].block : 0);
  }
  return static_cast<std::size_t>(place);
}

}  // namespace tiebreak
