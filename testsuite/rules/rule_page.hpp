// SPDX-License-Identifier: Apache-2.0
// A rewrite of some compiler as a page: what stands before and after it, as programs with parameters, and what is claimed of them.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/exact/real.hpp"
#include "interpreter/program/program.hpp"

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

/// `let low: rtz(a / s) + z`, a number that follows from parameters, or `condition: s < t`: an expression of the notation.
struct RuleFormula {
  std::string name;  ///< "" of a condition
  std::string expression;
  std::string where;  ///< its line in the page
};

/// What stands for each name of a rule, as text: parameters, then what follows from them.
using RuleValues = std::vector<std::pair<std::string, std::string>>;

/// The block `rule` of a page: lines `parameter s: 0.05, 1`, `let m: s / t`, `condition: s < t`, `claim: ...`, `verdict: ...`, `profile: NAME`,
/// `seen BACKEND: ...`, an empty line, then the text of two functions, the first before the rewrite and the second after it. Where the rule is applied to a
/// program, `any value: %w` lets a constant be any other, `any attribute: axis` an attribute that both programs write, and `shapes: fixed` asks for the shapes
/// that are written.
struct RulePage {
  std::string name;   ///< tvm/relu
  std::string file;   ///< spec/rules/tvm/relu.md
  std::string title;  ///< first heading
  std::vector<RuleParameter> parameters{};
  std::string claim{};    ///< what its authors say: equal, within one ...; `not applied`: they say where it ends; `planted`: a mistake that nobody makes
  std::string verdict{};  ///< what is known of it, as `rule verify` found it: to_word(RuleVerdict)
  std::string profile = "reference";
  std::vector<RuleSeen> seen{};
  std::vector<RuleFormula> lets{};        ///< in the order in which they may name one another
  std::vector<RuleFormula> conditions{};  ///< all hold; a set of parameters for which one does not is none of the rule's
  std::vector<std::string> any_values{};  ///< constants of the program before, without %, that the program after has by the same name
  std::vector<std::string> any_attributes{};
  bool fixed_shapes = false;
  std::string program{};
  int line = 0;  ///< of the program's first line in the page

  bool is_applied() const { return claim != "not applied" && claim != "planted"; }  ///< by somebody
  std::uint64_t sets() const;
  /// Names and values of the n-th combination, the last parameter fastest.
  RuleValues values_of(std::uint64_t set) const;
  /// With what follows from them behind.
  Result<RuleValues> with_lets(RuleValues parameters) const;
  /// Whether every condition holds.
  Result<bool> admits(const RuleValues& values) const;
  /// The program with these values in place of the names.
  std::string program_with(const RuleValues& values) const;
  /// The program with the values of that combination; nullopt where a condition does not hold.
  Result<std::optional<std::string>> program_of(std::uint64_t set) const;
  /// `s=0.05 z=-7`
  std::string set_text(std::uint64_t set) const;
};

struct RulePrograms {
  Program before, after;
};
/// Of a rule's text with values for its names. Errc::syntax where it cannot be read or has not two functions; places are the page's.
Result<RulePrograms> parse_rule_programs(const RulePage& page, const std::string& text);

/// As programs write it, exactly: whole numbers without a point.
std::string number_text(const Real& number);

/// Errc::syntax with its place where the block is not as above, names a parameter or a constant that the program does not have, or has more than 4096 sets.
Result<RulePage> read_rule(const std::string& text, const std::string& name, const std::string& file);
/// The pages below DIRECTORY/rules whose names match one of the globs (none: all), by name. Errc::unknown_name where none does.
Result<std::vector<RulePage>> load_rules(const std::vector<std::string>& directories, const std::vector<std::string>& globs);

}  // namespace tiebreak
