// SPDX-License-Identifier: Apache-2.0
// The walk that makes a plan: parameters taken for values, then each operation placed, in the order of the program.
#pragma once
#include "testsuite/case/value_name.hpp"
#include "testsuite/quantize/plan.hpp"

namespace tiebreak {

class Planner {
 public:
  Planner(const Semantics& semantics, const Program& program, const Recipe& recipe, const ParameterSet& parameters)
      : semantics_(semantics), program_(program), recipe_(recipe), parameters_(parameters) {}
  Result<Plan> run();

 private:
  std::string name(ValueId id) const { return bare_name(program_, id); }
  const ProgramValue& value(ValueId id) const { return program_.values[static_cast<std::size_t>(id)]; }
  std::optional<QuantizedType>& type(ValueId id) { return plan_.types[static_cast<std::size_t>(id)]; }
  static bool is_f32(const ProgramValue& constant) { return constant.constant && constant.constant->element() == f32_type(); }
  static Status leave(OperationPlan& made, std::string reason) {
    made.reason = std::move(reason);
    return {};
  }
  void code(ValueId id) {
    if (id >= 0 && type(id)) plan_.coded[static_cast<std::size_t>(id)] = true;
  }

  Status check_names() const;
  Status take_parameters(ValueId id, const NodeRecipe& recipe);
  /// Parameters of a constant that is no weight: one pair, from its own range.
  Status take_constant(ValueId id, const NodeRecipe& recipe);
  /// "" where the operand has codes, else why not.
  Result<std::string> data_operand(ValueId id, const NodeRecipe& recipe);
  Status place(const Operation& operation, OperationPlan& made);
  void choose_opset();

  Status place_function(const Operation& operation, OperationPlan& made);
  Status place_region(const Operation& operation, OperationPlan& made);
  /// What keeps this one from running on codes.
  std::string region_condition(const Operation& operation, std::size_t data) const;
  std::string stablehlo_condition(const Operation& operation, std::size_t data) const;

  Status place_contraction(const Operation& operation, OperationPlan& made);
  static bool is_plain_gemm(const Operation& operation);
  /// Along the output channels, or in blocks along the axis that is summed.
  Status take_weights(const Operation& operation, OperationPlan& made);
  /// stablehlo.dot_general and convolution. Without parameters of its own the result is the accumulator.
  Status place_product(const Operation& operation, OperationPlan& made);
  Status take_accumulator(const Operation& operation, const OperationPlan& made);
  /// The weights' axis of output channels, -1 where there are several; the result's goes into the plan.
  int output_channel(const Operation& operation, OperationPlan& made) const;
  /// A constant that is added to an accumulator is a bias: it has the accumulator's parameters.
  void take_bias(const Operation& operation);

  const Semantics& semantics_;
  const Program& program_;
  const Recipe& recipe_;
  const ParameterSet& parameters_;
  Plan plan_{};
};

}  // namespace tiebreak
