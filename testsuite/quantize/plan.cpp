// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/plan.hpp"

#include <algorithm>

#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

constexpr int opset_of_axes = 13;          // DequantizeLinear along an axis, and whole numbers in Clip
constexpr int opset_of_narrow_codes = 21;  // 4 and 16 bits, blocks

class Planner {
 public:
  Planner(const Semantics& semantics, const Program& program, const Recipe& recipe, const ParameterSet& parameters)
      : semantics_(semantics), program_(program), recipe_(recipe), parameters_(parameters) {}

  Result<Plan> run() {
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

 private:
  std::string name(ValueId id) const { return bare_name(program_, id); }
  const ProgramValue& value(ValueId id) const { return program_.values[static_cast<std::size_t>(id)]; }
  std::optional<QuantizedType>& type(ValueId id) { return plan_.types[static_cast<std::size_t>(id)]; }

  Status check_names() const {
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

  Status take_parameters(ValueId id, const NodeRecipe& recipe) {
    const TensorParameters* given = id < 0 ? nullptr : parameters_.find(name(id));
    if (given == nullptr) return {};
    const std::string where = program_.file + ": '" + name(id) + "'";
    std::optional<ElementType> wanted = recipe.storage;
    if (wanted && wanted->is_float()) return {};
    if (wanted && !(*wanted == given->type.storage)) {
      if (!given->range)
        return fail(Errc::constraint, "the recipe wants " + wanted->name() + ", its parameters are of " + given->type.storage.name() + " and have no range",
                    where, "parameters with \"low\" and \"high\", or no \"storage\" in the recipe");
      const StorageRequest request{*wanted, recipe.symmetric, recipe.narrow};
      TIEBREAK_TRY(derived, derive_parameters(semantics_, {{given->range->low}, {given->range->high}}, request, {}, {}, where));
      type(id) = std::move(derived);
    } else {
      type(id) = given->type;
    }
    plan_.from[static_cast<std::size_t>(id)] = given->from;
    return {};
  }

  /// Parameters of a constant that is no weight: one pair, from its own range.
  Status take_constant(ValueId id, const NodeRecipe& recipe) {
    if (type(id)) return {};
    const StorageRequest request{recipe.storage.value_or(IntegerFormat{true, 8}), false, recipe.narrow};
    TIEBREAK_TRY(derived, parameters_of_constant(semantics_, *value(id).constant, request, {}, program_.file + ": '" + name(id) + "'"));
    type(id) = std::move(derived);
    plan_.from[static_cast<std::size_t>(id)] = "constant";
    return {};
  }

  static bool is_f32(const ProgramValue& constant) { return constant.constant && constant.constant->element() == f32_type(); }

  /// "" where the operand has codes, else why not.
  Result<std::string> data_operand(ValueId id, const NodeRecipe& recipe) {
    if (id < 0) return std::string("an operand is absent");
    if (value(id).constant) {
      if (!is_f32(value(id))) return "'" + name(id) + "' is no f32 constant";
      TIEBREAK_CHECK(take_constant(id, recipe));
    }
    if (!type(id)) return "no parameters for '" + name(id) + "'";
    if (!type(id)->is_per_tensor()) return "'" + name(id) + "' has parameters along an axis";
    return std::string();
  }

  Status place(const Operation& operation, OperationPlan& made) {
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

  static Status leave(OperationPlan& made, std::string reason) {
    made.reason = std::move(reason);
    return {};
  }

  void code(ValueId id) {
    if (id >= 0 && type(id)) plan_.coded[static_cast<std::size_t>(id)] = true;
  }

  Status place_contraction(const Operation& operation, OperationPlan& made) {
    const ValueId weight = operation.operands.size() > 1 ? operation.operands[1] : -1;
    if (weight < 0 || value(operation.operands[0]).constant) return leave(made, "its first operand is a constant");
    if (operation.op == "onnx.Gemm" && !is_plain_gemm(operation)) return leave(made, "alpha, beta or transA is not the default");
    if (!made.recipe.dynamic) {
      TIEBREAK_TRY(reason, data_operand(operation.operands[0], made.recipe));
      if (!reason.empty()) return leave(made, reason);
    }
    if (value(weight).constant) {
      if (!is_f32(value(weight)) || value(weight).constant->shape().size() < 2) return leave(made, "its weights are no f32 matrix");
      TIEBREAK_CHECK(take_weights(operation, made));
    } else {
      if (operation.op != "onnx.MatMul" || made.recipe.dynamic) return leave(made, "its weights are no constant");
      TIEBREAK_TRY(reason, data_operand(weight, made.recipe));
      if (!reason.empty()) return leave(made, reason);
    }
    const ValueId bias = operation.operands.size() > 2 ? operation.operands[2] : -1;
    if (bias >= 0 && (!is_f32(value(bias)) || value(bias).constant->shape().size() != 1)) return leave(made, "its bias is no f32 constant of one dimension");
    made.placement = made.recipe.dynamic ? Placement::dynamic : Placement::quantized;
    if (made.recipe.dynamic) type(operation.results[0]).reset();
    if (type(operation.results[0]) && !type(operation.results[0])->is_per_tensor()) return leave(made, "its result has parameters along an axis");
    code(operation.results[0]);
    return {};
  }

  static bool is_plain_gemm(const Operation& operation) {
    const auto is = [&](const char* key, std::int64_t wanted) {
      const auto found = operation.attributes.find(key);
      return found == operation.attributes.end() || found->second.as_integer() == wanted;
    };
    return is("alpha", 1) && is("beta", 1) && is("transA", 0);
  }

  /// Along the output channels, or in blocks along the axis that is summed.
  Status take_weights(const Operation& operation, OperationPlan& made) {
    const Tensor& constant = *value(operation.operands[1]).constant;
    const auto rank = static_cast<int>(constant.shape().size());
    const auto turned = operation.attributes.find("transB");
    const bool out_first = operation.op == "onnx.Conv" || (turned != operation.attributes.end() && turned->second.as_integer() == 1);
    const int channel = out_first ? 0 : rank - 1;
    const int summed = out_first ? 1 : rank - 2;
    std::vector<QuantizedDimension> dimensions;
    if (made.recipe.granularity == WeightGranularity::axis) dimensions = {{channel, 1}};
    if (made.recipe.granularity == WeightGranularity::block) {
      for (int axis = 0; axis < rank; ++axis) dimensions.push_back({axis, axis == summed ? made.recipe.block : 1});
    }
    const StorageRequest request{made.recipe.weights, made.recipe.weights_symmetric, made.recipe.weights_narrow};
    TIEBREAK_TRY(derived, parameters_of_constant(semantics_, constant, request, std::move(dimensions), operation.where));
    made.weights = std::move(derived);
    return {};
  }

  Status place_function(const Operation& operation, OperationPlan& made) {
    if (made.recipe.bias_in_accumulator) take_bias(operation);
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      if (!made.rule->all_data && std::ranges::find(made.rule->data, i) == made.rule->data.end()) continue;
      TIEBREAK_TRY(reason, data_operand(operation.operands[i], made.recipe));
      if (!reason.empty()) return leave(made, reason);
    }
    if (!type(operation.results[0])) return leave(made, "no parameters for '" + name(operation.results[0]) + "'");
    if (!type(operation.results[0])->is_per_tensor()) return leave(made, "its result has parameters along an axis");
    made.placement = Placement::quantized;
    code(operation.results[0]);
    return {};
  }

  Status place_region(const Operation& operation, OperationPlan& made) {
    const ValueId x = operation.operands[made.rule->data[0]];
    if (!plan_.coded[static_cast<std::size_t>(x)]) return leave(made, "'" + name(x) + "' is in real space");
    if (const std::string reason = region_condition(operation, made.rule->data[0]); !reason.empty()) return leave(made, reason);
    const std::size_t alike = made.rule->results_alike ? operation.results.size() : 1;
    for (std::size_t r = 0; r < alike; ++r) {
      const ValueId y = operation.results[r];
      type(y) = type(x);
      plan_.from[static_cast<std::size_t>(y)] = "same as: " + name(x);
      code(y);
    }
    made.placement = Placement::region;
    return {};
  }

  /// What keeps this one from running on codes.
  std::string region_condition(const Operation& operation, std::size_t data) const {
    if (!operation.op.starts_with("onnx.")) return stablehlo_condition(operation, data);
    const auto constant_or_absent = [&](std::size_t i) {
      return operation.operands.size() <= i || operation.operands[i] < 0 || value(operation.operands[i]).constant;
    };
    if (operation.op == "onnx.Clip" && !(constant_or_absent(1) && constant_or_absent(2))) return "its bounds are no constants";
    if (operation.op == "onnx.Clip" && (operation.attributes.count("min") > 0 || operation.attributes.count("max") > 0)) return "its bounds are attributes";
    if (operation.op == "onnx.Pad" && !constant_or_absent(2)) return "the padding is no constant";
    if (operation.op == "onnx.Resize") {
      const auto mode = operation.attributes.find("mode");
      if (mode != operation.attributes.end() && mode->second.as_string() != "nearest") return "a resize that interpolates";
      const auto place = operation.attributes.find("coordinate_transformation_mode");
      if (place != operation.attributes.end() && place->second.as_string() == "tf_crop_and_resize") return "a resize that reaches outside";
    }
    return {};
  }

  std::string stablehlo_condition(const Operation& operation, std::size_t data) const {
    for (std::size_t i = 0; i < operation.operands.size(); ++i)
      if (i != data && !is_f32(value(operation.operands[i]))) return "its other operand is no f32 constant";
    if (!value(operation.results[0]).type) return "its shape is not known";
    for (const Region& body : operation.regions)
      if (body.program.operations.size() != 1 || body.program.operations[0].op != "stablehlo.maximum") return "its body is no maximum";
    return {};
  }

  /// stablehlo.dot_general and convolution. Without parameters of its own the result is the accumulator.
  Status place_product(const Operation& operation, OperationPlan& made) {
    const ValueId x = operation.operands[0], w = operation.operands[1], y = operation.results[0];
    if (value(x).constant || !is_f32(value(w))) return leave(made, "its weights are no f32 constant");
    if (!value(x).type || !value(y).type) return leave(made, "its shape is not known");
    if (made.recipe.dynamic || made.recipe.granularity == WeightGranularity::block)
      return leave(made, "StableHLO has no dynamic parameters and no blocks here");
    TIEBREAK_TRY(reason, data_operand(x, made.recipe));
    if (!reason.empty()) return leave(made, reason);
    std::vector<QuantizedDimension> dimensions;
    if (made.recipe.granularity == WeightGranularity::axis) {
      const int channel = output_channel(operation, made);
      if (channel < 0) return leave(made, "its weights have no one axis of output channels");
      dimensions = {{channel, 1}};
    }
    TIEBREAK_TRY(derived,
                 parameters_of_constant(semantics_, *value(w).constant, {made.recipe.weights, made.recipe.weights_symmetric, made.recipe.weights_narrow},
                                        std::move(dimensions), operation.where));
    if (has_zero_point(derived)) return leave(made, "StableHLO wants weights with zero point 0");
    if (!(derived.storage == type(x)->storage)) return leave(made, "StableHLO wants codes and weight codes of one type");
    made.weights = std::move(derived);
    if (type(y) && !type(y)->is_per_tensor()) return leave(made, "its result has parameters along an axis");
    if (!type(y)) TIEBREAK_CHECK(take_accumulator(operation, made));
    made.placement = Placement::quantized;
    code(y);
    return {};
  }

  Status take_accumulator(const Operation& operation, const OperationPlan& made) {
    const ValueId x = operation.operands[0], y = operation.results[0];
    TIEBREAK_TRY(scales, product_scales(semantics_, *type(x), *made.weights, operation.where));
    const ElementType i32 = IntegerFormat{true, 32};
    QuantizedType sum{i32, i32.min(), i32.max(), f32_type(), {}, {}, {}, {}};
    if (!made.weights->is_per_tensor()) {
      sum.dimensions = {{made.result_axis, 1}};
      sum.parameter_shape = {static_cast<std::int64_t>(scales.size())};
    }
    for (const Real& scale : scales) {
      sum.scales.push_back({scale});
      sum.zero_points.push_back({Real(0)});
    }
    type(y) = std::move(sum);
    plan_.from[static_cast<std::size_t>(y)] = "accumulator: " + name(x) + " * " + name(operation.operands[1]);
    return {};
  }

  /// The weights' axis of output channels, -1 where there are several; the result's goes into the plan.
  int output_channel(const Operation& operation, OperationPlan& made) const {
    const auto number_at = [&](const char* key) {
      const auto found = operation.attributes.find(key);
      return found == operation.attributes.end() ? -1 : static_cast<int>(found->second.as_integer().value_or(-1));
    };
    if (operation.op == "stablehlo.convolution") {
      made.result_axis = number_at("output_feature_dimension");
      return made.result_axis < 0 ? -1 : number_at("kernel_output_feature_dimension");
    }
    std::vector<std::int64_t> taken;
    for (const char* key : {"rhs_batching_dimensions", "rhs_contracting_dimensions"}) {
      const auto found = operation.attributes.find(key);
      const auto numbers = found == operation.attributes.end() ? std::nullopt : found->second.as_integers();
      if (numbers) taken.insert(taken.end(), numbers->begin(), numbers->end());
    }
    const auto rank = static_cast<int>(value(operation.operands[1]).constant->shape().size());
    if (static_cast<int>(taken.size()) + 1 != rank) return -1;
    int channel = 0;
    while (std::ranges::find(taken, channel) != taken.end()) ++channel;
    made.result_axis = static_cast<int>(value(operation.results[0]).type->shape.size()) - 1;
    return channel;
  }

  /// A constant that is added to an accumulator is a bias: it has the accumulator's parameters.
  void take_bias(const Operation& operation) {
    if (operation.op != "stablehlo.add") return;
    for (std::size_t i = 0; i < 2; ++i) {
      const ValueId sum = operation.operands[i], bias = operation.operands[1 - i];
      if (!type(sum) || type(sum)->storage.bits() != 32 || !type(sum)->is_per_tensor() || !is_f32(value(bias)) || type(bias)) continue;
      type(bias) = type(sum);
      plan_.from[static_cast<std::size_t>(bias)] = "bias" + plan_.from[static_cast<std::size_t>(sum)].substr(11);
    }
  }

  void choose_opset() {
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

  const Semantics& semantics_;
  const Program& program_;
  const Recipe& recipe_;
  const ParameterSet& parameters_;
  Plan plan_{};
};

}  // namespace

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
