// SPDX-License-Identifier: Apache-2.0
// A function of one code of at most 8 bits, as the table of its results.
#pragma once
#include <optional>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

struct TableOfCodes {
  std::string operand;  ///< whose code is looked up
  ResultTensor values;  ///< entry i: the result for the code whose bits are i. Undefined where i is no code of the operand
};
/// Nothing where the op is no such function: it is not elementwise, several operands are data, a parameter differs from channel to channel, or the data have
/// more than 8 bits. An error is an interrupt.
Result<std::optional<TableOfCodes>> code_table(const Semantics& semantics, const OpCall& call, std::size_t result);

}  // namespace tiebreak
