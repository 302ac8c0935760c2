// SPDX-License-Identifier: Apache-2.0
#include "interpreter/relay/tokens.hpp"

#include <algorithm>

namespace tiebreak::relay {
namespace {

using Kind = Token::Kind;

constexpr std::size_t token_limit = std::size_t{2} << 20;
constexpr int comment_depth_limit = 200;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_part(char c) { return is_letter(c) || mlir::is_digit(c); }

class Lexer {
 public:
  Lexer(std::string_view text, const mlir::Cursor& places) : text_(text), places_(places), end_(text.size()) {}

  Result<Tokens> run() {
    TIEBREAK_CHECK(tokens());
    add(Kind::end, end_);
    return std::move(read_);
  }

 private:
  char at(std::size_t offset) const { return offset < end_ ? text_[offset] : '\0'; }
  bool starts(std::string_view word) const { return text_.substr(at_, std::min(word.size(), end_ - at_)) == word; }

  void add(Kind kind, std::size_t begin, std::size_t cut = 0) {
    read_.list.push_back(Token{.kind = kind, .text = text_.substr(begin + cut, at_ - begin - cut), .offset = begin});
  }

  Status tokens() {
    while (at_ < end_) {
      if (read_.list.size() >= token_limit) return error(at_, Errc::limit, "a text of more than " + std::to_string(token_limit) + " words and signs");
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') ++at_;
      else if (starts("//")) line_comment();
      else if (starts("/*")) TIEBREAK_CHECK(block_comment());
      else if (starts("#[metadata]")) metadata();
      else TIEBREAK_CHECK(token());
    }
    return {};
  }

  tl::unexpected<Error> error(std::size_t offset, Errc code, std::string what) const { return places_.error_at(offset, code, std::move(what)); }

  void line_comment() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find('\n', at_), end_);
    read_.comments.push_back({begin, mlir::trimmed(text_.substr(begin + 2, at_ - begin - 2))});
  }

  void metadata() {
    const std::size_t begin = at_;
    at_ = end_;
    add(Kind::metadata, begin);
  }

  /// Comments nest. One that states a type is read as tokens, up to the place in a source that may follow the type.
  Status block_comment() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      const std::size_t next = std::min(text_.find_first_of("/*", at_), end_);
      if (next >= end_) return error(begin, Errc::syntax, "this comment does not end");
      at_ = next;
      const bool opens = starts("/*"), closes = starts("*/");
      if (opens && ++depth > comment_depth_limit) return error(begin, Errc::limit, "comments nested deeper than 200");
      if (closes) --depth;
      at_ += opens || closes ? 2 : 1;
    } while (depth > 0);
    const std::size_t stop = at_;
    const std::string_view inside = text_.substr(begin + 2, stop - begin - 4);
    const std::size_t first = inside.find_first_not_of(" \t\r\n");
    if (in_comment_ || first == std::string_view::npos || !inside.substr(first).starts_with("ty=")) return {};
    return stated_type(begin, begin + 2 + first + 3, stop);
  }

  Status stated_type(std::size_t begin, std::size_t first, std::size_t stop) {
    const std::size_t opened = read_.list.size();
    const std::size_t whole = end_;
    add(Kind::type, begin);
    const std::size_t source = text_.substr(0, stop - 2).find(" span=", first);
    at_ = first;
    end_ = std::min(source, stop - 2);
    in_comment_ = true;
    TIEBREAK_CHECK(tokens());
    in_comment_ = false;
    end_ = whole;
    at_ = stop;
    add(Kind::type_end, stop - 2);
    read_.list[opened].after = read_.list.size();
    return {};
  }

  Status token() {
    const std::size_t begin = at_;
    const char c = text_[at_];
    const bool projected = !read_.list.empty() && read_.list.back().is(".");
    if (c == '"') return string();
    if (c == '%' || c == '@') return name(c == '%' ? Kind::variable : Kind::global);
    if (is_letter(c)) {
      word();
    } else if (projected && mlir::is_digit(c)) {
      while (mlir::is_digit(at(at_))) ++at_;
      add(Kind::number, begin);
    } else if (mlir::is_digit(c) || (c == '-' && starts_number(at_ + 1))) {
      number();
    } else if (std::string_view("(){}[]<>,;:=.-?!#+*/").find(c) != std::string_view::npos) {
      at_ += starts("->") ? 2 : 1;
      add(Kind::symbol, begin);
    } else {
      return error(begin, Errc::syntax, "a character that Relay does not have");
    }
    return {};
  }

  bool starts_number(std::size_t offset) const {
    const std::string_view rest = text_.substr(std::min(offset, end_), std::min<std::size_t>(4, end_ - std::min(offset, end_)));
    return mlir::is_digit(at(offset)) || rest.starts_with("inf") || rest.starts_with("nan");
  }

  void skip_part() {
    while (is_part(at(at_))) ++at_;
  }

  /// A point belongs to a word where a letter follows it. `inff` and `nanf` are numbers.
  void word() {
    const std::size_t begin = at_;
    do {
      ++at_;
      skip_part();
    } while (at(at_) == '.' && is_letter(at(at_ + 1)));
    const std::string_view text = text_.substr(begin, at_ - begin);
    const bool is_number = (text.starts_with("inff") || text.starts_with("nanf")) && text.find_first_not_of("0123456789", 4) == std::string_view::npos;
    add(is_number ? Kind::number : Kind::word, begin);
  }

  /// Names of models' tensors have points and strokes; `%0.1` is told from a name where it is used.
  Status name(Kind kind) {
    const std::size_t begin = at_++;
    while (is_part(at(at_)) || (at(at_) == '.' && is_part(at(at_ + 1))) || (at(at_) == '/' && is_part(at(at_ + 1)))) ++at_;
    if (at_ == begin + 1) return error(begin, Errc::syntax, std::string("expected a name after '") + text_[begin] + "'");
    add(kind, begin, 1);
    return {};
  }

  void number() {
    const std::size_t begin = at_;
    const auto digits = [this] {
      while (mlir::is_digit(at(at_))) ++at_;
    };
    if (at(at_) == '-') ++at_;
    digits();
    if (at(at_) == '.' && mlir::is_digit(at(at_ + 1))) {
      ++at_;
      digits();
    }
    const std::size_t sign = at(at_ + 1) == '-' || at(at_ + 1) == '+' ? 1 : 0;
    if ((at(at_) == 'e' || at(at_) == 'E') && mlir::is_digit(at(at_ + 1 + sign))) {
      at_ += 1 + sign;
      digits();
    }
    skip_part();
    add(Kind::number, begin);
  }

  Status string() {
    const std::size_t begin = at_++;
    while (at_ < end_ && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= end_ || text_[at_] != '"') return error(begin, Errc::syntax, "this string does not end");
    ++at_;
    add(Kind::string, begin);
    return {};
  }

  std::string_view text_;
  const mlir::Cursor& places_;
  std::size_t at_ = 0;
  std::size_t end_;
  bool in_comment_ = false;
  Tokens read_{};
};

}  // namespace

Result<Tokens> read_tokens(std::string_view text, const mlir::Cursor& places) { return Lexer(text, places).run(); }

}  // namespace tiebreak::relay
