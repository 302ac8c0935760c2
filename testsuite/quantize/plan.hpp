// SPDX-License-Identifier: Apache-2.0
// Which operations of a float program are quantized, how, and with which parameters; the rest stays in real space, with the reason.
#pragma once
#include "testsuite/parameters/parameters.hpp"
#include "testsuite/quantize/operators.hpp"
#include "testsuite/quantize/page_values.hpp"

namespace tiebreak {

enum class Placement : std::uint8_t {
  quantized,  ///< on codes, with parameters of operands and result
  region,     ///< on the codes of its operand
  dynamic,    ///< a contraction whose activation gets its parameters while the program runs
  half,       ///< in f16
  left,       ///< in real space
};
const char* to_word(Placement placement);

struct OperationPlan {
  Placement placement = Placement::left;
  const OperatorRule* rule = nullptr;
  NodeRecipe recipe{};
  std::string reason{};                    ///< of what is left
  std::optional<QuantizedType> weights{};  ///< of a contraction's constant operand
  int result_axis = -1;                    ///< where the output channels stand in the result
};

struct Plan {
  const Program* source = nullptr;
  std::vector<OperationPlan> operations{};            ///< one for each of the program's
  std::vector<std::optional<QuantizedType>> types{};  ///< of values, where they have codes
  std::vector<std::string> from{};                    ///< where a value's parameters come from
  std::vector<bool> coded{};                          ///< the value is made as codes, by its operation
  int opset = 0;

  bool is_data(std::size_t operation, std::size_t operand) const;
};

/// Errc::unknown_name for parameters of a value that the program has not; Errc::constraint where recipe and parameters contradict each other.
Result<Plan> plan_forms(const Semantics& semantics, const Program& program, const Recipe& recipe, const ParameterSet& parameters);

}  // namespace tiebreak
