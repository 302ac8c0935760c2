// SPDX-License-Identifier: Apache-2.0
// Reading MLIR text character by character.
#include "interpreter/program/mlir_cursor.hpp"

#include <algorithm>
#include <charconv>

namespace tiebreak::mlir {
namespace {

int hex_value(char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || is_digit(c) || c == '$' || c == '.'; }

Cursor::Cursor(std::string_view text, std::string file, int first_line)
    : text_(text),
      file_(std::move(file)),
      first_line_(first_line),
      end_(text.size()),
      lines_(std::make_shared<std::vector<std::size_t>>(1, 0)),
      comments_(std::make_shared<std::vector<Comment>>()) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines_->push_back(i + 1);
  }
}

Cursor Cursor::fixed(std::string_view text, std::string where) {
  Cursor cursor(text, std::move(where), 1);
  cursor.fixed_ = true;
  return cursor;
}

Cursor Cursor::part(std::size_t begin, std::size_t end) const {
  Cursor result = *this;
  result.at_ = begin;
  result.end_ = end;
  result.comments_ = std::make_shared<std::vector<Comment>>();
  return result;
}

void Cursor::skip() {
  while (at_ < end_) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (c == '/' && at_ + 1 < end_ && text_[at_ + 1] == '/') {
      const std::size_t stop = std::min(text_.find('\n', at_), end_);
      // A rewound cursor passes the same comment again.
      if (comments_->empty() || comments_->back().offset < at_) {
        comments_->push_back(Comment{at_, trimmed(text_.substr(at_ + 2, stop - at_ - 2))});
      }
      at_ = stop;
    } else {
      return;
    }
  }
}

std::size_t Cursor::offset() {
  skip();
  return at_;
}

bool Cursor::at_end() {
  skip();
  return at_ >= end_;
}

char Cursor::peek() {
  skip();
  return next_raw();
}

char Cursor::next_raw() const { return at_ < end_ ? text_[at_] : '\0'; }

bool Cursor::accept_raw(std::string_view symbol) {
  if (text_.substr(at_, std::min(symbol.size(), end_ - at_)) != symbol) return false;
  at_ += symbol.size();
  return true;
}

bool Cursor::accept(std::string_view symbol) {
  skip();
  return accept_raw(symbol);
}

bool Cursor::accept_word(std::string_view wanted) {
  const std::size_t start = offset();
  if (word() == wanted) return true;
  at_ = start;
  return false;
}

Status Cursor::expect(std::string_view symbol, std::string_view after) {
  if (accept(symbol)) return {};
  return error("expected '" + std::string(symbol) + "' after " + std::string(after) + ", found " + found());
}

std::string_view Cursor::word() {
  skip();
  const std::size_t start = at_;
  if (!is_word_start(next_raw())) return {};
  while (at_ < end_ && is_word_part(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

std::string_view Cursor::suffix() {
  const std::size_t start = at_;
  while (at_ < end_ && (is_word_part(text_[at_]) || (text_[at_] == '-' && !(at_ + 1 < end_ && text_[at_ + 1] == '>')))) ++at_;
  return text_.substr(start, at_ - start);
}

Result<std::int64_t> Cursor::natural() {
  skip();
  const std::size_t start = at_;
  while (at_ < end_ && is_digit(text_[at_])) ++at_;
  if (at_ == start) return error("expected a whole number, found " + found());
  std::int64_t value = 0;
  const auto [stop, code] = std::from_chars(text_.data() + start, text_.data() + at_, value);
  if (code != std::errc{})
    return error_at(start, Errc::limit, "the number " + std::string(text_.substr(start, std::min<std::size_t>(at_ - start, 40))) + " is too large");
  return value;
}

std::optional<NumberText> Cursor::number() {
  const std::size_t start = offset();
  if (next_raw() == '-' || next_raw() == '+') ++at_;
  if (std::string_view name = text_.substr(at_, std::min<std::size_t>(3, end_ - at_)); name == "inf" || name == "nan") {
    if (!(at_ + 3 < end_ && is_word_part(text_[at_ + 3]))) {
      at_ += 3;
      return NumberText{text_.substr(start, at_ - start), start};
    }
  }
  if (!is_digit(next_raw())) {
    at_ = start;
    return std::nullopt;
  }
  const bool hex = next_raw() == '0' && at_ + 2 < end_ && (text_[at_ + 1] | 0x20) == 'x' && is_hex_digit(text_[at_ + 2]);
  if (hex) at_ += 2;
  const char exponent = hex ? 'p' : 'e';
  while (at_ < end_) {
    const char c = text_[at_];
    const bool digit = hex ? is_hex_digit(c) : is_digit(c);
    if (digit || c == '.') {
      ++at_;
    } else if ((c | 0x20) == exponent && at_ + 1 < end_) {
      const bool is_signed = text_[at_ + 1] == '-' || text_[at_ + 1] == '+';
      const std::size_t first = at_ + (is_signed ? 2 : 1);
      if (first >= end_ || !is_digit(text_[first])) break;
      at_ = first;
      while (at_ < end_ && is_digit(text_[at_])) ++at_;
      break;
    } else {
      break;
    }
  }
  return NumberText{text_.substr(start, at_ - start), start};
}

Result<std::string> Cursor::string() {
  const std::size_t start = offset();
  if (!accept("\"")) return error("expected a string, found " + found());
  std::string result;
  while (at_ < end_ && text_[at_] != '"') {
    const char c = text_[at_++];
    if (c == '\n') break;
    if (c != '\\') {
      result += c;
      continue;
    }
    const char escape = next_raw();
    if (escape == 'n' || escape == 't' || escape == '"' || escape == '\\') {
      result += escape == 'n' ? '\n' : escape == 't' ? '\t' : escape;
      ++at_;
    } else if (at_ + 1 < end_ && is_hex_digit(escape) && is_hex_digit(text_[at_ + 1])) {
      result += static_cast<char>(hex_value(escape) * 16 + hex_value(text_[at_ + 1]));
      at_ += 2;
    } else {
      return error("unknown escape in a string");
    }
  }
  if (!accept_raw("\"")) return error_at(start, Errc::syntax, "this string does not end");
  return result;
}

Result<std::size_t> Cursor::closing(char open, char close) {
  const std::size_t start = offset();
  std::size_t depth = 1;
  bool quoted = false;
  for (std::size_t i = start; i < end_; ++i) {
    const char c = text_[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '/' && i + 1 < end_ && text_[i + 1] == '/') {
      i = std::min(text_.find('\n', i), end_) - 1;
    } else if (c == open) {
      ++depth;
    } else if (c == close && --depth == 0) {
      return i;
    }
  }
  return error_at(start, Errc::syntax, std::string("no closing '") + close + "' for this");
}

int Cursor::line(std::size_t offset) const {
  const auto after = std::upper_bound(lines_->begin(), lines_->end(), offset);
  return first_line_ + static_cast<int>(after - lines_->begin()) - 1;
}

std::string Cursor::where(std::size_t offset) const {
  if (fixed_) return file_;
  const auto after = std::upper_bound(lines_->begin(), lines_->end(), offset);
  return file_ + ":" + std::to_string(line(offset)) + ":" + std::to_string(offset - *(after - 1) + 1);
}

std::string Cursor::found() {
  if (at_end()) return "the end of the text";
  const std::size_t start = at_;
  std::size_t stop = start;
  while (stop < end_ && stop < start + 30 && (is_word_part(text_[stop]) || text_[stop] == '%' || text_[stop] == '#')) ++stop;
  if (stop == start) ++stop;
  std::string shown = "'";
  for (char c : text_.substr(start, stop - start)) shown += (c >= ' ' && c < 127) ? c : '?';
  return shown + "'";
}

}  // namespace tiebreak::mlir
