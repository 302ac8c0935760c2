// SPDX-License-Identifier: Apache-2.0
// What writers of forms share: each value of the float program in real space, as codes, or both, made where it is first read.
#pragma once
#include "testsuite/quantize/forms.hpp"
#include "testsuite/quantize/graph_builder.hpp"

namespace tiebreak {

class FormWriter {
 public:
  virtual ~FormWriter() = default;
  /// The inputs, the operations, and the outputs in real space.
  Result<WrittenForm> run();

 protected:
  FormWriter(const Semantics& semantics, const Plan& plan, const FormRequest& request, int opset)
      : semantics_(semantics), plan_(plan), program_(*plan.source), request_(request), out_(opset), values_(program_.values.size()) {}

  virtual Status operation(std::size_t index) = 0;
  virtual std::string program_name() const = 0;
  virtual Result<ValueId> codes(ValueId id) = 0;  ///< in the form's carrier
  /// What codes of the value `id` stand for, as `result`.
  virtual ValueId dequantize_value(const std::string& result, ValueId id, ValueId codes) = 0;

  Result<ValueId> real(ValueId id);         ///< what an operator in real space reads; -1 of -1
  Result<ValueId> dequantized(ValueId id);  ///< the codes as real numbers
  /// What the float program states of its values' parameters, for the values that stand for them here.
  void pass_annotations();
  /// The operation on its operands in real space, and on what its regions capture there.
  Result<Operation> on_real_values(const Operation& operation);

  struct Written {
    ValueId real = -1, codes = -1, dequantized = -1;
  };
  bool is(Form form) const { return request_.form == form; }
  std::string name(ValueId id) const;
  const std::optional<QuantizedType>& type(ValueId id) const { return plan_.types[static_cast<std::size_t>(id)]; }
  Written& written(ValueId id) { return values_[static_cast<std::size_t>(id)]; }
  const ProgramValue& source(ValueId id) const { return program_.values[static_cast<std::size_t>(id)]; }
  bool coded(ValueId id) const { return plan_.coded[static_cast<std::size_t>(id)]; }

  const Semantics& semantics_;
  const Plan& plan_;
  const Program& program_;
  FormRequest request_;
  GraphBuilder out_;
  std::vector<Written> values_;
  std::map<std::string, std::string> notes_{};
};

}  // namespace tiebreak
