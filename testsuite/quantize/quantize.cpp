// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/quantize.hpp"

#include <algorithm>

#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

/// What the forms use, in the order of the program.
Result<ParameterSet> used_parameters(const Semantics& semantics, const Plan& plan, const std::string& model) {
  ParameterSet set{model, {}};
  const Program& program = *plan.source;
  for (std::size_t id = 0; id < program.values.size(); ++id)
    if (plan.types[id]) set.tensors.push_back({bare_name(program.values[id].name), *plan.types[id], plan.from[id], {}});
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const OperationPlan& how = plan.operations[i];
    if (how.placement == Placement::left || !how.weights) continue;
    const std::vector<ValueId>& operands = program.operations[i].operands;
    const std::string w = bare_name(program, operands[1]), x = bare_name(program, operands[0]);
    if (set.find(w) == nullptr) set.tensors.push_back({w, *how.weights, "constant", {}});
    const auto& x_type = plan.types[static_cast<std::size_t>(operands[0])];
    if (how.weights->parameter_shape.size() > 1) continue;  // in blocks: the bias stays in real space
    if (how.placement == Placement::dynamic || operands.size() < 3 || operands[2] < 0 || !how.recipe.bias_in_accumulator) continue;
    TIEBREAK_TRY(scales, product_scales(semantics, *x_type, *how.weights, program.operations[i].where));
    const ElementType i32 = IntegerFormat{true, 32};
    QuantizedType bias{i32, i32.min(), i32.max(), f32_type(), {}, {}, {}, {}};
    if (!how.weights->is_per_tensor()) {
      bias.dimensions = {{0, 1}};
      bias.parameter_shape = {static_cast<std::int64_t>(scales.size())};
    }
    for (const Real& scale : scales) {
      bias.scales.push_back({scale});
      bias.zero_points.push_back({Real(0)});
    }
    const std::string b = bare_name(program, operands[2]);
    if (set.find(b) == nullptr) set.tensors.push_back({b, std::move(bias), "bias: " + x + " * " + w, {}});
  }
  return set;
}

}  // namespace

bool has_onnx_operators(const Program& program) {
  return std::ranges::any_of(program.operations, [](const Operation& operation) { return operation.op.starts_with("onnx."); });
}

Result<WrittenForm> write_form(const Semantics& semantics, const Plan& plan, const FormRequest& request) {
  return has_onnx_operators(*plan.source) ? write_onnx_form(semantics, plan, request) : write_stablehlo_form(semantics, plan, request);
}

Result<QuantizedForms> quantize_program(const Semantics& derivation, const Program& program, const Recipe& recipe, const ParameterSet& parameters,
                                        bool annotates) {
  TIEBREAK_CHECK(check_recipe(recipe, program));
  QuantizedForms made;
  made.program = std::make_shared<const Program>(program);
  TIEBREAK_TRY(first, plan_forms(derivation, *made.program, recipe, parameters));
  made.plan = std::move(first);
  if (has_onnx_operators(program)) {
    TIEBREAK_TRY(raised, raise_opset(program, made.plan.opset));
    made.program = std::make_shared<const Program>(std::move(raised));
    TIEBREAK_TRY(second, plan_forms(derivation, *made.program, recipe, parameters));
    made.plan = std::move(second);
  }
  TIEBREAK_TRY(used, used_parameters(derivation, made.plan, parameters.model.empty() ? program.file : parameters.model));
  made.parameters = std::move(used);
  std::erase_if(made.parameters.tensors, [&](const TensorParameters& each) {  // values that raising the operator set added are none of the float program
    return std::ranges::none_of(program.values, [&](const ProgramValue& value) { return bare_name(value.name) == each.tensor; });
  });
  for (const Form form : all_forms) {
    TIEBREAK_TRY(written, write_form(derivation, made.plan, {.form = form, .annotates = annotates}));
    made.forms.emplace(form, std::move(written));
  }
  return made;
}

}  // namespace tiebreak
