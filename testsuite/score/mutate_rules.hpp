// SPDX-License-Identifier: Apache-2.0
// The rules by which an expression is changed, one function a group of productions.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/notation/syntax.hpp"
#include "interpreter/notation/words.hpp"
#include "testsuite/score/misreading.hpp"

namespace tiebreak::notation {

/// What rules know of the names around an expression.
struct RuleNames {
  std::set<std::string> functions{};     ///< definitions and choices: a call of one is no conversion
  std::set<std::string> one_argument{};  ///< those of one parameter: they may stand for a rounding
  std::set<std::string> indexed{};       ///< operands with a value for each channel
  std::set<std::string> elements{};      ///< operands with a value for each element
};

struct Site {
  const ExprPtr& at;
  const Expr* parent = nullptr;
  const RuleNames& names;
};

using Emit = std::function<void(const char* rule, ExprPtr replacement)>;

void mutate_conversion(const Site& site, const Emit& emit);  ///< roundings, formats, saturation
void mutate_quotient(const Site& site, const Emit& emit);    ///< reciprocals, the order of rounding and zero point, grouping
void mutate_operation(const Site& site, const Emit& emit);   ///< terms, signs, constants, branches, comparisons
void mutate_name(const Site& site, const Emit& emit);        ///< multipliers with fewer bits, one channel's value for all
void mutate_aggregate(const Site& site, const Emit& emit);
void mutate_truth(const ExprPtr& root, const Emit& emit);  ///< of a formula that is a whole result

/// Ways to read a call of the op, or its structure, wrongly.
std::vector<Misreading> misreadings_of(const Op& op, const Structure& structure);

/// A call of one argument that converts: f32(e), sat.y(e), rtz.bf16(e), D(e). nullopt for everything else, rounding words included.
std::optional<Conversion> conversion_of(const Expr& expression, const RuleNames& names);
/// f32(e), D(e): rounds to a float format, without a direction, as far as the text says.
bool rounds_to_float(const Expr& expression, const RuleNames& names);
/// rne(e), tie(e).
bool rounds_to_whole(const Expr& expression, const RuleNames& names);
bool is_operation(const Expr& expression, std::string_view operators);  ///< binary, one of the characters

// Trees that replace others; they stand where the original did.
ExprPtr make_call(std::string text, std::vector<ExprPtr> args, Position at);
ExprPtr make_binary(const char* text, ExprPtr left, ExprPtr right);
ExprPtr make_number(std::int64_t value, Position at);
ExprPtr make_name(std::string text, Position at);

}  // namespace tiebreak::notation
