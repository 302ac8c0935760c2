// SPDX-License-Identifier: Apache-2.0
// What a rule computes of its parameters: the number behind `let`, the truth behind `condition`.
#pragma once
#include <map>
#include <string>

#include "interpreter/operations/value.hpp"

namespace tiebreak {

using RuleNumbers = std::map<std::string, Real>;  ///< parameters by name

/// An expression of the notation over parameters: numbers, operations, functions, roundings and formats, exactly as formulas of pages have them
/// (`rtz(low / s) + z`, `z == -128 and s < t`). The value is a number or a truth value; undefined is an error. Errc::syntax, Errc::unknown_name, or what the
/// operation says of its arguments; the place is `where`.
Result<Value> evaluate_rule_expression(const std::string& text, const RuleNumbers& numbers, const std::string& where);

}  // namespace tiebreak
