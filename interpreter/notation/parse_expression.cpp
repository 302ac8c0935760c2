// SPDX-License-Identifier: Apache-2.0
// Expressions, weakest binding first: if, or, and, not, comparison, + -, * /, unary -, ^, items, atoms.
#include <algorithm>
#include <array>

#include "interpreter/notation/parser.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

constexpr std::array<std::string_view, 7> relations{"==", "!=", "<", "<=", ">", ">=", "in"};

}  // namespace

/// Counts one level for as long as it lives.
struct Parser::Nesting {
  explicit Nesting(Parser& parser) : level(parser.nesting_) { ++level; }
  ~Nesting() { --level; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool too_deep() const { return level > nesting_limit; }
  int& level;
};

Result<Parser::Node> Parser::make(ExprKind kind, const Token& at, Nodes parts, std::vector<Modifier> modifiers, int modifier_height) {
  Expr made;
  made.kind = kind;
  made.at = at.at;
  made.text = std::string(at.text);
  made.modifiers = std::move(modifiers);
  int height = modifier_height;
  for (Node& part : parts) {
    height = std::max(height, part.height);
    made.args.push_back(std::move(part.tree));
  }
  if (height >= height_limit)
    return fail(Errc::limit, "N02 an expression with more than " + std::to_string(height_limit) + " operations in a chain", place(file_, at.at));
  return Node{std::make_shared<const Expr>(std::move(made)), height + 1};
}

Result<ExprPtr> Parser::tree() {
  TIEBREAK_TRY(node, expression());
  return node.tree;
}

Result<ExprPtr> Parser::lone_expression() {
  TIEBREAK_TRY(parsed, tree());
  if (peek().kind == TokenKind::end_of_statement) ++position_;
  if (peek().kind != TokenKind::end_of_text) return unexpected("the end of the text");
  return parsed;
}

Result<Parser::Node> Parser::expression() {
  const Nesting nesting(*this);
  if (nesting.too_deep()) return fail(Errc::limit, "N02 more than " + std::to_string(nesting_limit) + " levels of nesting", place(file_, peek().at));
  return is("if") ? conditional() : disjunction();
}

Result<Parser::Node> Parser::conditional() {
  const Token& at = take();
  TIEBREAK_TRY(condition, expression());
  TIEBREAK_CHECK(expect("then"));
  TIEBREAK_TRY(then, expression());
  TIEBREAK_CHECK(expect("else"));
  TIEBREAK_TRY(otherwise, expression());
  return make(ExprKind::conditional, at, {condition, then, otherwise});
}

Result<Parser::Node> Parser::chain(std::initializer_list<std::string_view> operators, Result<Node> (Parser::*next)()) {
  TIEBREAK_TRY(left, (this->*next)());
  while (std::ranges::any_of(operators, [&](std::string_view text) { return is(text); })) {
    const Token& at = take();
    TIEBREAK_TRY(right, (this->*next)());
    TIEBREAK_TRY(joined, make(ExprKind::binary, at, {left, right}));
    left = std::move(joined);
  }
  return std::move(left);
}

Result<Parser::Node> Parser::disjunction() { return chain({"or"}, &Parser::conjunction); }
Result<Parser::Node> Parser::conjunction() { return chain({"and"}, &Parser::negation); }
Result<Parser::Node> Parser::sum() { return chain({"+", "-"}, &Parser::term); }
Result<Parser::Node> Parser::term() { return chain({"*", "/"}, &Parser::sign); }

Result<Parser::Node> Parser::negation() {
  if (!is("not")) return relation();
  const Nesting nesting(*this);
  if (nesting.too_deep()) return fail(Errc::limit, "N02 more than " + std::to_string(nesting_limit) + " levels of nesting", place(file_, peek().at));
  const Token& at = take();
  TIEBREAK_TRY(operand, negation());
  return make(ExprKind::unary, at, {operand});
}

Result<Parser::Node> Parser::relation() {
  const auto at_relation = [&] { return is("is") || std::ranges::any_of(relations, [&](std::string_view text) { return is(text); }); };
  TIEBREAK_TRY(left, sum());
  if (!at_relation()) return std::move(left);
  const Token& at = take();
  Result<Node> made = [&]() -> Result<Node> {
    if (at.text == "is") {
      if (peek().kind != TokenKind::path) return unexpected("a kind (int, float, quant ...) after 'is'");
      return make(ExprKind::is, take(), {left});
    }
    TIEBREAK_TRY(right, sum());
    return make(ExprKind::binary, at, {left, right});
  }();
  if (made && at_relation()) return error(peek(), "comparisons do not chain, read a second '" + std::string(peek().text) + "'", "write a < b and b < c");
  return made;
}

Result<Parser::Node> Parser::sign() {
  if (!is("-")) return power();
  const Nesting nesting(*this);
  if (nesting.too_deep()) return fail(Errc::limit, "N02 more than " + std::to_string(nesting_limit) + " levels of nesting", place(file_, peek().at));
  const Token& at = take();
  TIEBREAK_TRY(operand, sign());
  return make(ExprKind::unary, at, {operand});
}

Result<Parser::Node> Parser::power() {
  TIEBREAK_TRY(base, item());
  if (!is("^")) return std::move(base);
  const Nesting nesting(*this);
  if (nesting.too_deep()) return fail(Errc::limit, "N02 more than " + std::to_string(nesting_limit) + " levels of nesting", place(file_, peek().at));
  const Token& at = take();
  TIEBREAK_TRY(exponent, sign());
  return make(ExprKind::binary, at, {base, exponent});
}

Result<Parser::Node> Parser::item() {
  TIEBREAK_TRY(list, atom());
  while (is("[")) {
    const Token at{TokenKind::symbol, "", take().at};
    TIEBREAK_TRY(position, expression());
    TIEBREAK_CHECK(expect("]"));
    TIEBREAK_TRY(read, make(ExprKind::item, at, {list, position}));
    list = std::move(read);
  }
  return std::move(list);
}

Result<Parser::Node> Parser::atom() {
  switch (peek().kind) {
    using enum TokenKind;
    case number: return this->number();
    case string: return make(ExprKind::string, take(), {});
    case path: return word();
    case symbol:
      if (is("(")) return parenthesis();
      if (is("[")) return list();
      break;
    case end_of_statement:
    case end_of_text: break;
  }
  return unexpected("an expression", is("+") ? "there is no unary '+'" : "");
}

Result<Parser::Node> Parser::word() {
  if (is("min") || is("max")) return minimum_or_maximum();
  if (is("sum") || is("product") || is("fold")) return aggregate();
  if (is("data") && peek(1).kind == TokenKind::string) return data();
  if (is("if")) return unexpected("an expression", "put the 'if' into parentheses");
  if (contains(syntax_words(), peek().text)) return unexpected("an expression");
  if (contains(constants(), peek().text)) return make(ExprKind::constant, take(), {});
  return call_or_name();
}

Result<Parser::Node> Parser::number() {
  const Token& at = take();
  Result<Real> value = Real::parse(at.text);
  if (!value) return error(at, "'" + std::string(at.text) + "' is not a number: " + value.error().what, value.error().hint);
  Expr made;
  made.kind = ExprKind::number;
  made.at = at.at;
  made.text = std::string(at.text);
  made.value = *std::move(value);
  return Node{std::make_shared<const Expr>(std::move(made))};
}

Result<Parser::Nodes> Parser::arguments(std::string_view closing) {
  Nodes nodes;
  if (accept(closing)) return nodes;
  do {
    TIEBREAK_TRY(node, expression());
    nodes.push_back(std::move(node));
  } while (accept(","));
  if (!accept(closing)) return unexpected("',' or '" + std::string(closing) + "'");
  return nodes;
}

Result<Parser::Node> Parser::parenthesis() {
  const Token& at = take();
  if (is(")")) return unexpected("an expression");
  TIEBREAK_TRY(nodes, arguments(")"));
  if (nodes.size() == 1) return std::move(nodes.front());
  return make(ExprKind::tuple, Token{TokenKind::symbol, "", at.at}, std::move(nodes));
}

Result<Parser::Node> Parser::list() {
  const Token& at = take();
  TIEBREAK_TRY(nodes, arguments("]"));
  return make(ExprKind::list, Token{TokenKind::symbol, "", at.at}, std::move(nodes));
}

Result<Parser::Node> Parser::data() {
  const Token at{TokenKind::string, peek(1).text, take().at};
  ++position_;
  return make(ExprKind::data, at, {});
}

Result<Parser::Node> Parser::call_or_name() {
  const Token& at = take();
  if (!accept("(")) return make(ExprKind::name, at, {});
  TIEBREAK_TRY(nodes, arguments(")"));
  return make(ExprKind::call, at, std::move(nodes));
}

/// With one argument an aggregate over the bag, with more a function of them.
Result<Parser::Node> Parser::minimum_or_maximum() {
  if (is("[", 1)) return aggregate();
  const Token& at = take();
  TIEBREAK_CHECK(expect("("));
  if (is(")")) return unexpected("an expression");
  TIEBREAK_TRY(nodes, arguments(")"));
  const ExprKind kind = nodes.size() == 1 ? ExprKind::aggregate : ExprKind::call;
  return make(kind, at, std::move(nodes));
}

Result<Parser::Node> Parser::aggregate() {
  const Token& at = take();
  std::vector<Modifier> found;
  int height = 0;
  if (accept("[")) {
    TIEBREAK_TRY(read, modifiers(height));
    found = std::move(read);
  }
  TIEBREAK_CHECK(expect("("));
  if (is(")")) return unexpected("an expression");
  TIEBREAK_TRY(nodes, arguments(")"));
  const std::size_t most = at.text == "fold" ? 2 : 1;
  if (nodes.size() > most)
    return error(at, "'" + std::string(at.text) + "' takes " + (most == 1 ? "one expression, " : "an expression and a start, ") + std::to_string(nodes.size()) +
                         " were given");
  return make(ExprKind::aggregate, at, std::move(nodes), std::move(found), height);
}

Result<std::vector<Modifier>> Parser::modifiers(int& height) {
  std::vector<Modifier> found;
  do {
    Modifier modifier;
    modifier.at = peek().at;
    TIEBREAK_TRY(word, path("a modifier"));
    modifier.name = word;
    if (accept("(")) {
      TIEBREAK_TRY(nodes, arguments(")"));
      for (Node& node : nodes) {
        height = std::max(height, node.height);
        modifier.args.push_back(std::move(node.tree));
      }
    }
    found.push_back(std::move(modifier));
  } while (accept(","));
  if (!accept("]")) return unexpected("',' or ']'");
  return found;
}

}  // namespace tiebreak::notation
