// SPDX-License-Identifier: Apache-2.0
// Operators of one form, but contractions: in real space, between dequantize and quantize, or on codes.
#include <algorithm>

#include "testsuite/quantize/onnx_form_writer.hpp"

namespace tiebreak {

Result<WrittenForm> write_onnx_form(const Semantics& semantics, const Plan& plan, const FormRequest& request) {
  return OnnxFormWriter(semantics, plan, request).run();
}

Status OnnxFormWriter::operation(std::size_t index) {
  const Operation& made = program_.operations[index];
  const OperationPlan& how = plan_.operations[index];
  if (how.placement == Placement::left) return left(made);
  if (how.placement == Placement::half) return half(index);
  if (how.rule->kind == OperatorKind::contraction) return contraction(index);
  if (in_real_space()) return around_float_operator(index);
  if (how.placement == Placement::region) return region(index);
  return is(Form::integer) && !how.rule->on_codes.empty() && has_byte_codes(made, index) ? function_on_codes(index) : around_float_operator(index);
}

/// The names of the results, the first one another.
std::vector<std::string> OnnxFormWriter::result_names(const Operation& operation, const std::string& first) const {
  std::vector<std::string> names;
  for (const ValueId id : operation.results) names.push_back(names.empty() ? first : name(id));
  return names;
}

Status OnnxFormWriter::define_others(const Operation& operation, const std::vector<ValueId>& results, std::size_t from) {
  for (std::size_t r = from; r < results.size(); ++r) set_real(operation.results[r], results[r]);
  return {};
}

Status OnnxFormWriter::left(const Operation& operation) {
  TIEBREAK_TRY(copy, on_real_values(operation));
  return define_others(operation, out_.add_operation(copy, result_names(operation, operation.results.empty() ? "" : name(operation.results[0]))), 0);
}

Status OnnxFormWriter::half(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const ElementType f16 = *plan_.operations[index].recipe.storage;
  const OperatorRule& rule = *plan_.operations[index].rule;
  Operation copy = operation;
  for (std::size_t i = 0; i < copy.operands.size(); ++i) {
    const ValueId id = operation.operands[i];
    TIEBREAK_TRY(value, real(id));
    const bool is_real = plan_.is_data(index, i) || rule.weight == i || rule.bias == i;
    copy.operands[i] = is_real && id >= 0 ? out_.add("onnx.Cast", name(id) + ".f16", {value}, {{"to", Attribute{f16}}}) : value;
  }
  const std::vector<ValueId> results = out_.add_operation(copy, result_names(operation, name(operation.results[0]) + ".f16"));
  set_real(operation.results[0], out_.add("onnx.Cast", name(operation.results[0]), {results[0]}, {{"to", Attribute{f32_type()}}}));
  return define_others(operation, results, 1);
}

/// The float operator on what its codes stand for, its result quantized.
Status OnnxFormWriter::around_float_operator(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const OperationPlan& how = plan_.operations[index];
  if (is(Form::integer)) notes_[name(operation.results[0])] = how.rule->on_codes.empty() ? "no operator on codes" : "no operator on codes of these types";
  Operation copy = operation;
  for (std::size_t i = 0; i < copy.operands.size(); ++i) {
    const ValueId id = operation.operands[i];
    TIEBREAK_TRY(value, id >= 0 && plan_.is_data(index, i) ? dequantized(id) : real(id));
    copy.operands[i] = value;
  }
  const std::vector<ValueId> results = out_.add_operation(copy, result_names(operation, name(operation.results[0]) + ".raw"));
  for (std::size_t r = 0; r < results.size(); ++r) {
    const ValueId id = operation.results[r];
    if (type(id) && (r == 0 || how.rule->results_alike)) set_raw(id, results[r]);
    else set_real(id, results[r]);
  }
  return {};
}

/// Operators of runtimes on bytes want one type for all of their operands.
bool OnnxFormWriter::has_byte_codes(const Operation& operation, std::size_t index) const {
  const QuantizedType& first = *type(operation.results[0]);
  if (first.storage.bits() != 8) return false;
  for (std::size_t i = 0; i < operation.operands.size(); ++i)
    if (plan_.is_data(index, i) && !(type(operation.operands[i])->storage == first.storage)) return false;
  return true;
}

/// QLinearAdd and its like: scale and zero point behind each tensor of codes, those of the result last, or first for QLinearConcat.
Status OnnxFormWriter::function_on_codes(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const OperatorRule& rule = *plan_.operations[index].rule;
  const ValueId y = operation.results[0];
  const auto push_parameters = [&](ValueId id, std::vector<ValueId>& operands) {
    operands.push_back(scale_of(name(id), *type(id)));
    operands.push_back(zero_point_of(name(id), *type(id), type(id)->storage));
  };
  std::vector<ValueId> operands;
  if (rule.all_data) push_parameters(y, operands);
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    if (!plan_.is_data(index, i)) continue;
    TIEBREAK_TRY(code, codes(operation.operands[i]));
    operands.push_back(code);
    push_parameters(operation.operands[i], operands);
  }
  if (!rule.all_data) push_parameters(y, operands);
  Operation made{rule.on_codes, std::move(operands), {}, operation.attributes, 1, operation.where, {}};
  set_codes(y, out_.add_operation(made, {name(y) + ".q"}).front());
  return {};
}

/// A bound of Clip, or the padding of Pad: its code with the parameters of the data.
Status OnnxFormWriter::region_bound(const Operation& operation, std::size_t operand, std::vector<ValueId>& operands) {
  const ValueId id = operation.operands.size() > operand ? operation.operands[operand] : -1;
  if (id < 0) return {};
  const QuantizedType& of = *type(operation.operands[0]);
  TIEBREAK_TRY(code, codes_of_constant(semantics_, *source(id).constant, of, operation.where));
  if (is(Form::simulated)) code = f32_tensor({code.value(0)}, {});
  operands[operand] = out_.constant(name(operation.results[0]) + ".bound" + std::to_string(operand), code);
  return {};
}

Status OnnxFormWriter::region(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const QuantizedType& of = *type(operation.operands[0]);
  const ElementType carrier = is(Form::simulated) ? f32_type() : of.storage;
  if (is(Form::integer) && of.storage.bits() != 8) return around_float_operator(index);
  Operation copy = operation;
  for (std::size_t i = 0; i < copy.operands.size(); ++i) {
    TIEBREAK_TRY(value, i == 0 ? codes(operation.operands[0]) : real(operation.operands[i]));
    copy.operands[i] = value;
  }
  if (operation.op == "onnx.Relu") {
    copy.op = "onnx.Max";
    copy.operands.push_back(zero_point_of(name(operation.operands[0]), of, carrier));
  }
  if (operation.op == "onnx.Clip") {
    TIEBREAK_CHECK(region_bound(operation, 1, copy.operands));
    TIEBREAK_CHECK(region_bound(operation, 2, copy.operands));
  }
  if (operation.op == "onnx.Pad") {
    copy.operands.resize(std::max<std::size_t>(copy.operands.size(), 3), -1);
    copy.operands[2] = zero_point_of(name(operation.operands[0]), of, carrier);
    TIEBREAK_CHECK(region_bound(operation, 2, copy.operands));
  }
  const std::vector<ValueId> results = out_.add_operation(copy, [&] {
    std::vector<std::string> names;
    for (const ValueId id : operation.results) names.push_back(coded(id) ? name(id) + ".q" : name(id));
    return names;
  }());
  for (std::size_t r = 0; r < results.size(); ++r) {
    const ValueId id = operation.results[r];
    if (coded(id)) set_codes(id, results[r]);
    else set_real(id, results[r]);
  }
  return {};
}

}  // namespace tiebreak
