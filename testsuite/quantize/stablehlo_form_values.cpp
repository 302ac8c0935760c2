// SPDX-License-Identifier: Apache-2.0
// Values of one form of a StableHLO program. The integer form has quantized types, the others floats and uniform_quantize and uniform_dequantize.
#include "testsuite/quantize/stablehlo_form_writer.hpp"

namespace tiebreak {

ValueId StablehloFormWriter::typed(const std::string& op, const std::string& name, std::vector<ValueId> operands, const TensorType& type,
                                   AttributeMap attributes) {
  const ValueId made = out_.add(op, name, std::move(operands), std::move(attributes));
  out_.value(made).type = type;
  return made;
}

ValueId StablehloFormWriter::splat(const std::string& name, const Real& value, const Shape& shape) {
  Tensor tensor = *Tensor::zeros({f32_type(), shape, {}});
  const Tensor one = f32_tensor({value}, {});
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, one.code(0));
  return out_.constant(name, tensor);
}

TensorType StablehloFormWriter::carried(const QuantizedType& type, const Shape& shape) const {
  return is(Form::simulated) ? TensorType{f32_type(), shape, {}} : TensorType{type.storage, shape, type};
}

/// In the order of StableHLO's text, which rounds after the zero point is added: another tie at odd zero points than round and add.
ValueId StablehloFormWriter::quantize(const std::string& stem, ValueId real, const QuantizedType& type, const Shape& shape) {
  if (!is(Form::simulated)) return typed("stablehlo.uniform_quantize", stem + ".q", {real}, carried(type, shape));
  const TensorType f32{f32_type(), shape, {}};
  ValueId value = typed("stablehlo.divide", stem + ".q.divided", {real, splat(stem + ".scale", type.scales[0].value, shape)}, f32);
  if (has_zero_point(type)) value = typed("stablehlo.add", stem + ".q.moved", {value, splat(stem + ".zero_point", type.zero_points[0].value, shape)}, f32);
  value = typed("stablehlo.round_nearest_even", stem + ".q.rounded", {value}, f32);
  return typed("stablehlo.clamp", stem + ".q", {splat(stem + ".least", type.storage_min, {}), value, splat(stem + ".greatest", type.storage_max, {})}, f32);
}

ValueId StablehloFormWriter::dequantize(const std::string& result, const std::string& stem, ValueId codes, const QuantizedType& type, const Shape& shape) {
  const TensorType f32{f32_type(), shape, {}};
  if (!is(Form::simulated)) return typed("stablehlo.uniform_dequantize", result, {codes}, f32);
  if (has_zero_point(type)) codes = typed("stablehlo.subtract", result + ".whole", {codes, splat(stem + ".zero_point", type.zero_points[0].value, shape)}, f32);
  return typed("stablehlo.multiply", result, {codes, splat(stem + ".scale", type.scales[0].value, shape)}, f32);
}

/// By the page of uniform_quantize.
Result<ValueId> StablehloFormWriter::constant_codes(const std::string& name, const Tensor& constant, const QuantizedType& type) {
  const TensorType wanted{type.storage, constant.shape(), type};
  OpCall call{.op = "stablehlo.uniform_quantize", .operands = {constant}, .result_types = {wanted}, .where = program_.file + ": '" + name + "'"};
  TIEBREAK_TRY(results, evaluate(semantics_, call));
  if (!results[0].undefined.empty()) return fail(Errc::constraint, "the profile leaves a code of this constant open", call.where);
  if (!is(Form::simulated)) return out_.constant(name + ".q", results[0].tensor);
  std::vector<Real> numbers;
  for (std::int64_t i = 0; i < results[0].tensor.size(); ++i) numbers.push_back(results[0].tensor.value(i));
  return out_.constant(name + ".q", f32_tensor(numbers, constant.shape()));
}

Result<ValueId> StablehloFormWriter::codes(ValueId id) {
  if (written(id).codes >= 0) return written(id).codes;
  if (source(id).constant && !is(Form::fake)) {
    TIEBREAK_TRY(made, constant_codes(name(id), *source(id).constant, *type(id)));
    written(id).codes = made;
    return made;
  }
  TIEBREAK_TRY(value, real(id));
  written(id).codes = quantize(name(id), value, *type(id), shape_of(id));
  return written(id).codes;
}

}  // namespace tiebreak
