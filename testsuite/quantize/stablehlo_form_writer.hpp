// SPDX-License-Identifier: Apache-2.0
// Writes one form of a StableHLO program: quantized types in the integer form, f32 in the simulated one.
#pragma once
#include "testsuite/quantize/form_writer.hpp"

namespace tiebreak {

class StablehloFormWriter final : public FormWriter {
 public:
  StablehloFormWriter(const Semantics& semantics, const Plan& plan, const FormRequest& request) : FormWriter(semantics, plan, request, 0) {}

 private:
  std::string program_name() const override { return to_word(request_.form); }

  // stablehlo_form_values.cpp
  ValueId typed(const std::string& op, const std::string& name, std::vector<ValueId> operands, const TensorType& type, AttributeMap attributes = {});
  ValueId splat(const std::string& name, const Real& value, const Shape& shape);
  Result<ValueId> codes(ValueId id) override;
  Result<ValueId> constant_codes(const std::string& name, const Tensor& constant, const QuantizedType& type);
  ValueId quantize(const std::string& stem, ValueId real, const QuantizedType& type, const Shape& shape);
  ValueId dequantize(const std::string& result, const std::string& stem, ValueId codes, const QuantizedType& type, const Shape& shape);
  ValueId dequantize_value(const std::string& result, ValueId id, ValueId codes) override {
    return dequantize(result, name(id), codes, *type(id), shape_of(id));
  }
  void set_raw(ValueId id, ValueId raw) { written(id).codes = quantize(name(id), raw, *type(id), shape_of(id)); }
  const Shape& shape_of(ValueId id) const { return source(id).type->shape; }
  TensorType carried(const QuantizedType& type, const Shape& shape) const;

  // stablehlo_form_operators.cpp
  Status operation(std::size_t index) override;
  Status left(const Operation& operation);
  Status around_float_operator(std::size_t index);
  Status on_quantized_types(std::size_t index);
  Status region(std::size_t index);
  Status contraction(std::size_t index);
  Status simulated_contraction(std::size_t index);
  Result<ValueId> weight_codes(std::size_t index);
};

}  // namespace tiebreak
