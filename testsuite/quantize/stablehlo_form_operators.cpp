// SPDX-License-Identifier: Apache-2.0
// Operators of one form of a StableHLO program.
#include <algorithm>

#include "testsuite/quantize/stablehlo_form_writer.hpp"

namespace tiebreak {

Result<WrittenForm> write_stablehlo_form(const Semantics& semantics, const Plan& plan, const FormRequest& request) {
  return StablehloFormWriter(semantics, plan, request).run();
}

Status StablehloFormWriter::operation(std::size_t index) {
  const OperationPlan& how = plan_.operations[index];
  if (how.placement == Placement::left) return left(program_.operations[index]);
  if (how.rule->kind == OperatorKind::contraction) return contraction(index);
  if (is(Form::fake) || is(Form::qdq)) return around_float_operator(index);
  if (how.placement == Placement::region) return region(index);
  return is(Form::integer) ? on_quantized_types(index) : around_float_operator(index);
}

Status StablehloFormWriter::left(const Operation& operation) {
  TIEBREAK_TRY(copy, on_real_values(operation));
  std::vector<std::string> names;
  for (const ValueId id : operation.results) names.push_back(name(id));
  const std::vector<ValueId> results = out_.add_operation(copy, names);
  for (std::size_t r = 0; r < results.size(); ++r) {
    out_.value(results[r]).type = source(operation.results[r]).type;
    written(operation.results[r]).real = results[r];
  }
  return {};
}

Status StablehloFormWriter::around_float_operator(std::size_t index) {
  const Operation& operation = program_.operations[index];
  Operation copy = operation;
  for (std::size_t i = 0; i < copy.operands.size(); ++i) {
    const ValueId id = operation.operands[i];
    TIEBREAK_TRY(value, plan_.is_data(index, i) ? dequantized(id) : real(id));
    copy.operands[i] = value;
  }
  const ValueId y = operation.results[0];
  const ValueId result = out_.add_operation(copy, {name(y) + ".raw"}).front();
  out_.value(result).type = source(y).type;
  set_raw(y, result);
  return {};
}

/// The operator itself, its tensors of quantized types. StableHLO wants one storage type: a sum of accumulators is an accumulator, which is quantized after it.
Status StablehloFormWriter::on_quantized_types(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const ValueId y = operation.results[0];
  const QuantizedType& first = *type(operation.operands[0]);
  const auto differs = [&](ValueId id) { return !(type(id)->storage == first.storage); };
  if (std::ranges::any_of(operation.operands, differs)) {
    notes_[name(y)] = "its operands have several storage types";
    return around_float_operator(index);
  }
  const bool sums = differs(y);
  const TensorType y_type = carried(sums ? first : *type(y), shape_of(y));
  Operation copy = operation;
  for (std::size_t i = 0; i < copy.operands.size(); ++i) {
    const ValueId id = operation.operands[i];
    TIEBREAK_TRY(value, codes(id));
    const TensorType wanted{y_type.element, shape_of(id), y_type.quantized};
    const bool moves = operation.op == "stablehlo.concatenate" && !same_type(*out_.value(value).type, wanted);
    copy.operands[i] = moves ? typed("stablehlo.uniform_quantize", name(id) + ".q.moved", {value}, wanted) : value;
  }
  const ValueId result = out_.add_operation(copy, {name(y) + (sums ? ".acc" : ".q")}).front();
  out_.value(result).type = y_type;
  written(y).codes = sums ? typed("stablehlo.uniform_quantize", name(y) + ".q", {result}, carried(*type(y), shape_of(y))) : result;
  return {};
}

/// On codes: other operands are constants and take the parameters of the data.
Status StablehloFormWriter::region(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const std::size_t data = plan_.operations[index].rule->data[0];
  const QuantizedType& of = *type(operation.operands[data]);
  const ValueId y = operation.results[0];
  Operation copy = operation;
  for (std::size_t i = 0; i < copy.operands.size(); ++i) {
    const ValueId id = operation.operands[i];
    TIEBREAK_TRY(value, i == data ? codes(id) : constant_codes(name(y) + ".operand" + std::to_string(i), *source(id).constant, of));
    copy.operands[i] = value;
  }
  for (Region& inner : copy.regions)
    for (ProgramValue& value : inner.program.values)
      if (value.type && value.type->element == f32_type()) value.type = carried(of, value.type->shape);
  const ValueId result = out_.add_operation(copy, {name(y) + ".q"}).front();
  out_.value(result).type = carried(of, shape_of(y));
  written(y).codes = result;
  return {};
}

Result<ValueId> StablehloFormWriter::weight_codes(std::size_t index) {
  const ValueId w = program_.operations[index].operands[1];
  const QuantizedType& of = *plan_.operations[index].weights;
  if (!is(Form::fake)) return constant_codes(name(w), *source(w).constant, of);
  TIEBREAK_TRY(value, real(w));
  return typed("stablehlo.uniform_quantize", name(w) + ".q", {value}, {of.storage, shape_of(w), of});
}

Status StablehloFormWriter::contraction(std::size_t index) {
  if (is(Form::simulated)) return simulated_contraction(index);
  const Operation& operation = program_.operations[index];
  const ValueId x = operation.operands[0], w = operation.operands[1], y = operation.results[0];
  Operation copy = operation;
  TIEBREAK_TRY(weight, weight_codes(index));
  const bool integer = is(Form::integer);
  TIEBREAK_TRY(left_operand, integer ? codes(x) : dequantized(x));
  copy.operands = {left_operand, integer ? weight : typed("stablehlo.uniform_dequantize", name(w) + ".dq", {weight}, *source(w).type)};
  const bool sums = type(y)->storage.bits() == 32;  // no parameters were given: the accumulator itself
  const ValueId result = out_.add_operation(copy, {name(y) + (!integer ? ".raw" : sums ? ".acc" : ".q")}).front();
  out_.value(result).type = integer ? carried(*type(y), shape_of(y)) : *source(y).type;
  if (integer) written(y).codes = result;
  else if (sums) written(y).dequantized = result;
  else set_raw(y, result);
  return {};
}

/// sum((x - z) * w) = sum(x * w) - sum(z * w): both sums by the operator itself, so that its padding, which is zero, counts in neither.
Status StablehloFormWriter::simulated_contraction(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const ValueId x = operation.operands[0], y = operation.results[0];
  const QuantizedType& x_type = *type(x);
  const TensorType f32{f32_type(), shape_of(y), {}};
  TIEBREAK_TRY(x_codes, codes(x));
  TIEBREAK_TRY(w_codes, weight_codes(index));
  const bool moves = has_zero_point(x_type);
  ValueId sum = typed(operation.op, name(y) + (moves ? ".dot" : ".acc"), {x_codes, w_codes}, f32, operation.attributes);
  if (moves) {
    const ValueId zeros = splat(name(x) + ".zero_point", x_type.zero_points[0].value, shape_of(x));
    const ValueId term = typed(operation.op, name(y) + ".x_term", {zeros, w_codes}, f32, operation.attributes);
    sum = typed("stablehlo.subtract", name(y) + ".acc", {sum, term}, f32);
  }
  TIEBREAK_TRY(scales, product_scales(semantics_, x_type, *plan_.operations[index].weights, operation.where));
  ValueId unit = -1;
  if (scales.size() == 1) {
    unit = splat(name(y) + ".acc.scale", scales[0], shape_of(y));
  } else {
    const int axis = plan_.operations[index].result_axis;
    std::int64_t inner = 1;
    for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < f32.shape.size(); ++d) inner *= f32.shape[d];
    std::vector<Real> numbers;
    TIEBREAK_TRY(count, element_count(f32.shape));
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(scales[static_cast<std::size_t>(i / inner) % scales.size()]);
    unit = out_.constant(name(y) + ".acc.scale", f32_tensor(numbers, f32.shape));
  }
  const bool sums = type(y)->storage.bits() == 32;
  const ValueId value = typed("stablehlo.multiply", name(y) + (sums ? "" : ".raw"), {sum, unit}, f32);
  if (sums) written(y).dequantized = value;
  else set_raw(y, value);
  return {};
}

}  // namespace tiebreak
