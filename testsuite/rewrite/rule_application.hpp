// SPDX-License-Identifier: Apache-2.0
// A rule at one place of a program: with which parameters it stands there, and what takes its place.
#pragma once
#include <optional>
#include <string>

#include "interpreter/semantics/library.hpp"
#include "testsuite/rewrite/rule_match.hpp"

namespace tiebreak {

struct RuleApplication {
  RuleValues values{};      ///< of parameters and of what follows from them, as they are there
  RulePrograms programs{};  ///< the rule's own two programs with these values, and its own shapes
  RuleMatch match{};
  std::vector<ValueId> constants{};  ///< by value of `after`: the program's constant that it is; -1 of others
  Program after{};                   ///< what stands there then: with the shapes, and the constants that may be any, of the program
  std::string refused{};             ///< why it cannot stand there, though the program before does; "" where it can
};

/// The first pattern of the rule that stands at that operation and fulfils the conditions; nullopt where none does. `program` has the types of its values.
std::optional<RuleApplication> find_application(const Semantics& semantics, const RulePatterns& patterns, const Program& program, std::size_t operation);

/// Puts `after` in the place of what is matched. Operations of the program before that others read stay.
void apply_rule(const RuleApplication& application, std::size_t operation, Program& program);

/// The two programs to judge a rewrite by, each by itself.
struct JudgedPrograms {
  RulePrograms programs{};
  bool own_shapes = false;  ///< the rule's; else those of the program
};
/// With the program's shapes, constants and attributes. A result of more than 4096 elements is not looked at element by element: where only single numbers of
/// the program go in, the rule's own shapes stand for it.
JudgedPrograms programs_at(const RulePage& page, const RuleApplication& application, const Program& program);

}  // namespace tiebreak
