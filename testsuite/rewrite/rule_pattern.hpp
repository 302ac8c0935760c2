// SPDX-License-Identifier: Apache-2.0
// A rule as a pattern: the program before the rewrite, and where its parameters can be read off a program that looks like it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "testsuite/rules/rule_page.hpp"

namespace tiebreak {

/// A place of the program before the rewrite whose number moves with a parameter.
struct ParameterPlace {
  enum class Kind : std::uint8_t {
    scale,       ///< of a value's type, per tensor
    zero_point,  ///< of a value's type, per tensor
    attribute,   ///< of an operation: a number, or an entry of a list
    constant,    ///< an element of a constant
  };
  Kind kind = Kind::constant;
  std::size_t at = 0;       ///< the value, or the operation
  std::string attribute{};  ///< its name
  std::int64_t entry = 0;   ///< of a list, or element of a constant
  bool every = false;       ///< all elements of the constant move with it
  bool is_read = true;      ///< it holds the parameter itself; else another number that follows from it
};

/// The rule for one choice of those parameters that stand where no number can be read (a type, an operator's name): one pattern for each of their values.
struct RulePattern {
  RulePrograms programs;                                        ///< with the first value of each parameter that is read
  RuleValues chosen{};                                          ///< of the parameters that are not
  std::map<std::string, std::vector<ParameterPlace>> places{};  ///< by parameter, those with the exact number first
};

/// A rule that cannot be applied: its programs give several results, or the program before is no operation at all.
struct RulePatterns {
  RulePage page;
  std::vector<RulePattern> patterns{};
  std::string unusable{};  ///< why there are none
};

/// Errc::syntax and others as programs of rules have them.
Result<RulePatterns> patterns_of(const RulePage& page);

/// The number at a place; nullopt where the program has none there.
std::optional<Real> number_at(const Program& program, const ParameterPlace& place);

}  // namespace tiebreak
