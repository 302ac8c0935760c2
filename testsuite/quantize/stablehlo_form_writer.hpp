// SPDX-License-Identifier: Apache-2.0
// Writes one form of a StableHLO program: quantized types in the integer form, f32 in the simulated one.
#pragma once
#include "testsuite/quantize/forms.hpp"
#include "testsuite/quantize/graph_builder.hpp"

namespace tiebreak {

class StablehloFormWriter {
 public:
  StablehloFormWriter(const Semantics& semantics, const Plan& plan, const FormRequest& request)
      : semantics_(semantics), plan_(plan), program_(*plan.source), request_(request), out_(0), values_(program_.values.size()) {}
  Result<WrittenForm> run();

 private:
  struct Written {
    ValueId real = -1, codes = -1, dequantized = -1;
  };
  bool is(Form form) const { return request_.form == form; }
  std::string name(ValueId id) const;
  const std::optional<QuantizedType>& type(ValueId id) const { return plan_.types[static_cast<std::size_t>(id)]; }
  Written& written(ValueId id) { return values_[static_cast<std::size_t>(id)]; }
  const ProgramValue& source(ValueId id) const { return program_.values[static_cast<std::size_t>(id)]; }
  bool coded(ValueId id) const { return plan_.coded[static_cast<std::size_t>(id)]; }

  // stablehlo_form_values.cpp
  ValueId typed(const std::string& op, const std::string& name, std::vector<ValueId> operands, const TensorType& type, AttributeMap attributes = {});
  ValueId splat(const std::string& name, const Real& value, const Shape& shape);
  Result<ValueId> real(ValueId id);
  Result<ValueId> codes(ValueId id);
  Result<ValueId> dequantized(ValueId id);
  Result<ValueId> constant_codes(const std::string& name, const Tensor& constant, const QuantizedType& type);
  ValueId quantize(const std::string& stem, ValueId real, const QuantizedType& type, const Shape& shape);
  ValueId dequantize(const std::string& result, const std::string& stem, ValueId codes, const QuantizedType& type, const Shape& shape);
  void set_raw(ValueId id, ValueId raw) { written(id).codes = quantize(name(id), raw, *type(id), shape_of(id)); }
  const Shape& shape_of(ValueId id) const { return source(id).type->shape; }
  TensorType carried(const QuantizedType& type, const Shape& shape) const;

  // stablehlo_form_operators.cpp
  Status operation(std::size_t index);
  Status left(const Operation& operation);
  Status around_float_operator(std::size_t index);
  Status on_quantized_types(std::size_t index);
  Status region(std::size_t index);
  Status contraction(std::size_t index);
  Status simulated_contraction(std::size_t index);
  Result<ValueId> weight_codes(std::size_t index);

  const Semantics& semantics_;
  const Plan& plan_;
  const Program& program_;
  FormRequest request_;
  GraphBuilder out_;
  std::vector<Written> values_;
  std::map<std::string, std::string> notes_{};
};

}  // namespace tiebreak
