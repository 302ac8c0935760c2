// SPDX-License-Identifier: Apache-2.0
// Which operands of an operation are scales and zero points, and of which of its values. Read from the header of its page.
#pragma once
#include <vector>

#include "interpreter/notation/syntax.hpp"
#include "interpreter/program/program.hpp"

namespace tiebreak::recover {

struct ParameterOperand {
  bool is_scale = true;
  const notation::Operand* declaration = nullptr;
  ValueId parameter = -1;    ///< -1: absent, which stands for its default
  bool is_computed = false;  ///< a result of the same operation
  ValueId owner = -1;
  bool owner_is_result = false;
  ValueId real = -1;  ///< what the codes are made from, or what is made from them, where that is a float alone
};

/// The values that each operand of the header has: variadic ones take turns at the end.
std::vector<std::vector<ValueId>> operand_values(const notation::Op& op, const Operation& operation);
std::vector<ParameterOperand> parameter_operands(const notation::Op& op, const Operation& operation, const Program& program);

/// The axis of the owner along which an indexed parameter runs, counted from 0; nothing where the page does not say, or the rank is not known.
std::optional<int> parameter_axis(const notation::Op& op, const Operation& operation, const ParameterOperand& parameter, std::optional<std::size_t> rank);

}  // namespace tiebreak::recover
