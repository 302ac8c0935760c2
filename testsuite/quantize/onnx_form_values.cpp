// SPDX-License-Identifier: Apache-2.0
// Values of one form: in real space, as codes, and from one to the other.
#include "testsuite/quantize/onnx_form_writer.hpp"

namespace tiebreak {

ValueId OnnxFormWriter::quantize(const std::string& stem, ValueId real, const QuantizedType& type) {
  const ValueId scale = scale_of(stem, type);
  if (!is(Form::simulated)) {
    const bool narrow = type.storage_min > type.storage.min();
    const ValueId codes = out_.add("onnx.QuantizeLinear", stem + (narrow ? ".q.full" : ".q"), {real, scale, zero_point_of(stem, type, type.storage)});
    if (!narrow) return codes;
    const ValueId least = out_.constant(stem + ".q.least", whole_tensor({*type.storage_min.to_int64()}, type.storage, {}));
    return out_.add("onnx.Max", stem + ".q", {codes, least});
  }
  const ValueId divided = out_.add("onnx.Div", stem + ".q.divided", {real, scale});
  const ValueId rounded = out_.add("onnx.Round", stem + ".q.rounded", {divided});
  const ValueId moved = has_zero_point(type) ? out_.add("onnx.Add", stem + ".q.moved", {rounded, zero_point_of(stem, type, f32_type())}) : rounded;
  return out_.add(
      "onnx.Clip", stem + ".q",
      {moved, number("least." + type.storage_min.to_string(), type.storage_min), number("greatest." + type.storage_max.to_string(), type.storage_max)});
}

ValueId OnnxFormWriter::dequantize(const std::string& result, const std::string& stem, ValueId codes, const QuantizedType& type) {
  const ValueId scale = scale_of(stem, type);
  if (!is(Form::simulated)) return out_.add("onnx.DequantizeLinear", result, {codes, scale, zero_point_of(stem, type, type.storage)});
  const ValueId moved = has_zero_point(type) ? out_.add("onnx.Sub", result + ".whole", {codes, zero_point_of(stem, type, f32_type())}) : codes;
  return out_.add("onnx.Mul", result, {moved, scale});
}

Result<ValueId> OnnxFormWriter::codes(ValueId id) {
  Written& known = written(id);
  if (known.codes >= 0) return known.codes;
  const QuantizedType& of = *type(id);
  if (source(id).constant && !is(Form::fake)) {
    TIEBREAK_TRY(tensor, codes_of_constant(semantics_, *source(id).constant, of, program_.file + ": '" + name(id) + "'"));
    if (is(Form::simulated)) {
      std::vector<Real> numbers;
      for (std::int64_t i = 0; i < tensor.size(); ++i) numbers.push_back(tensor.value(i));
      tensor = f32_tensor(numbers, tensor.shape());
    }
    written(id).codes = out_.constant(name(id) + ".q", tensor);
    return written(id).codes;
  }
  TIEBREAK_TRY(value, real(id));
  const ValueId made = quantize(name(id), value, of);
  written(id).codes = made;
  return made;
}

void OnnxFormWriter::set_raw(ValueId id, ValueId raw) { set_codes(id, quantize(name(id), raw, *type(id))); }

}  // namespace tiebreak
