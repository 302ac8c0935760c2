// SPDX-License-Identifier: Apache-2.0
// The walk over a program that gathers what is known of each value. Its parts lie in files of their own: operands that are parameters, arithmetic
// into which parameters were folded, contractions, weights on a grid, values that keep another one's parameters.
#pragma once
#include <set>

#include "testsuite/recover/annotation.hpp"
#include "testsuite/recover/parameter_operands.hpp"
#include "testsuite/recover/steps.hpp"

namespace tiebreak::recover {

/// A value as a multiple of another one: what it stands for is (v - zero) * scale. Of an accumulator whose scale is not known `scale` is in units of it.
struct Chain {
  ValueId real = -1;     ///< the float that it stands for; -1 of codes whose real side is not known
  ValueId codes = -1;    ///< the codes that it comes from; -1: from `real`
  int contraction = -1;  ///< whose scale is the unit
  Along scale = one_number(1), zero = one_number(0);
  Real low = Real::infinity(true), high = Real::infinity();
  bool is_unit = false;  ///< the scale and zero point of `codes` are not known: they are 1 and 0 here
  bool is_rounded = false, is_scaled = false;
  Real error = 0;             ///< relative, of the scale
  std::string how{};          ///< 1 / 8429.23
  std::string op{}, place{};  ///< of the operation that scales
};

/// A sum of products of codes.
struct Contraction {
  ValueId a = -1, b = -1, result = -1;
  const Operation* operation = nullptr;
  Along scale{};  ///< of the result, once it is known
  ValueId real = -1;
  Real error = 0;
  std::string how{}, op{}, place{};
  std::vector<ValueId> biases{}, members{};  ///< added to it; integers that have its scale
  bool is_requantized = false;               ///< goes to codes again before it is in real space
};

class Recovery {
 public:
  Recovery(const Semantics& semantics, const Program& program, const RecoverQuestion& question, Constants constants)
      : semantics_(semantics), program_(program), question_(question), constants_(std::move(constants)), graph_(program) {}
  Result<RecoveredParameters> run();

 private:
  // walk.cpp
  Status visit(const Operation& operation);
  Status follow(const Operation& operation);
  void state_types();
  void name_real_sides(const Operation& operation);
  void share_elements(const notation::Op& op, const Operation& operation);
  CodeFacts& facts(ValueId id);
  std::optional<ElementType> element_of(ValueId id) const;
  std::optional<std::size_t> rank_of(ValueId id) const;

  // stated.cpp
  void take_parameters(const notation::Op& op, const Operation& operation);
  void take_parameter(const notation::Op& op, const Operation& operation, const ParameterOperand& parameter);
  void take_values(const notation::Op& op, const Operation& operation, const ParameterOperand& parameter, const Tensor& tensor);
  void take_annotation(const Operation& operation);
  const Tensor* parameter_value(ValueId id) const;

  // annotated.cpp
  Status take_annotations();
  Status annotate(ValueId id, Annotation annotation);
  void annotate_real(ValueId id, const Annotation& annotation);
  void find_named(Annotation& annotation) const;

  // folded.cpp
  void take_step(const Operation& operation, const Step& step);
  std::optional<Chain> chain_of(ValueId id) const;
  bool apply(Chain& chain, const Step& step, const Operation& operation) const;
  void carry_codes(ValueId result, const Chain& chain, Step step, const Operation& operation);
  void make_codes(ValueId result, const Chain& chain, const Step& step, const Operation& operation);
  bool leads_to_codes(ValueId id, bool is_rounded, int depth = 0) const;
  bool is_followed_by(ValueId id, StepKind kind) const;
  void reach_real_space(ValueId result, const Chain& chain, const Operation& operation);
  Real error_of(const Real& constant) const;

  // contractions.cpp
  bool contract(const notation::Op& op, const Operation& operation);
  void add_bias(const Operation& operation);
  void solve(const Contraction& contraction);
  void solve_other(const Contraction& contraction, ValueId known, ValueId unknown);
  void solve_all();
  std::string name_of(ValueId id) const;
  std::optional<Along> scale_of(ValueId id, Real& error) const;
  Real nearest_scale(const Real& number, const Real& error, std::string& how) const;

  // weights.cpp
  void find_grids();
  void find_grid(ValueId weight, const Operation& operation);

  // passed_on.cpp
  void pass_on(const notation::Op& op, const Operation& operation);

  // results.cpp
  RecoveredParameters results() const;
  void add_result(RecoveredParameters& found, std::set<std::string>& names, ValueId id, const CodeFacts& known) const;
  std::optional<QuantizedType> type_of(ValueId id, const CodeFacts& known, std::string& why) const;
  std::string tensor_name(ValueId id, const CodeFacts& known) const;

  const Semantics& semantics_;
  const Program& program_;
  const RecoverQuestion& question_;
  Constants constants_;
  ValueGraph graph_;
  std::map<ValueId, CodeFacts> facts_{};
  std::map<ValueId, std::set<ValueId>> quantized_as_{}, dequantized_from_{};  ///< codes by the value in real space
  std::map<ValueId, Chain> chains_{};
  std::map<ValueId, Step> steps_{};  ///< by result
  std::map<ValueId, ElementType> elements_{};
  std::vector<Contraction> contractions_{};
  std::vector<RecoveredTensor> grids_{};
  std::vector<LostParameter> lost_{};
};

}  // namespace tiebreak::recover
