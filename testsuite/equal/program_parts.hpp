// SPDX-License-Identifier: Apache-2.0
// What the formulas of a program are made of: its calls, bound, and where each value comes from. Inside equal/ only.
#pragma once
#include "testsuite/equal/element_formula.hpp"

namespace tiebreak {

struct ProgramFormulas::Parts {
  /// One result of one operation: where its value comes from.
  struct Producer {
    std::size_t operation = 0, result = 0;
  };

  /// An operation with its formula, one for each part where it gives parts.
  struct BoundOperation {
    std::vector<OpCall> calls{};  ///< one, or one a part: what the formulas refer to
    std::vector<Formula> formulas{};
    std::vector<std::vector<int>> operand_of{};  ///< of each formula: the call's operand that a source reads, -1 for numbers
    std::optional<Error> unusable{};
  };

  const Program* program = nullptr;
  Stop stop{};
  std::vector<InputRole> roles{};
  std::vector<ReachedCall> reached{};
  std::vector<BoundOperation> operations{};
  std::vector<std::optional<Producer>> producers{};  ///< by value
  std::vector<std::optional<std::size_t>> input_of{};
  std::vector<std::optional<Tensor>> constants{};  ///< by value: constants, and inputs whose value is fixed
  std::vector<std::uint8_t> varies{};              ///< by value: some leaf leads to it
  std::vector<TensorType> types{};                 ///< by value, as the program's run gave them
  std::vector<TensorType> input_types{}, output_types{};

  void bind_operation(const Semantics& semantics, std::size_t operation);
  Status places_do_not_vary(const Operation& operation, const BoundOperation& bound) const;
};

}  // namespace tiebreak
