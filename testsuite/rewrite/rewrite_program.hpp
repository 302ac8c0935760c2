// SPDX-License-Identifier: Apache-2.0
// Rules applied to a program until none stands anywhere: what `tiebreak rewrite` does, and what `equal` compares under rules.
#pragma once
#include <string>
#include <vector>

#include "testsuite/rewrite/rule_application.hpp"
#include "testsuite/rules/judge_rule.hpp"

namespace tiebreak {

/// One rewrite that was made.
struct MadeRewrite {
  std::string rule;    ///< affine/relu
  std::string file;    ///< its page
  std::string stated;  ///< its page's verdict, over the page's own sets of parameters
  std::string where;   ///< the operation whose result was computed anew
  std::string value;   ///< that result
  RuleValues values{};
  JudgedPrograms judged_by{};          ///< with these values
  std::string profile{};               ///< the rule's
  std::optional<RuleReport> judged{};  ///< of these programs alone
};

/// A place where the program before a rewrite stands, and what comes after it does not fit.
struct RefusedRewrite {
  std::string rule, where, value, why;
};

struct RewriteReport {
  std::string name;  ///< of the program, as the user wrote it
  std::size_t rules = 0;
  std::size_t most = 0;             ///< rewrites after which it counts as endless
  Program program{};                ///< after them
  std::vector<MadeRewrite> made{};  ///< in their order
  std::vector<RefusedRewrite> refused{};
  std::vector<std::pair<std::string, std::string>> unusable{};  ///< rules that cannot be applied, and why
};

struct RewriteQuestion {
  std::string name;      ///< of the program
  std::size_t most = 0;  ///< 0: 1000, and 16 for each operation
  bool judge = false;    ///< keep of each rewrite what judge_rewrites compares
};

/// The pages whose names match the globs. What nobody applies (claims `not applied` and `planted`) is there only where a glob is its very name.
Result<std::vector<RulePage>> load_applied_rules(const std::vector<std::string>& directories, const std::vector<std::string>& globs);

/// From operands to users; at each operation the rules in the order given, by their names as they are loaded; what a rewrite makes is looked at next. Again
/// until nothing changes. Errc::limit where that does not end, Errc::syntax of a rule that cannot be read, Errc::interrupted.
Result<RewriteReport> rewrite_program(const Semantics& semantics, const Program& program, const std::vector<RulePage>& rules, const RewriteQuestion& question);

/// Judges each rewrite over all inputs, by what programs_at gives of its place, each kind once. The question asked to judge.
Status judge_rewrites(const Library& library, RewriteReport& report, const ElementQuestion& limits);

std::string rewrite_text(const RewriteReport& report);
/// `tiebreak.rewrite/1`.
std::string rewrite_json(const RewriteReport& report);

}  // namespace tiebreak
