// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/lexer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace tiebreak::notation {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

constexpr std::array<std::string_view, 27> symbols{"...", "==", "!=", "<=", ">=", "->", "(", ")", "[", "]", "{", "}", ",", ";",
                                                   ":",   "=",  "<",  ">",  "+",  "-",  "*", "/", "^", "|", "?", ".", "@"};
/// A line that begins so cannot lie inside brackets: the bracket was forgotten.
constexpr std::array<std::string_view, 8> statement_starts{"def", "op", "choice", "claim", "types", "structure", "constraint", "require"};

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<Token>> run() {
    if (text_.size() > text_limit)
      return fail(Errc::limit, "N02 a page's formulas may have 1 MiB, this text has " + std::to_string(text_.size()) + " bytes", file_);
    while (true) {
      skip_blanks();
      if (offset_ == text_.size()) break;
      begin_token();
      if (first_on_line_) TIEBREAK_CHECK(begin_line());
      TIEBREAK_CHECK(next());
      end_ = {line_, static_cast<int>(offset_ - line_start_) + 1};
      first_on_line_ = false;
    }
    if (!open_.empty()) return unclosed();
    tokens_.push_back({TokenKind::end_of_statement, {}, end_});
    begin_token();
    tokens_.push_back({TokenKind::end_of_text, {}, at_});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0'; }
  void begin_token() { at_ = {line_, static_cast<int>(offset_ - line_start_) + 1}; }
  tl::unexpected<Error> error(std::string what, std::string hint = {}) const { return fail(Errc::syntax, "N02 " + what, place(file_, at_), std::move(hint)); }
  tl::unexpected<Error> unclosed() const {
    return fail(Errc::syntax, "N02 '" + std::string(open_.back().text) + "' is never closed", place(file_, open_.back().at));
  }
  void push(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, text_.substr(offset_, length), at_});
    offset_ += length;
  }

  void skip_blanks() {
    for (; offset_ < text_.size(); ++offset_) {
      const char c = text_[offset_];
      if (c == '#') {
        while (offset_ < text_.size() && text_[offset_] != '\n') ++offset_;
        if (offset_ == text_.size()) return;
      }
      if (text_[offset_] == '\n') {
        ++line_;
        line_start_ = offset_ + 1;
        first_on_line_ = true;
      } else if (c != ' ' && !(c == '\r' && peek(1) == '\n')) {
        return;
      }
    }
  }

  Status begin_line() {
    if (!open_.empty()) {
      std::size_t length = 0;
      while (is_name_part(peek(length))) ++length;
      for (std::string_view word : statement_starts)
        if (text_.substr(offset_, length) == word && at_.column <= statement_column_ && peek(length) == ' ') return unclosed();
      return {};
    }
    if (at_.column > statement_column_) return {};
    if (!tokens_.empty()) tokens_.push_back({TokenKind::end_of_statement, {}, end_});
    statement_column_ = at_.column;
    return {};
  }

  Status next() {
    const char c = peek();
    if (is_name_start(c)) return path();
    if (is_digit(c)) return number();
    if (c == '"') return string();
    if (c == '\t') return error("a tab", "indent with spaces");
    if (c == '.' && is_digit(peek(1))) return error("a number that begins with '.'", "write the 0 before the point");
    for (std::string_view symbol : symbols)
      if (text_.substr(offset_, symbol.size()) == symbol) return bracket(symbol);
    if (static_cast<unsigned char>(c) >= 0x80) return error("a character that is not ASCII", "formulas are ASCII; prose goes outside the block");
    if (c == '!') return error("unknown character '!'", "write 'not', or '!=' for a comparison");
    if (c > ' ' && c < 0x7f) return error(std::string("unknown character '") + c + "'");
    std::array<char, 8> code{};
    std::snprintf(code.data(), code.size(), "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    return error(std::string("unknown character ") + code.data());
  }

  Status path() {
    std::size_t length = 0;
    do {
      if (length > 0) ++length;
      while (is_name_part(peek(length))) ++length;
    } while (peek(length) == '.' && is_name_start(peek(length + 1)));
    push(TokenKind::path, length);
    return {};
  }

  Status number() {
    std::size_t length = 0;
    const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    const auto digits = [&](bool hex) {
      const std::size_t start = length;
      while (hex ? is_hex_digit(peek(length)) : is_digit(peek(length))) ++length;
      return length > start;
    };
    if (hexadecimal) length = 2;
    bool whole = digits(hexadecimal);
    if (whole && peek(length) == '.' && (hexadecimal ? is_hex_digit(peek(length + 1)) : is_digit(peek(length + 1)))) {
      ++length;
      digits(hexadecimal);
    }
    const char exponent = peek(length);
    if (whole && (hexadecimal ? exponent == 'p' || exponent == 'P' : exponent == 'e' || exponent == 'E')) {
      ++length;
      if (peek(length) == '+' || peek(length) == '-') ++length;
      whole = digits(false);
    }
    if (!whole || is_name_part(peek(length)))
      return error("'" + std::string(text_.substr(offset_, std::min<std::size_t>(is_name_part(peek(length)) ? length + 1 : length, 40))) + "' is not a number",
                   "numbers are 12, 0.1, 1e-6, 0x7FFF, 0x1.8p-3; a product is written with '*'");
    if (length > number_limit) return error("a number of " + std::to_string(length) + " characters; the limit is " + std::to_string(number_limit));
    push(TokenKind::number, length);
    return {};
  }

  Status string() {
    std::size_t length = 1;
    while (offset_ + length < text_.size() && peek(length) != '"' && peek(length) != '\n') {
      const char c = peek(length);
      if (c < ' ' || c > '~') return error("a character in a string that is not printable ASCII");
      ++length;
    }
    if (peek(length) != '"') return error("a string that is not closed on its line");
    tokens_.push_back({TokenKind::string, text_.substr(offset_ + 1, length - 1), at_});
    offset_ += length + 1;
    return {};
  }

  Status bracket(std::string_view symbol) {
    const std::string_view closing_of = symbol == ")" ? "(" : symbol == "]" ? "[" : symbol == "}" ? "{" : "";
    if (!closing_of.empty()) {
      if (open_.empty()) return error("'" + std::string(symbol) + "' closes nothing");
      if (open_.back().text != closing_of)
        return error("'" + std::string(symbol) + "' cannot close '" + std::string(open_.back().text) + "' of line " + std::to_string(open_.back().at.line) +
                     ", column " + std::to_string(open_.back().at.column));
      open_.pop_back();
    }
    push(TokenKind::symbol, symbol.size());
    if (symbol == "(" || symbol == "[" || symbol == "{") open_.push_back(tokens_.back());
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t offset_ = 0, line_start_ = 0;
  int line_ = 1;
  int statement_column_ = std::numeric_limits<int>::max();
  bool first_on_line_ = true;
  Position at_{};
  Position end_{};  ///< behind the last token: what is missing is missing there
  std::vector<Token> open_{};
  std::vector<Token> tokens_{};
};

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view text, const std::string& file) { return Lexer(text, file).run(); }

std::string describe(const Token& token) {
  switch (token.kind) {
    using enum TokenKind;
    case path:
    case number:
    case symbol: return "'" + std::string(token.text) + "'";
    case string: return "the string \"" + std::string(token.text) + "\"";
    case end_of_statement: return "the end of the statement";
    case end_of_text: return "the end of the text";
  }
  return "the end of the text";
}

std::string place(const std::string& file, Position at) { return file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column); }

}  // namespace tiebreak::notation
