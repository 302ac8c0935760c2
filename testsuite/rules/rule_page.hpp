// SPDX-License-Identifier: Apache-2.0
// A rewrite of some compiler as a page: what stands before and after it, as programs with parameters, and what is claimed of them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

struct RuleParameter {
  std::string name;
  std::vector<std::string> values{};  ///< texts, put in place of {name}
};

/// What a backend was seen to make of the program before the rewrite, where the rule fails: `seen onnxruntime --level 0: before`.
struct RuleSeen {
  std::string backend;  ///< its name, and options behind it
  std::string result;   ///< to_word(SeenResult)
};

/// The block `rule` of a page: lines `parameter s: 0.05, 1`, `claim: ...`, `verdict: ...`, `profile: NAME`, `seen BACKEND: ...`, an empty line, then the text
/// of two functions, the first before the rewrite and the second after it.
struct RulePage {
  std::string name;   ///< tvm/relu
  std::string file;   ///< spec/rules/tvm/relu.md
  std::string title;  ///< first heading
  std::vector<RuleParameter> parameters{};
  std::string claim{};    ///< what its authors say: equal, within one ...
  std::string verdict{};  ///< what is known of it, as `rule verify` found it: to_word(RuleVerdict)
  std::string profile = "reference";
  std::vector<RuleSeen> seen{};
  std::string program{};
  int line = 0;  ///< of the program's first line in the page

  std::uint64_t sets() const;
  /// Names and values of the n-th combination, the last parameter fastest.
  std::vector<std::pair<std::string, std::string>> values_of(std::uint64_t set) const;
  /// The program with the values of that combination.
  std::string program_of(std::uint64_t set) const;
  /// `s=0.05 z=-7`
  std::string set_text(std::uint64_t set) const;
};

/// Errc::syntax with its place where the block is not as above, names a parameter that the program does not have, or has more than 4096 sets.
Result<RulePage> read_rule(const std::string& text, const std::string& name, const std::string& file);
/// The pages below DIRECTORY/rules whose names match one of the globs (none: all), by name. Errc::unknown_name where none does.
Result<std::vector<RulePage>> load_rules(const std::vector<std::string>& directories, const std::vector<std::string>& globs);

}  // namespace tiebreak
