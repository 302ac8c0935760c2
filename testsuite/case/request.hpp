// SPDX-License-Identifier: Apache-2.0
// Cases in the exchange format: requests to backends and contents of golden files.
#pragma once
#include "testsuite/case/case.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

/// The request for a case. Types of results that the program leaves open are taken from the expected outputs. Inputs that are operands of a program's one
/// op carry the operand's name, too; a variadic operand's members share it. Codes carry the parameters that the program has of them, in operands, constants,
/// folded arithmetic or annotations; operands that are inputs count with what they are in this case.
ExchangeCase to_request(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected);
/// The same with the expected outputs and the choices that were in force: one case of a golden file. Parameters are those that the program alone has.
ExchangeCase to_golden(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected);

/// The choices of an op: its own and those of the modules its page uses, as `choice` and `alias.choice`.
struct OpChoice {
  std::string name;                       ///< tie, requantize.product
  std::vector<std::string> alternatives;  ///< the first is the page's own reading
  std::string key;                        ///< of a profile, for this op alone: op/choice, op/alias.choice
  std::string module;                     ///< that has the choice, "" for the op itself
  std::string alias;                      ///< "" for the op's own page
  std::string own_name;                   ///< without the alias
};
std::vector<OpChoice> choices_of(const Library& library, const std::string& op);
/// `choice=alternative` for every choice of the program's ops that the profile binds without a condition, sorted.
std::vector<std::string> clauses_of(const Semantics& semantics, const Program& program);

}  // namespace tiebreak
