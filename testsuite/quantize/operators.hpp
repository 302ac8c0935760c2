// SPDX-License-Identifier: Apache-2.0
// What each operator is to a quantizer: a contraction of codes and weight codes, a function of real numbers, or an operator that runs on codes as they are.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tiebreak {

enum class OperatorKind : std::uint8_t {
  contraction,  ///< a sum of products: codes times weight codes in an accumulator
  function,     ///< dequantize, compute, quantize; some have an operator of their own on codes
  region,       ///< moves, or chooses among, the codes of its first operand: the result has that operand's parameters
};

struct OperatorRule {
  std::string op;
  OperatorKind kind;
  std::vector<std::size_t> data{};      ///< operands that are tensors of real numbers
  bool all_data = false;                ///< every operand is
  std::optional<std::size_t> weight{};  ///< of a contraction
  std::optional<std::size_t> bias{};
  std::string on_codes{};      ///< the operator with parameters as operands that a runtime has for it: microsoft.QLinearAdd
  bool results_alike = false;  ///< every result has the parameters, not only the first
};

/// nullptr: the operator stays in real space.
const OperatorRule* find_operator_rule(const std::string& op);

}  // namespace tiebreak
