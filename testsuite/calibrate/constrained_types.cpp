// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/constrained_types.hpp"

namespace tiebreak {
namespace {

Result<Tensor> f64_tensor(const std::vector<Real>& values, Shape shape, const std::string& where) {
  const ElementType element = *ElementType::parse("f64");
  TIEBREAK_TRY(tensor, Tensor::zeros({.element = element, .shape = std::move(shape)}));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto code = element.encode(Real::from_double(values[i].to_double()));
    if (!code) return fail(Errc::type, values[i].to_decimal() + " is no scale", where);
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  return std::move(tensor);
}

Result<std::vector<ResultTensor>> call_page(const Semantics& semantics, const char* op, std::vector<std::optional<Tensor>> operands, AttributeMap attributes,
                                            const std::string& where) {
  TIEBREAK_TRY(results, evaluate(semantics, OpCall{.op = op, .operands = std::move(operands), .attributes = std::move(attributes), .where = where}));
  for (const ResultTensor& result : results)
    if (!result.undefined.empty()) return fail(Errc::type, std::string(op) + ": " + result.name + " is undefined", where);
  return results;
}

std::vector<Real> scales_of(const QuantizedType& type) {
  std::vector<Real> scales;
  for (const Scale& scale : type.scales) scales.push_back(scale.value);
  return scales;
}

/// One number of a bias, or all of it.
Result<Tensor> part_of(const Tensor& bias, std::size_t place, std::size_t count) {
  if (count == 1) return bias;
  TIEBREAK_TRY(part, Tensor::zeros({.element = bias.element(), .shape = {1}}));
  part.set_code(0, bias.code(static_cast<std::int64_t>(place)));
  return std::move(part);
}

}  // namespace

QuantizedType accumulator_type(const ElementType& expressed, const std::vector<Real>& scales, bool per_axis) {
  const ElementType i32 = IntegerFormat{true, 32};
  QuantizedType type{i32, i32.min(), i32.max(), expressed, {}, {}, {}, {}};
  if (per_axis) {
    type.dimensions = {{0, 1}};
    type.parameter_shape = {static_cast<std::int64_t>(scales.size())};
  }
  for (const Real& scale : scales) {
    type.scales.push_back({scale});
    type.zero_points.push_back({Real(0)});
  }
  return type;
}

Result<QuantizedType> product_type(const Semantics& semantics, const QuantizedType& x, const QuantizedType& w, const std::string& where) {
  if (!x.is_per_tensor()) return fail(Errc::unsupported, "the first operand of the product has a scale for each channel", where);
  const bool per_axis = !w.is_per_tensor();
  const auto count = static_cast<std::int64_t>(w.scales.size());
  TIEBREAK_TRY(zeros, Tensor::zeros({.element = *ElementType::parse("f32"), .shape = {count}}));
  TIEBREAK_TRY(x_scale, f64_tensor(scales_of(x), {}, where));
  TIEBREAK_TRY(w_scale, f64_tensor(scales_of(w), per_axis ? Shape{count} : Shape{}, where));
  AttributeMap attributes;
  if (per_axis) attributes["axis"] = Attribute{Real(0)};
  TIEBREAK_TRY(results, call_page(semantics, "quant.bias", {zeros, x_scale, w_scale}, std::move(attributes), where));
  std::vector<Real> scales;
  for (std::int64_t i = 0; i < count; ++i) {
    scales.push_back(results[1].tensor.value(results[1].tensor.size() == 1 ? 0 : i));
    if (scales.back().sign() <= 0) return fail(Errc::type, "the product of the scales is zero", where);
  }
  return accumulator_type(w.expressed, scales, per_axis);
}

Result<QuantizedType> fixed_type(const Semantics& semantics, const std::string& function, const ElementType& storage, const ElementType& expressed,
                                 const std::string& where) {
  TIEBREAK_TRY(zero, Tensor::zeros({.element = *ElementType::parse("f32"), .shape = {}}));
  AttributeMap attributes{{"function", Attribute{function}}, {"storage", Attribute{storage}}};
  TIEBREAK_TRY(results, call_page(semantics, "quant.fixed_range", {zero}, std::move(attributes), where));
  return QuantizedType{storage, storage.min(), storage.max(), expressed, {}, {}, {{results[0].tensor.value(0)}}, {{results[1].tensor.value(0)}}};
}

Result<LimitedBias> limited_bias(const Semantics& semantics, const Tensor& bias, const QuantizedType& x, const QuantizedType& w, std::int64_t limit,
                                 const std::string& where) {
  TIEBREAK_TRY(product, product_type(semantics, x, w, where));
  LimitedBias limited{std::move(product), w};
  const std::size_t count = w.scales.size();
  if (bias.size() == 0 || (count > 1 && static_cast<std::size_t>(bias.size()) != count)) return limited;
  TIEBREAK_TRY(x_scale, f64_tensor({x.scales.front().value}, {}, where));
  for (std::size_t i = 0; i < count; ++i) {
    TIEBREAK_TRY(part, part_of(bias, i, count));
    TIEBREAK_TRY(w_scale, f64_tensor({w.scales[i].value}, {}, where));
    AttributeMap attributes{{"limit", Attribute{Real(limit)}}, {"per_axis", Attribute{Real(w.is_per_tensor() ? 0 : 1)}}};
    TIEBREAK_TRY(results, call_page(semantics, "quant.bias_limit", {part, x_scale, w_scale}, std::move(attributes), where));
    if (results[1].tensor.value(0) == w_scale.value(0)) continue;
    limited.grew = true;
    limited.bias.scales[i] = {results[0].tensor.value(0)};
    limited.weights.scales[i] = {results[1].tensor.value(0)};
  }
  return limited;
}

Result<std::vector<std::int64_t>> codes_less_zero_points(const Semantics& semantics, const Tensor& constant, const QuantizedType& type,
                                                         const std::string& where) {
  TIEBREAK_TRY(scale, f64_tensor(scales_of(type), type.parameter_shape, where));
  TIEBREAK_TRY(zero_point, Tensor::zeros({.element = *ElementType::parse("i32"), .shape = type.parameter_shape}));
  for (std::size_t i = 0; i < type.zero_points.size(); ++i)
    zero_point.set_code(static_cast<std::int64_t>(i), zero_point.element().encode(type.zero_points[i].value).value_or(0));
  AttributeMap attributes{{"output_dtype", Attribute{type.storage}}, {"least", Attribute{type.storage_min}}};
  const int axis = type.is_per_tensor() ? -1 : type.dimensions.front().axis;
  if (axis >= 0) attributes["axis"] = Attribute{Real(axis)};
  TIEBREAK_TRY(results, call_page(semantics, "quant.quantize", {constant, scale, zero_point}, std::move(attributes), where));
  std::int64_t inner = 1;
  for (std::size_t d = static_cast<std::size_t>(axis) + 1; axis >= 0 && d < constant.shape().size(); ++d) inner *= constant.shape()[d];
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < constant.size(); ++i) {
    const std::size_t place = axis < 0 ? 0 : static_cast<std::size_t>(i / inner % constant.shape()[static_cast<std::size_t>(axis)]);
    values.push_back(*(results[0].tensor.value(i) - type.zero_points[place].value).to_int64());
  }
  return values;
}

}  // namespace tiebreak
