// SPDX-License-Identifier: Apache-2.0
// The parser's token stream, and its messages: what was read, what was expected.
#include "interpreter/notation/parser.hpp"

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {

bool Parser::is(std::string_view text, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return (token.kind == TokenKind::path || token.kind == TokenKind::symbol) && token.text == text;
}

bool Parser::accept(std::string_view text) {
  if (!is(text)) return false;
  ++position_;
  return true;
}

Status Parser::expect(std::string_view text) {
  if (accept(text)) return {};
  return unexpected("'" + std::string(text) + "'");
}

Status Parser::end_statement() {
  if (peek().kind == TokenKind::end_of_statement) {
    ++position_;
    return {};
  }
  const bool new_line = position_ > 0 && peek().at.line > tokens_[position_ - 1].at.line;
  return unexpected("the end of the statement", new_line ? "a line that is indented deeper continues the statement above it" : "");
}

Result<std::string> Parser::name(std::string_view what) {
  const Token& token = peek();
  if (token.kind == TokenKind::path && (contains(syntax_words(), token.text) || contains(constants(), token.text)))
    return error(token, "'" + std::string(token.text) + "' is a word of the notation and cannot be " + std::string(what));
  return any_word(what);
}

Result<std::string> Parser::any_word(std::string_view what) {
  const Token& token = peek();
  if (token.kind != TokenKind::path) return unexpected(what);
  if (token.text.find('.') != std::string_view::npos) return unexpected(std::string(what) + " without a dot");
  ++position_;
  return std::string(token.text);
}

Result<std::string> Parser::path(std::string_view what) {
  if (peek().kind != TokenKind::path) return unexpected(what);
  return std::string(take().text);
}

tl::unexpected<Error> Parser::error(const Token& token, std::string what, std::string hint) const {
  return fail(Errc::syntax, "N02 " + what, place(file_, token.at), std::move(hint));
}

tl::unexpected<Error> Parser::unexpected(std::string_view expected, std::string hint) const {
  return error(peek(), "expected " + std::string(expected) + ", read " + describe(peek()), std::move(hint));
}

Result<Module> parse_module(std::string_view text, std::string name, std::string file) {
  TIEBREAK_TRY(tokens, tokenize(text, file));
  return Parser(std::move(tokens), std::move(file)).module(std::move(name));
}

Result<ExprPtr> parse_expression(std::string_view text, std::string file) {
  TIEBREAK_TRY(tokens, tokenize(text, file));
  return Parser(std::move(tokens), std::move(file)).lone_expression();
}

}  // namespace tiebreak::notation
