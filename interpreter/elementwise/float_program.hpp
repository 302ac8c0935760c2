// SPDX-License-Identifier: Apache-2.0
// A formula in binary32 as a list of operations that a processor has: sums, products and quotients each rounded at once, and what needs no rounding.
#pragma once
#include <array>

#include "interpreter/elementwise/inputs.hpp"

namespace tiebreak {

struct FloatProgram {
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

  std::vector<Operation> operations{};           ///< in the order in which they are done; the last is the result's
  std::vector<std::vector<float>> parameters{};  ///< each by set
};

/// Nothing where some node is no such operation, or some number none of binary32. The program reads the elements of the formula's tensors, which outlive it.
std::optional<FloatProgram> float_program(const Formula& formula, NodeId result, const CellInputs& inputs, const ParameterSets& sets);

}  // namespace tiebreak
