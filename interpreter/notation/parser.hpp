// SPDX-License-Identifier: Apache-2.0
// Tokens -> tree, by recursive descent: one function a production of docs/notation.md. Inside notation/ only.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/notation/lexer.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

inline constexpr int nesting_limit = 200;  ///< brackets, if, -, not, ^ inside one another
inline constexpr int height_limit = 1000;  ///< of a tree, long chains of operators included: every walk over it is recursive

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::string file) : tokens_(std::move(tokens)), file_(std::move(file)) {}
  Result<Module> module(std::string name);
  Result<ExprPtr> lone_expression();

 private:
  /// A tree and its height.
  struct Node {
    ExprPtr tree;
    int height = 1;
  };
  using Nodes = std::vector<Node>;
  struct Nesting;

  // parse_expression.cpp
  Result<ExprPtr> tree();
  Result<Node> expression();
  Result<Node> conditional();
  Result<Node> disjunction();
  Result<Node> conjunction();
  Result<Node> negation();
  Result<Node> relation();
  Result<Node> sum();
  Result<Node> term();
  Result<Node> sign();
  Result<Node> power();
  Result<Node> item();
  Result<Node> atom();
  Result<Node> word();
  Result<Node> number();
  Result<Node> parenthesis();
  Result<Node> list();
  Result<Node> data();
  Result<Node> call_or_name();
  Result<Node> minimum_or_maximum();
  Result<Node> aggregate();
  Result<std::vector<Modifier>> modifiers(int& height);
  Result<Nodes> arguments(std::string_view closing);
  Result<Node> chain(std::initializer_list<std::string_view> operators, Result<Node> (Parser::*next)());
  Result<Node> make(ExprKind kind, const Token& at, Nodes parts, std::vector<Modifier> modifiers = {}, int modifier_height = 0);

  // parse_statement.cpp
  Result<std::vector<std::string>> parameters();
  Result<std::vector<std::string>> target();
  Result<Body> body();
  Result<Definition> definition();
  Result<Choice> choice();
  Result<std::vector<Alternative>> alternatives();
  Result<Addition> addition();
  Result<Claim> claim();
  Result<TypeVariables> type_variables();
  Result<TypeAlias> type_alias();
  Result<Structure> structure();
  Result<Constraint> constraint();
  Result<Stage> stage();
  Result<Let> let();

  // parse_module.cpp
  Result<Use> use();
  Result<Op> op();
  Result<std::vector<Operand>> operands(std::string_view closing);
  Result<Operand> operand();
  Status operand_types(Operand& operand);
  Result<std::vector<Index>> indices();
  Status module_statement(Module& module);
  Status op_statement(Op& op);
  bool begins_stage() const;
  bool begins_let() const;
  tl::unexpected<Error> unknown_statement() const;

  // parser.cpp
  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(position_ + ahead, tokens_.size() - 1)]; }
  const Token& take() { return tokens_[std::min(position_++, tokens_.size() - 1)]; }
  bool is(std::string_view text, std::size_t ahead = 0) const;
  bool accept(std::string_view text);
  Status expect(std::string_view text);
  Status end_statement();
  Result<std::string> name(std::string_view what);      ///< one word that is not of the syntax
  Result<std::string> any_word(std::string_view what);  ///< one word
  Result<std::string> path(std::string_view what);
  tl::unexpected<Error> unexpected(std::string_view expected, std::string hint = {}) const;
  tl::unexpected<Error> error(const Token& token, std::string what, std::string hint = {}) const;

  std::vector<Token> tokens_;
  std::string file_;
  std::size_t position_ = 0;
  int nesting_ = 0;
};

}  // namespace tiebreak::notation
