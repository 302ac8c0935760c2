// SPDX-License-Identifier: Apache-2.0
// What a backend makes of a rule that fails: whether it shows the difference that was found, or keeps the program as it stands.
#pragma once
#include <string>

#include "testsuite/backends/backend.hpp"
#include "testsuite/rules/judge_rule.hpp"

namespace tiebreak {

enum class SeenResult : std::uint8_t {
  before,       ///< the program before the rewrite gives what the page says of it: it is not rewritten, or nothing is lost
  after,        ///< it gives what the page says of the program after the rewrite, which differs: the difference is there
  neither,      ///< it gives something else, or the program after the rewrite does
  unsupported,  ///< the backend has no answer
};
/// before, after, neither, unsupported: as pages state it.
const char* to_word(SeenResult result);

struct RuleAnswer {
  std::string rule;
  SeenResult result = SeenResult::unsupported;
  std::string stated;  ///< by the page, of this backend with these options; "" where it says nothing
  std::string inputs;  ///< `s=0.1 x[0]=3`
  std::string text;    ///< what came back, or why nothing did
  bool as_stated() const { return stated.empty() || stated == to_word(result); }
};

/// Asks for the results of both programs at the witness; `spelled` is the backend with its options, as pages write it. The report has a witness. Errors are
/// those of evaluating the programs.
Result<RuleAnswer> ask_rule(const Library& library, const RuleReport& report, const std::string& spelled, Backend& backend);

/// One line a rule, and how many are as their pages state.
std::string answers_text(const std::string& backend, const std::vector<RuleAnswer>& answers);

}  // namespace tiebreak
