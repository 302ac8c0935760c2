// SPDX-License-Identifier: Apache-2.0
// Text of others in pages of ours: whatever a case, a file or a backend calls itself, it stays text.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tiebreak {

/// For HTML content and quoted attributes, and for Markdown within <code> and <td>: every character that either gives a meaning is written
/// as a number. Control characters and those that turn the direction of text are shown as U+FFFD, as is what is not UTF-8.
std::string markup_escaped(std::string_view text);

/// At most `most` bytes, whole characters; what is cut is counted: `abc... (12 more bytes)`.
std::string shortened(std::string_view text, std::size_t most);

/// In a cell of a Markdown table: one line, shortened, no bar of its own.
std::string markdown_cell(std::string_view text);
/// A table of Markdown behind an empty line; "" without rows.
std::string markdown_table(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows);
/// The same as code, in which nothing has a meaning.
std::string code_cell(std::string_view text);

/// A page with `{name}` replaced by the value of that name, in one pass: what a value has of braces stays. Other braces stay, too.
std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& values);

/// A text that grows to a limit and counts what did not fit.
class LimitedText {
 public:
  explicit LimitedText(std::size_t limit) : limit_(limit) {}
  /// All of it or nothing.
  bool add(std::string_view part) {
    if (text_.size() + part.size() > limit_) {
      ++left_out_;
      return false;
    }
    text_ += part;
    return true;
  }
  const std::string& text() const { return text_; }
  std::size_t left_out() const { return left_out_; }

 private:
  std::string text_;
  std::size_t limit_, left_out_ = 0;
};

}  // namespace tiebreak
