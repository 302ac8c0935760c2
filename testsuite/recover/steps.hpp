// SPDX-License-Identifier: Apache-2.0
// What an operation does to the one operand that varies: multiplies it, rounds it, holds it within a range. Its page is asked, at a few points, so that
// `onnx.Mul`, `relay.multiply` and `tosa.MUL` are one step, and so is whatever else multiplies.
#pragma once
#include <optional>

#include "testsuite/recover/constants.hpp"

namespace tiebreak::recover {

enum class StepKind : std::uint8_t { same, multiply, divide, add, subtract, round, round_down, hold, convert, shift_down };

struct Step {
  StepKind kind = StepKind::same;
  ValueId operand = -1;   ///< the one that varies
  ValueId constant = -1;  ///< of multiply, divide, add, subtract, shift_down
  Along by{};             ///< its numbers; of shift_down powers of two
  Real low, high;         ///< of hold; infinite where it holds only one end
  ElementType element{};  ///< of the result
};

/// Nothing for operations that are none of these steps. `element` is that of the operand that varies.
std::optional<Step> step_of(const Semantics& semantics, const ValueGraph& graph, const Constants& constants, const Operation& operation,
                            const std::optional<ElementType>& element);
/// Whether an operation of two operands that vary is their sum.
bool is_sum(const Semantics& semantics, const Operation& operation, const ElementType& element);

}  // namespace tiebreak::recover
