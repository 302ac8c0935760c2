// SPDX-License-Identifier: Apache-2.0
// Writes one form of an ONNX program.
#pragma once
#include "testsuite/quantize/form_writer.hpp"

namespace tiebreak {

class OnnxFormWriter final : public FormWriter {
 public:
  OnnxFormWriter(const Semantics& semantics, const Plan& plan, const FormRequest& request) : FormWriter(semantics, plan, request, plan.opset) {}

 private:
  bool in_real_space() const { return is(Form::fake) || is(Form::qdq); }
  std::string program_name() const override { return program_.name.empty() ? to_word(request_.form) : program_.name + "_" + to_word(request_.form); }

  // onnx_form_values.cpp: values
  Result<ValueId> codes(ValueId id) override;
  ValueId quantize(const std::string& stem, ValueId real, const QuantizedType& type);
  ValueId dequantize(const std::string& result, const std::string& stem, ValueId codes, const QuantizedType& type);
  ValueId dequantize_value(const std::string& result, ValueId id, ValueId codes) override { return dequantize(result, name(id), codes, *type(id)); }
  void set_real(ValueId id, ValueId real) { written(id).real = real; }
  void set_codes(ValueId id, ValueId codes) { written(id).codes = codes; }
  void set_raw(ValueId id, ValueId raw);  ///< what a float operator gave
  ValueId scale_of(const std::string& stem, const QuantizedType& type) { return out_.constant(stem + ".scale", scale_tensor(type)); }
  ValueId zero_point_of(const std::string& stem, const QuantizedType& type, const ElementType& element) {
    return out_.constant(stem + ".zero_point", zero_point_tensor(type, element));
  }
  ValueId number(const std::string& name, const Real& value) { return out_.constant(name, f32_tensor({value}, {})); }

  // onnx_form_operators.cpp
  Status operation(std::size_t index) override;
  Status left(const Operation& operation);
  Status half(std::size_t index);
  Status around_float_operator(std::size_t index);
  Status function_on_codes(std::size_t index);
  Status region(std::size_t index);
  Status region_bound(const Operation& operation, std::size_t operand, std::vector<ValueId>& operands);
  bool has_byte_codes(const Operation& operation, std::size_t index) const;
  Status define_others(const Operation& operation, const std::vector<ValueId>& results, std::size_t from);
  std::vector<std::string> result_names(const Operation& operation, const std::string& first) const;

  // onnx_form_contraction.cpp
  struct Contraction;
  Status contraction(std::size_t index);
  Result<Contraction> open_contraction(std::size_t index);
  Result<ValueId> weights_in_real_space(const Contraction& c);
  Result<ValueId> bias_in_real_space(const Contraction& c);
  Result<ValueId> weight_codes(const Contraction& c);
  Status contraction_in_real_space(const Contraction& c);
  Status simulated_contraction(Contraction& c);
  Status qlinear(const Contraction& c);
  Status integer_contraction(Contraction& c);
  Status from_accumulator(const Contraction& c, ValueId accumulator);
  Result<ValueId> padded(const Contraction& c, ValueId codes, AttributeMap& attributes);
};

}  // namespace tiebreak
