// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/stablehlo/constant_program.hpp"

#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak::stablehlo {
namespace {

ValueId add_value(Program& program, const std::string& name, const TensorType& type) {
  ProgramValue value;
  value.name = name;
  value.type = type;
  program.values.push_back(std::move(value));
  return static_cast<ValueId>(program.values.size()) - 1;
}

Operation bitcast(ValueId from, ValueId to) {
  Operation operation;
  operation.op = "stablehlo.bitcast_convert";
  operation.operands = {from};
  operation.results = {to};
  return operation;
}

/// What the text has a default for and MLIR's form has not.
void state_defaults(Program& program) {
  for (Operation& operation : program.operations) {
    if (operation.op != "stablehlo.convolution" && operation.op != "stablehlo.dynamic_conv") continue;
    for (const char* name : {"batch_group_count", "feature_group_count"}) operation.attributes.emplace(name, Attribute{Real(1)});
  }
}

/// MLIR keeps scales in f64.
Status scales_are_f64(const Program& program) {
  for (const ProgramValue& value : program.values) {
    if (!value.type || !value.type->quantized) continue;
    for (const auto& [scale] : value.type->quantized->scales) {
      if (!Real::from_double(scale.to_double()).identical(scale)) return fail(Errc::unsupported, "a scale that no f64 is: " + scale.to_string());
    }
  }
  return {};
}

}  // namespace

TensorType printed_type(const TensorType& type) { return TensorType{type.element, type.shape, std::nullopt}; }

Result<Program> constant_program(const ExchangeCase& request) {
  TIEBREAK_TRY(program, program_of(request));
  TIEBREAK_TRY(inputs, inputs_of(program, request));
  TIEBREAK_CHECK(scales_are_f64(program));
  state_defaults(program);
  program.name = "main";
  std::vector<Operation> operations;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ValueId id = program.inputs[i];
    Tensor codes = inputs[i];
    codes.set_type(printed_type(codes.type()));
    const std::optional<TensorType>& type = program.values[static_cast<std::size_t>(id)].type;
    if (!type || !type->quantized) {
      program.values[static_cast<std::size_t>(id)].constant = std::move(codes);
      continue;
    }
    const ValueId stored = add_value(program, "stored_" + std::to_string(i), codes.type());
    program.values[static_cast<std::size_t>(stored)].constant = std::move(codes);
    operations.push_back(bitcast(stored, id));
  }
  program.inputs.clear();
  for (Operation& operation : program.operations) operations.push_back(std::move(operation));
  for (ValueId& output : program.outputs) {
    if (output < 0) return fail(Errc::unsupported, "an absent result", request.id);
    const std::optional<TensorType> type = program.values[static_cast<std::size_t>(output)].type;
    if (!type) return fail(Errc::unsupported, "a result whose type is not stated", request.id);
    if (!type->quantized) continue;
    const ValueId stored = add_value(program, "codes_" + std::to_string(output), printed_type(*type));
    operations.push_back(bitcast(output, stored));
    output = stored;
  }
  program.operations = std::move(operations);
  return std::move(program);
}

}  // namespace tiebreak::stablehlo
