// SPDX-License-Identifier: Apache-2.0
// A formula in binary32 as a list of operations that a processor has: sums, products and quotients each rounded at once, and what needs no rounding.
#pragma once
#include <array>
#include <map>

#include "interpreter/elementwise/inputs.hpp"

namespace tiebreak {

class FloatProgram {
 public:
  /// What an operation reads: another one's lanes, elements of an operand, or a parameter's numbers, one for each set of parameters.
  struct Argument {
    enum class Kind : std::uint8_t { lanes, elements, parameter } kind = Kind::parameter;
    std::size_t number = 0;  ///< of the operation, or of the parameter
    const float* elements = nullptr;
    const std::int32_t* integers = nullptr;  ///< of round_float: elements that are rounded to binary32
  };
  /// `real_function` is the square root, the one that IEEE 754 rounds; `conditional` has its condition last; truth values are 1 and 0. What an operation does
  /// not read is its first argument again.
  struct Operation {
    NodeOp op = NodeOp::add;
    std::array<Argument, 3> arguments{};
  };

  /// Nothing where some node is no such operation, or some number none of binary32.
  static std::optional<FloatProgram> of(const Formula& formula, NodeId result, const CellInputs& inputs, const ParameterSets& sets);

  const std::vector<Operation>& operations() const { return operations_; }           ///< in the order in which they are done; the last is the result's
  const std::vector<std::vector<float>>& parameters() const { return parameters_; }  ///< each by set

 private:
  FloatProgram(const Formula& formula, const CellInputs& inputs, const ParameterSets& sets) : formula_(&formula), inputs_(&inputs), sets_(&sets) {}
  std::optional<Argument> number(NodeId id);
  std::optional<Argument> rounded(const Node& node);
  std::optional<Argument> rounded_integers(const Node& element);
  std::optional<Argument> element(const Node& node);
  std::optional<Argument> truth(NodeId id);
  std::optional<Argument> operation(const Node& node, std::size_t arguments);
  std::optional<Argument> added(NodeOp op, const std::array<Argument, 3>& arguments);
  template <class Value>
  std::optional<Argument> parameter(Value value, std::int64_t different);

  const Formula* formula_;
  const CellInputs* inputs_;
  const ParameterSets* sets_;
  std::vector<Operation> operations_{};
  std::vector<std::vector<float>> parameters_{};
  std::map<NodeId, Argument> known_{};
};

}  // namespace tiebreak
