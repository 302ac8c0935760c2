// SPDX-License-Identifier: Apache-2.0
// A position in MLIR text: skips blanks and comments, reads words, numbers and strings, and knows its place.
// MLIR's tokens depend on context (2x3xi8, f8E4M3FN, [b,0,1,f]x[..]), so there is no token list.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak::mlir {

/// Without blanks at either end.
std::string_view trimmed(std::string_view text);

struct Comment {
  std::size_t offset = 0;
  std::string_view text;  ///< without the slashes, trimmed
};

/// A number as it stands in the text; what it means depends on the type it is read for.
struct NumberText {
  std::string_view text;  ///< with its sign
  std::size_t offset = 0;
};

class Cursor {
 public:
  Cursor(std::string_view text, std::string file, int first_line);
  /// For text whose place is known only as a whole: every error stands at `where`.
  static Cursor fixed(std::string_view text, std::string where);
  /// The part [begin, end) of this text, with the same places.
  Cursor part(std::size_t begin, std::size_t end) const;

  std::size_t offset();  ///< of the next character that is not blank
  void rewind(std::size_t offset) { at_ = offset; }
  bool at_end();
  char peek();                               ///< next character that is not blank, 0 at the end
  char next_raw() const;                     ///< the very next character
  bool accept(std::string_view symbol);      ///< punctuation
  bool accept_raw(std::string_view symbol);  ///< the same without skipping blanks
  bool accept_word(std::string_view word);   ///< a whole bare word
  Status expect(std::string_view symbol, std::string_view after);
  std::string_view word();             ///< bare word [A-Za-z_][A-Za-z0-9_$.]*, "" if there is none
  std::string_view suffix();           ///< what may follow % @ ^ # !: [A-Za-z0-9_$.-]+, no blanks before it
  Result<std::int64_t> natural();      ///< digits only
  std::optional<NumberText> number();  ///< -12, 1.5e-3, 0x7F, 0x1.8p-3, inf, -nan
  Result<std::string> string();        ///< "..." with the escapes \" \\ \n \t \HH
  /// The offset of the closing bracket that matches one already read; strings are skipped.
  Result<std::size_t> closing(char open, char close);

  std::string where(std::size_t offset) const;  ///< file:line:column
  std::string where() { return where(offset()); }
  int line(std::size_t offset) const;
  tl::unexpected<Error> error(std::string what, std::string hint = {}) { return fail(Errc::syntax, std::move(what), where(), std::move(hint)); }
  tl::unexpected<Error> error_at(std::size_t offset, Errc code, std::string what, std::string hint = {}) const {
    return fail(code, std::move(what), where(offset), std::move(hint));
  }
  std::string found();  ///< 'xyz' or "the end of the text", for messages
  std::string_view slice(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }
  const std::vector<Comment>& comments() const { return *comments_; }
  const std::string& file() const { return file_; }

 private:
  void skip();
  std::string_view text_;
  std::string file_;
  bool fixed_ = false;
  int first_line_ = 1;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::shared_ptr<std::vector<std::size_t>> lines_;  // offsets of line starts, shared by parts
  std::shared_ptr<std::vector<Comment>> comments_;
};

bool is_word_start(char c);
bool is_word_part(char c);
bool is_digit(char c);
bool is_hex_digit(char c);

}  // namespace tiebreak::mlir
