// SPDX-License-Identifier: Apache-2.0
// A rule over all its parameter sets: does what stands after it give what stands before it?
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"
#include "testsuite/equal/compare_programs.hpp"
#include "testsuite/rules/rule_page.hpp"

namespace tiebreak {

enum class RuleVerdict : std::uint8_t {
  holds,       ///< equal on all inputs of all sets
  saturating,  ///< they differ only where a result is at the end of its type
  off_by_one,  ///< by one code at most
  wrong,       ///< by more, somewhere
  undecided,   ///< no difference found, and some set is not decided
};
/// holds, holds unless it saturates, off by one, wrong by more, not decided.
const char* to_word(RuleVerdict verdict);

struct RuleReport {
  RulePage page;
  RuleVerdict verdict = RuleVerdict::holds;
  std::uint64_t differing_sets = 0, undecided_sets = 0;
  std::uint64_t excluded_sets = 0;  ///< by a condition: not judged
  Wide inputs = 0, differing = 0;   ///< sums over the sets
  bool counted = true;              ///< of all inputs; else some set was only tried
  Wide largest = 0;
  std::vector<std::string> ways{};          ///< how it is known, each once
  std::optional<ElementWitness> witness{};  ///< the smallest over all sets
  std::uint64_t witness_set = 0;
  std::vector<std::string> witness_inputs{};  ///< `x=3`
  bool as_stated() const { return page.verdict == to_word(verdict); }
  std::uint64_t judged_sets() const { return page.sets() - excluded_sets; }
};

/// Errc::syntax where a program cannot be read, Errc::type where the two do not match, Errc::interrupted as compare_programs has it; places are the page's.
Result<RuleReport> judge_rule(const Library& library, const RulePage& page, const ElementQuestion& limits = {});

/// The same of two programs alone, as a page with one set of parameters has them. Errc::type where they do not match.
Result<RuleReport> judge_programs(const Library& library, const RulePage& page, const RulePrograms& programs, const ElementQuestion& limits = {});

/// `s=0.5 x[0]=3: 2 before, 3 after`; "" without a witness.
std::string witness_text(const RuleReport& report);

std::string rules_text(const std::vector<RuleReport>& reports);
std::string rules_json(const std::vector<RuleReport>& reports);
/// The page docs/rules.md.
std::string rules_markdown(const std::vector<RuleReport>& reports);

}  // namespace tiebreak
