// SPDX-License-Identifier: Apache-2.0
// The pass that looks up every name, word and call in the formulas of a module. Inside notation/ only.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/notation/checker.hpp"

namespace tiebreak::notation {

class References {
 public:
  explicit References(Checker& checker) : checker_(checker) {}
  void run();

 private:
  // check_references.cpp: which expressions there are, and in which frame they are read
  void op(const Op& op, const Names& names);
  void operands(const std::vector<Operand>& operands);
  void statement(const Statement& statement);
  void definition(const Definition& definition, bool of_op);
  void choice(const Choice& choice, bool of_op);
  void claim(const Claim& claim);
  void let(const Let& let);
  void parameters(const std::vector<std::string>& names, Position at);
  void body(const Body& body);
  void bind(const Binding& binding, const std::set<std::string_view>& parameters);
  void enter(const void* formula, std::string name, Position at, bool of_op);
  void leave();
  void expression(const ExprPtr& expression);
  void expression(const Expr& expression);

  // check_words.cpp: what a word stands for
  void name(const Expr& expression);
  void fact(const Meaning& meaning, const Expr& expression);
  void call(const Expr& expression);
  bool is_tensor_argument(const Expr& argument);
  void call_meaning(const Meaning& meaning, const Expr& expression);
  bool conversion(const std::string& text, Position at);
  void conversion_class(const std::string& text, std::string_view target, Position at);
  void aggregate(const Expr& expression);
  void modifier(const Expr& expression, const Modifier& modifier, int& definitions);
  void step(const Expr& expression, const Modifier& modifier, int& definitions);
  void index_arguments(const Modifier& modifier, std::size_t first);
  void arity(const std::string& text, std::size_t least, std::size_t most, std::size_t given, Position at);
  void unknown(const std::string& what, std::string_view word, Position at, const std::string& written);
  bool pending(std::string_view path, Position at);
  Meaning look_up(const std::string& path, Position at);
  void use(const Meaning& meaning);
  void report(Errc code, const std::string& what, Position at, std::string hint = {}) { checker_.report(code, what, at, std::move(hint)); }
  std::vector<std::string> candidates() const;

  Checker& checker_;
  Frame frame_{};
  const void* formula_ = nullptr;
  std::set<std::string_view> pending_{};  ///< where names that are not defined yet
  std::set<std::string_view> used_locals_{};
};

}  // namespace tiebreak::notation
