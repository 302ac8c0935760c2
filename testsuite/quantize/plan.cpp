// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/planner.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

constexpr int opset_of_axes = 13;          // DequantizeLinear along an axis, and whole numbers in Clip
constexpr int opset_of_narrow_codes = 21;  // 4 and 16 bits, blocks

}  // namespace

Result<Plan> Planner::run() {
  plan_.source = &program_;
  plan_.types.resize(program_.values.size());
  plan_.from.resize(program_.values.size());
  plan_.coded.resize(program_.values.size());
  TIEBREAK_CHECK(check_names());
  for (const ValueId id : program_.inputs) TIEBREAK_CHECK(take_parameters(id, recipe_.of_input(name(id))));
  for (const Operation& operation : program_.operations) {
    TIEBREAK_CHECK(semantics_.library.stop().check());
    OperationPlan made{.placement = Placement::left, .rule = find_operator_rule(operation.op), .recipe = {}, .reason = {}, .weights = {}};
    made.recipe = recipe_.of(operation.op, operation.results.empty() ? "" : name(operation.results[0]));
    for (const ValueId id : operation.results) TIEBREAK_CHECK(take_parameters(id, made.recipe));
    TIEBREAK_CHECK(place(operation, made));
    plan_.operations.push_back(std::move(made));
  }
  choose_opset();
  return std::move(plan_);
}

Status Planner::check_names() const {
  std::vector<std::string> names;
  for (const ProgramValue& each : program_.values) names.push_back(bare_name(each.name));
  for (const TensorParameters& tensor : parameters_.tensors) {
    if (std::ranges::find(names, tensor.tensor) != names.end()) continue;
    const std::string near = nearest(tensor.tensor, names);
    return fail(Errc::unknown_name, "parameters for '" + tensor.tensor + "': " + program_.file + " has no such value", "parameters of " + parameters_.model,
                near.empty() ? "" : "did you mean " + near + "?");
  }
  return {};
}

Status Planner::take_parameters(ValueId id, const NodeRecipe& recipe) {
  const TensorParameters* given = id < 0 ? nullptr : parameters_.find(name(id));
  if (given == nullptr) return {};
  const std::string where = program_.file + ": '" + name(id) + "'";
  std::optional<ElementType> wanted = recipe.storage;
  if (wanted && wanted->is_float()) return {};
  if (wanted && !(*wanted == given->type.storage)) {
    if (!given->range)
      return fail(Errc::constraint, "the recipe wants " + wanted->name() + ", its parameters are of " + given->type.storage.name() + " and have no range",
                  where, "parameters with \"low\" and \"high\", or no \"storage\" in the recipe");
    const CodeFormat codes{.storage = *wanted, .narrow = recipe.narrow, .symmetric = recipe.symmetric};
    TIEBREAK_TRY(derived, derive_parameters(semantics_, *given->range, codes, where));
    type(id) = std::move(derived);
  } else {
    type(id) = given->type;
  }
  plan_.from[static_cast<std::size_t>(id)] = given->from;
  return {};
}

Status Planner::take_constant(ValueId id, const NodeRecipe& recipe) {
  if (type(id)) return {};
  const CodeFormat codes{.storage = recipe.storage.value_or(IntegerFormat{true, 8}), .narrow = recipe.narrow};
  TIEBREAK_TRY(derived, parameters_of_constant(semantics_, *value(id).constant, codes, {}, program_.file + ": '" + name(id) + "'"));
  type(id) = std::move(derived);
  plan_.from[static_cast<std::size_t>(id)] = "constant";
  return {};
}

Result<std::string> Planner::data_operand(ValueId id, const NodeRecipe& recipe) {
  if (id < 0) return std::string("an operand is absent");
  if (value(id).constant) {
    if (!is_f32(value(id))) return "'" + name(id) + "' is no f32 constant";
    TIEBREAK_CHECK(take_constant(id, recipe));
  }
  if (!type(id)) return "no parameters for '" + name(id) + "'";
  if (!type(id)->is_per_tensor()) return "'" + name(id) + "' has parameters along an axis";
  return std::string();
}

Status Planner::place(const Operation& operation, OperationPlan& made) {
  if (!operation.regions.empty() && operation.op != "stablehlo.reduce_window") return leave(made, "control flow");
  if (made.rule == nullptr) return leave(made, "no quantized form of " + operation.op);
  if (made.recipe.leave) return leave(made, "the recipe leaves it");
  if (operation.results.empty() || operation.operands.empty()) return leave(made, "nothing to quantize");
  const auto storage = made.recipe.storage;
  if (storage && *storage == f32_type()) return leave(made, "the recipe keeps it in f32");
  if (storage && storage->is_float()) {
    made.placement = Placement::half;
    return {};
  }
  switch (made.rule->kind) {
    case OperatorKind::contraction: return operation.op.starts_with("onnx.") ? place_contraction(operation, made) : place_product(operation, made);
    case OperatorKind::function: return place_function(operation, made);
    case OperatorKind::region: return place_region(operation, made);
  }
  return {};
}

void Planner::choose_opset() {
  int opset = 0;
  for (const Operation& operation : program_.operations)
    if (operation.op.starts_with("onnx.")) opset = std::max(opset, operation.version);
  int needed = opset_of_axes;
  const auto look = [&](const QuantizedType& used) {
    const bool blocks = std::ranges::any_of(used.dimensions, [](const QuantizedDimension& dimension) { return dimension.block > 1; });
    if (used.storage.bits() != 8 || blocks) needed = opset_of_narrow_codes;
  };
  for (const auto& used : plan_.types)
    if (used) look(*used);
  for (const OperationPlan& made : plan_.operations)
    if (made.weights) look(*made.weights);
  plan_.opset = std::max(opset, needed);
}

const char* to_word(Placement placement) {
  switch (placement) {
    case Placement::quantized: return "quantized";
    case Placement::region: return "on codes";
    case Placement::dynamic: return "dynamic";
    case Placement::half: return "f16";
    case Placement::left: return "real space";
  }
  return "";
}

bool Plan::is_data(std::size_t operation, std::size_t operand) const {
  const OperatorRule* rule = operations[operation].rule;
  return rule != nullptr && (rule->all_data || std::ranges::find(rule->data, operand) != rule->data.end());
}

Result<Plan> plan_forms(const Semantics& semantics, const Program& program, const Recipe& recipe, const ParameterSet& parameters) {
  return Planner(semantics, program, recipe, parameters).run();
}

}  // namespace tiebreak
