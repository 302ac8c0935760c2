// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/lower_program.hpp"

#include <algorithm>

#include "testsuite/tflite/operator_parts.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::string_view prefix = "tflite.";

const OperatorForm* form_of(const Operation& operation) {
  if (!operation.op.starts_with(prefix)) return nullptr;
  const auto forms = operator_forms();
  const auto found = std::ranges::find(forms, std::string_view(operation.op).substr(prefix.size()), &OperatorForm::word);
  return found == forms.end() ? nullptr : &*found;
}

class ProgramLowering {
 public:
  ProgramLowering(const Program& program, const LowerOptions& options) : program_(program), graph_(options) {}

  Result<LoweredProgram> run(const std::vector<Tensor>& inputs, const std::vector<TensorType>& results) {
    tensors_.assign(program_.values.size(), -1);
    types_.resize(program_.values.size());
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      const std::size_t id = static_cast<std::size_t>(program_.inputs[i]);
      types_[id] = inputs[i].type();
      TIEBREAK_TRY(parameters, parameters_of(inputs[i].type()));
      TIEBREAK_TRY(index, graph_.bytes(program_.values[id].name, inputs[i], parameters));
      tensors_[id] = index;
    }
    for (const Operation& operation : program_.operations) TIEBREAK_CHECK(append(operation));
    LoweredProgram lowered;
    for (ValueId id : program_.outputs) {
      TIEBREAK_TRY(index, output_at(id));
      graph_.lowered().model.outputs.push_back(graph_.as_bytes(index));
    }
    lowered.model = std::move(graph_.lowered().model);
    lowered.inputs = std::move(graph_.lowered().inputs);
    lowered.results = results;
    return lowered;
  }

 private:
  /// The tensor of a value; a constant gets one when it is read first.
  Result<int> tensor_at(ValueId id) {
    const std::size_t at = static_cast<std::size_t>(id);
    const ProgramValue& value = program_.values[at];
    if (tensors_[at] >= 0) return tensors_[at];
    if (!value.constant) return fail(Errc::unsupported, "a value that no operator of the family gives");
    types_[at] = value.constant->type();
    TIEBREAK_TRY(parameters, parameters_of(value.constant->type()));
    return tensors_[at] = graph_.constant(value.name, *value.constant, parameters);
  }

  /// The tensor of an output. The delegate takes floats that are dequantized from constants for constants, and never writes them: asked for as a result they
  /// are what lies in memory. So they are computed once more for the host, from bytes that it gives.
  Result<int> output_at(ValueId id) {
    const auto gives = [id](const Operation& operation) { return operation.op == "tflite.DEQUANTIZE" && operation.results == std::vector<ValueId>{id}; };
    const auto found = std::ranges::find_if(program_.operations, gives);
    if (found == program_.operations.end() || found->operands.size() != 1) return tensor_at(id);
    const ProgramValue& operand = program_.values[static_cast<std::size_t>(found->operands[0])];
    if (!operand.constant || !operand.constant->element().is_float()) return tensor_at(id);
    const ProgramValue& value = program_.values[static_cast<std::size_t>(id)];
    TIEBREAK_TRY(given, graph_.bytes(operand.name + ".given", *operand.constant, {}));
    const int again = graph_.value(value.name + ".again", {value.type->element, value.type->shape, {}}, {});
    graph_.node(Builtin::dequantize, 2, {given}, again);
    return again;
  }

  /// A bias has parameters that depend on the operator, so that each has a tensor of its own; a state is what the runtime keeps.
  Result<int> operand_of(const OperatorForm& form, const Operation& operation, std::size_t position, const std::vector<int>& before) {
    const ValueId id = operation.operands[position];
    const ProgramValue& value = program_.values[static_cast<std::size_t>(id)];
    const int place = static_cast<int>(position);
    if (place == form.bias && value.constant && !value.type->quantized && value.constant->element().is_integer()) {
      TIEBREAK_TRY(unit, bias_parameters(graph_.tensors(), before, value.constant->size()));
      return graph_.constant(value.name, *value.constant, unit);
    }
    if (form.is_state(position) && value.constant) {
      TIEBREAK_TRY(parameters, parameters_of(value.constant->type()));
      return graph_.variable(value.name, value.constant->type(), parameters);
    }
    return tensor_at(id);
  }

  OpCall call_of(const Operation& operation, const TensorType& result) const {
    OpCall call{operation.op, operation.attributes, {}, result};
    for (ValueId id : operation.operands) {
      call.operands.emplace_back();
      if (id < 0) continue;
      const auto& value = program_.values[static_cast<std::size_t>(id)];
      const TensorType& type = value.type ? *value.type : types_[static_cast<std::size_t>(id)];
      call.operands.back() = Tensor::zeros({type.element, {}, {}}).value_or(Tensor());  // the forms ask for element types alone
    }
    return call;
  }

  Status append(const Operation& operation) {
    const OperatorForm* form = form_of(operation);
    if (form == nullptr || operation.results.empty()) return fail(Errc::unsupported, "TensorFlow Lite's family has no operator for " + operation.op);
    std::vector<int> inputs;
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      if (operation.operands[i] < 0) {
        inputs.push_back(-1);
        continue;
      }
      TIEBREAK_TRY(index, operand_of(*form, operation, i, inputs));
      inputs.push_back(index);
    }
    std::vector<int> outputs;
    for (ValueId result : operation.results) {
      const std::size_t id = static_cast<std::size_t>(result);
      const ProgramValue& value = program_.values[id];
      if (!value.type || is_open(value.type->shape)) return fail(Errc::unsupported, "a result without a type, or with an open shape");
      types_[id] = *value.type;
      TIEBREAK_TRY(parameters, parameters_of(*value.type));
      outputs.push_back(tensors_[id] = graph_.value(value.name, {value.type->element, value.type->shape, {}}, parameters));
    }
    const OpCall call = call_of(operation, types_[static_cast<std::size_t>(operation.results[0])]);
    TIEBREAK_TRY(table, options_of(*form, call, graph_.options()));
    TIEBREAK_TRY(intermediates, intermediates_of(graph_, *form, call));
    graph_.node(form->builtin, version_of(*form, call), std::move(inputs), std::move(outputs), std::move(table));
    graph_.lowered().model.operators.back().intermediates = std::move(intermediates);
    return {};
  }

  const Program& program_;
  Graph graph_;
  std::vector<int> tensors_{};  ///< of each value; -1: none yet
  std::vector<TensorType> types_{};
};

}  // namespace

Result<LoweredProgram> lower_program(const Program& program, const std::vector<Tensor>& inputs, const std::vector<TensorType>& results,
                                     const LowerOptions& options) {
  if (options.builtin_kernels) return fail(Errc::unsupported, "a whole model goes to the delegate: builtin kernels are asked one operator at a time");
  if (inputs.size() != program.inputs.size() || results.size() != program.outputs.size()) return fail(Errc::type, "another number of inputs or results");
  return ProgramLowering(program, options).run(inputs, results);
}

}  // namespace tiebreak::tflite
