// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products of one form.
#include "testsuite/quantize/onnx_contraction.hpp"

namespace tiebreak {

Result<OnnxFormWriter::Contraction> OnnxFormWriter::open_contraction(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const OperationPlan& how = plan_.operations[index];
  Contraction c{operation,
                how,
                operation.operands[0],
                operation.operands[1],
                operation.operands.size() > 2 ? operation.operands[2] : -1,
                operation.results[0],
                operation.op == "onnx.Conv",
                false};
  const auto turned = operation.attributes.find("transB");
  c.turned = turned != operation.attributes.end() && turned->second.as_integer() == 1;
  c.w_type = how.weights ? &*how.weights : &*type(c.w);
  if (source(c.w).constant) c.w_shape = source(c.w).constant->shape();
  c.stem = name(c.y);
  if (!c.dynamic()) return c;
  TIEBREAK_TRY(x, real(c.x));
  const std::string stem = name(c.x);
  const auto made =
      out_.add_operation(Operation{"onnx.DynamicQuantizeLinear", {x}, {}, {}, 0, operation.where, {}}, {stem + ".q", stem + ".scale", stem + ".zero_point"});
  c.x_codes = made[0];
  c.x_scale = made[1];
  c.x_zero_point = made[2];
  return c;
}

Status OnnxFormWriter::contraction(std::size_t index) {
  TIEBREAK_TRY(c, open_contraction(index));
  if (in_real_space()) return contraction_in_real_space(c);
  if (c.in_blocks()) {
    notes_[c.stem] = "blocks of weights have scales of their own inside the sum";
    return contraction_in_real_space(c);
  }
  if (is(Form::simulated)) return simulated_contraction(c);
  const bool bytes = (c.dynamic() || type(c.x)->storage.bits() == 8) && (c.how.weights ? c.w_type->storage.bits() <= 8 : c.w_type->storage.bits() == 8);
  if (!bytes) {
    notes_[c.stem] = "no operator on codes that are no bytes";
    return contraction_in_real_space(c);
  }
  const bool byte_result = plan_.coded[static_cast<std::size_t>(c.y)] && type(c.y)->storage.bits() == 8;
  const bool fits = !c.dynamic() && byte_result && (c.b < 0 || c.has_bias_codes()) && type(c.y)->storage_min == type(c.y)->storage.min();
  return fits && !request_.separate_accumulators ? qlinear(c) : integer_contraction(c);
}

Result<ValueId> OnnxFormWriter::weight_codes(const Contraction& c) {
  if (!c.how.weights) {
    TIEBREAK_TRY(value, codes(c.w));
    return value;
  }
  TIEBREAK_TRY(tensor, codes_of_constant(semantics_, *source(c.w).constant, *c.w_type, c.operation.where));
  std::vector<Real> numbers;
  for (std::int64_t i = 0; i < tensor.size(); ++i) numbers.push_back(tensor.value(i));
  if (is(Form::simulated) && !c.in_blocks()) return out_.constant(name(c.w) + ".q", f32_tensor(numbers, tensor.shape()));
  if (is(Form::integer) && !c.in_blocks() && tensor.element().bits() < 8) {  // 4 bits in a byte: operators on codes take bytes
    Tensor wide = *Tensor::zeros({IntegerFormat{tensor.element().integer().is_signed, 8}, tensor.shape(), {}});
    for (std::int64_t i = 0; i < wide.size(); ++i) wide.set_code(i, *wide.element().encode(tensor.value(i)));
    tensor = std::move(wide);
  }
  return out_.constant(name(c.w) + ".q", tensor);
}

Result<ValueId> OnnxFormWriter::weights_in_real_space(const Contraction& c) {
  if (!c.how.weights) return dequantized(c.w);
  const std::string stem = name(c.w);
  AttributeMap attributes;
  for (const QuantizedDimension& dimension : c.w_type->dimensions) {
    attributes["axis"] = Attribute{Real(dimension.axis)};
    if (dimension.block <= 1) continue;
    attributes["block_size"] = Attribute{Real(dimension.block)};
    break;
  }
  const ValueId scale = scale_of(stem, *c.w_type), zero_point = zero_point_of(stem, *c.w_type, c.w_type->storage);
  ValueId code = -1;
  if (is(Form::fake)) {
    TIEBREAK_TRY(value, real(c.w));
    code = out_.add("onnx.QuantizeLinear", stem + ".q", {value, scale, zero_point}, attributes);
  } else {
    TIEBREAK_TRY(tensor, codes_of_constant(semantics_, *source(c.w).constant, *c.w_type, c.operation.where));
    code = out_.constant(stem + ".q", tensor);
  }
  return out_.add("onnx.DequantizeLinear", stem + ".dq", {code, scale, zero_point}, attributes);
}

/// The bias that stands in the accumulator, as real numbers: a constant in the fake form, codes and DequantizeLinear in the QDQ form.
Result<ValueId> OnnxFormWriter::bias_in_real_space(const Contraction& c) {
  if (!c.has_bias_codes() || c.in_blocks()) return real(c.b);
  TIEBREAK_TRY(bias, bias_codes(semantics_, *source(c.b).constant, *type(c.x), *c.w_type, c.operation.where));
  const bool alike = c.w_type->is_per_tensor();
  const Tensor scales = f32_tensor(bias.scales, alike ? Shape{} : bias.codes.shape());
  AttributeMap attributes;
  if (!alike) attributes["axis"] = Attribute{Real(0)};
  if (is(Form::fake)) {
    OpCall call{.op = "onnx.DequantizeLinear", .operands = {bias.codes, scales}, .attributes = attributes, .version = plan_.opset, .where = c.operation.where};
    TIEBREAK_TRY(results, evaluate(semantics_, call));
    return out_.constant(name(c.b) + ".dq", results[0].tensor);
  }
  return out_.add("onnx.DequantizeLinear", name(c.b) + ".dq", {out_.constant(name(c.b) + ".q", bias.codes), out_.constant(name(c.b) + ".scale", scales)},
                  attributes);
}

Status OnnxFormWriter::contraction_in_real_space(const Contraction& c) {
  Operation copy = c.operation;
  if (c.dynamic()) {
    copy.operands[0] = out_.add("onnx.DequantizeLinear", name(c.x) + ".dq", {c.x_codes, c.x_scale, c.x_zero_point});
  } else {
    TIEBREAK_TRY(x, dequantized(c.x));
    copy.operands[0] = x;
  }
  TIEBREAK_TRY(w, weights_in_real_space(c));
  copy.operands[1] = w;
  if (c.b >= 0) {
    TIEBREAK_TRY(b, bias_in_real_space(c));
    copy.operands[2] = b;
  }
  const bool coded = plan_.coded[static_cast<std::size_t>(c.y)];
  const ValueId result = out_.add_operation(copy, {coded ? c.stem + ".raw" : c.stem}).front();
  if (coded) set_raw(c.y, result);
  else set_real(c.y, result);
  return {};
}

Status OnnxFormWriter::qlinear(const Contraction& c) {
  const auto parameters = [&](const std::string& stem, const QuantizedType& used, std::vector<ValueId>& operands) {
    const ElementType bytes = IntegerFormat{used.storage.integer().is_signed, 8};
    operands.push_back(scale_of(stem, used));
    operands.push_back(zero_point_of(stem, used, bytes));
  };
  TIEBREAK_TRY(x, codes(c.x));
  TIEBREAK_TRY(w, weight_codes(c));
  std::vector<ValueId> operands{x};
  parameters(name(c.x), *type(c.x), operands);
  operands.push_back(w);
  parameters(name(c.w), *c.w_type, operands);
  ValueId bias = -1;
  if (c.b >= 0) {
    TIEBREAK_TRY(made, bias_codes(semantics_, *source(c.b).constant, *type(c.x), *c.w_type, c.operation.where));
    bias = out_.constant(name(c.b) + ".q", made.codes);
  }
  const bool gemm = c.operation.op == "onnx.Gemm";
  if (gemm) operands.push_back(bias);
  parameters(c.stem, *type(c.y), operands);
  if (c.is_conv && bias >= 0) operands.push_back(bias);
  AttributeMap attributes = c.operation.attributes;
  if (gemm) {
    attributes.erase("beta");
    attributes["alpha"] = Attribute{Real(1)};
  }
  set_codes(c.y, out_.add(c.is_conv ? "onnx.QLinearConv" : gemm ? "microsoft.QGemm" : "onnx.QLinearMatMul", c.stem + ".q", std::move(operands), attributes));
  return {};
}

/// ConvInteger or MatMulInteger, and the bias: the accumulator in 32 bits.
Status OnnxFormWriter::integer_contraction(Contraction& c) {
  const ElementType w_bytes = IntegerFormat{c.w_type->storage.integer().is_signed, 8};
  if (!c.dynamic()) {
    TIEBREAK_TRY(x, codes(c.x));
    c.x_codes = x;
    c.x_zero_point = zero_point_of(name(c.x), *type(c.x), type(c.x)->storage);
  }
  TIEBREAK_TRY(w, weight_codes(c));
  ValueId w_zero_point = zero_point_of(name(c.w), *c.w_type, w_bytes);
  if (c.turned) w = out_.add("onnx.Transpose", name(c.w) + ".q.turned", {w}, {{"perm", Attribute::integers({1, 0})}});
  const AttributeMap attributes = c.is_conv ? c.operation.attributes : AttributeMap{};
  const std::string sum = c.has_bias_codes() ? c.stem + ".dot" : c.stem + ".acc";
  ValueId accumulator = out_.add(c.is_conv ? "onnx.ConvInteger" : "onnx.MatMulInteger", sum, {c.x_codes, w, c.x_zero_point, w_zero_point}, attributes);
  if (c.has_bias_codes()) {
    TIEBREAK_TRY(bias, bias_codes(semantics_, *source(c.b).constant, *type(c.x), *c.w_type, c.operation.where));
    TIEBREAK_TRY(shaped, Tensor::from_bytes({bias.codes.element(), c.beside_result(bias.codes.size()), {}},
                                            std::vector<std::byte>(bias.codes.bytes().begin(), bias.codes.bytes().end()), c.operation.where));
    accumulator = out_.add("onnx.Add", c.stem + ".acc", {accumulator, out_.constant(name(c.b) + ".q", shaped)});
  }
  return from_accumulator(c, out_.add("onnx.Cast", c.stem + ".acc.f32", {accumulator}, {{"to", Attribute{f32_type()}}}));
}

/// The accumulator in f32, times its scale, plus a bias in real space; as codes where the result has parameters.
Status OnnxFormWriter::from_accumulator(const Contraction& c, ValueId accumulator) {
  ValueId unit = -1;
  const auto channels = static_cast<std::int64_t>(c.w_type->scales.size());
  const bool alike = c.w_type->is_per_tensor();
  if (c.dynamic()) {
    std::vector<Real> scales;
    for (const Scale& scale : c.w_type->scales) scales.push_back(scale.value);
    unit = out_.add("onnx.Mul", c.stem + ".acc.scale",
                    {c.x_scale, out_.constant(name(c.w) + ".scale", f32_tensor(scales, alike ? Shape{} : c.beside_result(channels)))});
  } else {
    TIEBREAK_TRY(scales, product_scales(semantics_, *type(c.x), *c.w_type, c.operation.where));
    unit = out_.constant(c.stem + ".acc.scale", f32_tensor(scales, alike ? Shape{} : c.beside_result(channels)));
  }
  const bool coded = plan_.coded[static_cast<std::size_t>(c.y)];
  const bool adds = c.b >= 0 && !c.has_bias_codes();
  const std::string result = coded ? c.stem + ".raw" : c.stem;
  ValueId value = out_.add("onnx.Mul", adds ? c.stem + ".scaled" : result, {accumulator, unit});
  if (adds) {
    const Tensor& bias = *source(c.b).constant;
    TIEBREAK_TRY(shaped, Tensor::from_bytes({bias.element(), c.beside_result(bias.size()), {}},
                                            std::vector<std::byte>(bias.bytes().begin(), bias.bytes().end()), c.operation.where));
    value = out_.add("onnx.Add", result, {value, out_.constant(name(c.b), shaped)});
  }
  if (coded) set_raw(c.y, value);
  else set_real(c.y, value);
  return {};
}

}  // namespace tiebreak
