// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/page_values.hpp"

#include <algorithm>

#include "interpreter/exact/machine_formats.hpp"

namespace tiebreak {
namespace {

/// A number in the element's format, rounded as the interpreter rounds a written scale.
std::uint64_t code_in(const Real& value, const ElementType& element) {
  if (const auto code = element.encode(value)) return *code;
  const auto rounded = element.is_float() ? round_to(value, element.floating()) : std::nullopt;
  return rounded ? element.encode(*rounded).value_or(0) : 0;
}

Tensor tensor_of(const std::vector<Real>& values, const ElementType& element, Shape shape) {
  Tensor tensor = *Tensor::zeros({element, std::move(shape), {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, code_in(values[static_cast<std::size_t>(i)], element));
  return tensor;
}

Result<std::vector<ResultTensor>> call_page(const Semantics& semantics, const char* op, std::vector<std::optional<Tensor>> operands, AttributeMap attributes,
                                            const std::string& where) {
  return evaluate(semantics, OpCall{.op = op, .operands = std::move(operands), .attributes = std::move(attributes), .where = where});
}

}  // namespace

ElementType f32_type() { return *ElementType::parse("f32"); }
Tensor f32_tensor(const std::vector<Real>& values, Shape shape) { return tensor_of(values, f32_type(), std::move(shape)); }

Tensor whole_tensor(const std::vector<std::int64_t>& values, const ElementType& element, Shape shape) {
  return tensor_of(std::vector<Real>(values.begin(), values.end()), element, std::move(shape));
}

Tensor list_tensor(const std::vector<std::int64_t>& values) {
  return whole_tensor(values, IntegerFormat{true, 64}, {static_cast<std::int64_t>(values.size())});
}

bool has_zero_point(const QuantizedType& type) {
  return std::ranges::any_of(type.zero_points, [](const ZeroPoint& zero_point) { return !zero_point.value.is_zero(); });
}

Tensor scale_tensor(const QuantizedType& type) {
  std::vector<Real> values;
  for (const Scale& scale : type.scales) values.push_back(scale.value);
  return f32_tensor(values, type.parameter_shape);
}

Tensor zero_point_tensor(const QuantizedType& type, const ElementType& element) {
  std::vector<Real> values;
  for (const ZeroPoint& zero_point : type.zero_points) values.push_back(zero_point.value);
  return tensor_of(values, element, type.parameter_shape);
}

QuantizedType with_f32_scales(QuantizedType type) {
  for (Scale& scale : type.scales) scale = {f32_type().decode(code_in(scale.value, f32_type()))};
  return type;
}

Result<QuantizedType> derive_parameters(const Semantics& semantics, const Range& range, const CodeFormat& format, const std::string& where) {
  TIEBREAK_TRY(type, type_of_ranges(semantics, {Provided{.range = {{range.low, range.high}}}}, f32_type(), format, {}, where));
  return with_f32_scales(std::move(type));
}

Result<QuantizedType> parameters_of_constant(const Semantics& semantics, const Tensor& constant, const CodeFormat& format,
                                             std::vector<QuantizedDimension> dimensions, const std::string& where) {
  Shape parameter_shape;
  std::int64_t slices = 1;
  for (QuantizedDimension& dimension : dimensions) {
    const std::int64_t extent = constant.shape()[static_cast<std::size_t>(dimension.axis)];
    if (dimension.block > 1 && extent % dimension.block != 0)
      return fail(Errc::constraint, "blocks of " + std::to_string(dimension.block) + " do not divide an axis of " + std::to_string(extent), where,
                  "another 'block' in the recipe, or granularity axis");
    parameter_shape.push_back(extent / dimension.block);
    slices *= parameter_shape.back();
  }
  if (constant.size() == 0) return fail(Errc::constraint, "a constant without elements has no range", where);
  std::vector<Range> ranges(static_cast<std::size_t>(slices), {Real::infinity(), Real::infinity(true)});
  for (std::int64_t i = 0; i < constant.size(); ++i) {
    const Real value = constant.value(i);
    if (!value.is_finite()) return fail(Errc::constraint, "the constant has an element that is not finite, at " + std::to_string(i), where);
    const std::size_t slice = parameter_place(i, constant.shape(), dimensions, parameter_shape);
    if (value < ranges[slice].low) ranges[slice].low = value;
    if (value > ranges[slice].high) ranges[slice].high = value;
  }
  std::vector<Provided> provided;
  for (const Range& range : ranges) provided.push_back({.range = {{range.low, range.high}}, .parameters = {}});
  TIEBREAK_TRY(type, type_of_ranges(semantics, provided, f32_type(), format, {std::move(dimensions), std::move(parameter_shape)}, where));
  return with_f32_scales(std::move(type));
}

Result<Tensor> codes_of_constant(const Semantics& semantics, const Tensor& constant, const QuantizedType& type, const std::string& where) {
  AttributeMap attributes;
  Tensor scale = scale_tensor(type), zero_point = zero_point_tensor(type, type.storage);
  for (std::size_t d = 0; d < type.dimensions.size(); ++d) {
    attributes["axis"] = Attribute{Real(type.dimensions[d].axis)};
    if (type.dimensions[d].block <= 1) continue;
    attributes["block_size"] = Attribute{Real(type.dimensions[d].block)};
    break;
  }
  TIEBREAK_TRY(results, call_page(semantics, "onnx.QuantizeLinear", {constant, scale, zero_point}, attributes, where));
  if (!results[0].undefined.empty()) return fail(Errc::constraint, "the profile leaves a code of this constant open", where);
  return std::move(results[0].tensor);
}

Result<BiasCodes> bias_codes(const Semantics& semantics, const Tensor& bias, const QuantizedType& x, const QuantizedType& w, const std::string& where) {
  const bool per_axis = !w.is_per_tensor();
  AttributeMap attributes;
  if (per_axis) attributes["axis"] = Attribute{Real(std::max<std::int64_t>(0, static_cast<std::int64_t>(bias.shape().size()) - 1))};
  TIEBREAK_TRY(results, call_page(semantics, "quant.bias", {bias, scale_tensor(x), scale_tensor(w)}, attributes, where));
  if (!results[0].undefined.empty()) return fail(Errc::constraint, "an element of the bias has no code", where);
  TIEBREAK_TRY(scales, product_scales(semantics, x, w, where));
  return BiasCodes{std::move(results[0].tensor), std::move(scales)};
}

Result<std::vector<Real>> product_scales(const Semantics& semantics, const QuantizedType& x, const QuantizedType& w, const std::string& where) {
  const auto count = static_cast<std::int64_t>(w.scales.size());
  const Tensor zeros = f32_tensor(std::vector<Real>(w.scales.size(), Real(0)), {count});
  Tensor w_scales = scale_tensor(w);
  AttributeMap attributes;
  if (!w.is_per_tensor()) attributes["axis"] = Attribute{Real(0)};
  TIEBREAK_TRY(results, call_page(semantics, "quant.bias", {zeros, scale_tensor(x), w_scales}, attributes, where));
  std::vector<Real> scales;
  for (std::int64_t i = 0; i < count; ++i) {
    // quant.bias's second result has the shape of the scales; one per tensor stands once
    const Real scale = results[1].tensor.value(results[1].tensor.size() == 1 ? 0 : i);
    scales.push_back(f32_type().decode(code_in(scale, f32_type())));
    if (scales.back().is_zero()) return fail(Errc::constraint, "the product of the scales is zero in f32", where);
  }
  return scales;
}

}  // namespace tiebreak
